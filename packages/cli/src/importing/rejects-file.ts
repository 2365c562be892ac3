import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';
import type { FileReject } from '@swapfold/files';

/** Takes every rejected row of an import. */
export interface RejectsFile {
  write(file: string, rejects: readonly FileReject[]): Promise<void>;
  close(): Promise<void>;
}

/** Errors: `invalid-input` where the file of rejected rows is one that is read or stored to. */
export function refuseOverwriting(path: string | undefined, others: readonly (string | undefined)[]): void {
  if (path !== undefined && others.some((other) => other !== undefined && resolve(other) === resolve(path)))
    throw new SwapfoldError('invalid-input', `--rejects ${path} would overwrite a file that the command uses.`);
}

/** Writes rejected rows as NDJSON: row, field, reason, file. Without a path it writes nothing. Errors: `invalid-input`. */
export async function openRejectsFile(
  path: string | undefined,
  used: readonly (string | undefined)[],
): Promise<RejectsFile> {
  refuseOverwriting(path, used);
  if (path === undefined) return { write: async () => undefined, close: async () => undefined };
  const handle = await openForWriting(path);
  return {
    async write(file, rejects) {
      if (rejects.length === 0) return;
      const lines = rejects.map(
        ({ row, field, reason, ...of }) => `${JSON.stringify({ row, field, reason, file, ...of })}\n`,
      );
      await handle.writeFile(lines.join(''));
    },
    close: () => handle.close(),
  };
}

async function openForWriting(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w');
  } catch (cause) {
    if (isTooManyFiles(cause)) throw tooManyFiles(path, cause);
    throw new SwapfoldError('invalid-input', `Cannot write --rejects ${path}: ${(cause as Error).message}.`, { cause });
  }
}
