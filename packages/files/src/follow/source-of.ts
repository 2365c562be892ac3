import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Source } from '@swapfold/core';
import { readFailure } from '../bytes.ts';
import { growingFile } from './file-source.ts';
import { type FolderOptions, folder } from './folder-source.ts';
import { fifo, standardInput } from './pipe-source.ts';

/** The source that a SOURCE of the command line names: `-`, a FIFO, a file or a folder. Errors: `invalid-input` for none of these. */
export async function fileSource(given: string, options: FolderOptions): Promise<Source> {
  if (given === '-') return standardInput(options);
  // Whatever folder the next run begins in, it is the same source.
  const path = resolve(given);
  const found = await requireFile(given);
  if (found.isDirectory()) return folder(path, options);
  return found.isFile() ? growingFile(path, options) : fifo(path, options);
}

/** What there is at a path. Errors: `invalid-input` if there is nothing. */
export function requireFile(given: string): Promise<Stats> {
  return stat(resolve(given)).catch((error: unknown) => {
    throw readFailure(given, error);
  });
}
