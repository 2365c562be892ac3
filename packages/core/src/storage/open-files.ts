import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { SwapfoldError } from '../errors.ts';

/** Files that a store may open at once, with its log, lock and the files that an engine needs for a moment. */
const FILES = 10;

/** Whether the process, or the system, has so many files open that a store finds no place for its own. */
export function lacksOpenFiles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < FILES) opened.push(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return isTooManyFiles(error);
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** To be called before an engine opens files: some do not come back from a file that they cannot open. Errors: `too-many-files`. */
export function requireOpenFiles(path: string): void {
  if (lacksOpenFiles()) throw tooManyFiles(path);
}

/** Whether a file could not be opened because too many are. */
export function isTooManyFiles(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The error `too-many-files`, with its cause. */
export function tooManyFiles(path: string, cause?: unknown): SwapfoldError {
  return new SwapfoldError(
    'too-many-files',
    `"${path}" cannot be opened: the process has as many files open as it may.`,
    {
      cause,
    },
  );
}
