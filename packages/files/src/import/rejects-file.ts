import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';
import type { FileReject } from '../batches.ts';

/** A row of one of several files that is not stored. */
export type FoundReject = FileReject & { readonly file: string };

/** Errors: `invalid-input` where the file of rejected rows is one that is read or stored to. */
export function refuseOverwriting(path: string | undefined, others: readonly (string | undefined)[]): void {
  if (path !== undefined && others.some((other) => other !== undefined && resolve(other) === resolve(path)))
    throw new SwapfoldError('invalid-input', `The option rejects ${path} would overwrite a file that the import uses.`);
}

/** A file that takes every rejected row of an import, as NDJSON: row, field, reason, file. */
export class RejectsFile {
  readonly #file: number;

  /** Errors: `invalid-input`. */
  constructor(path: string) {
    try {
      this.#file = openSync(path, 'w');
    } catch (cause) {
      if (isTooManyFiles(cause)) throw tooManyFiles(path, cause);
      throw new SwapfoldError(
        'invalid-input',
        `Cannot write the file of the option rejects ${path}: ${(cause as Error).message}.`,
        {
          cause,
        },
      );
    }
  }

  write(rejects: readonly FoundReject[]): void {
    if (rejects.length === 0) return;
    const lines = rejects.map(({ row, field, reason, file }) => `${JSON.stringify({ row, field, reason, file })}\n`);
    writeFileSync(this.#file, lines.join(''));
  }

  close(): void {
    closeSync(this.#file);
  }
}
