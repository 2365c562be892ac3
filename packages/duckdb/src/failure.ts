import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import { unreadableFile } from '@swapfold/core/engine';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';

const diskFull = /No space left on device|File too large/i;

/** What DuckDB says, which gives its errors no codes of their own, and what that is to Swapfold. The first row that fits counts. */
const known: readonly (readonly [said: RegExp, code: ErrorCode, sentence: (path: string) => string])[] = [
  [
    /already attached in READ_(WRITE|ONLY) mode/,
    'store-locked',
    (path) =>
      `"${path}" is open a second time in this process, once to write and once to read only; use the one handle for both, or close it.`,
  ],
  [/not a valid DuckDB database file/, 'foreign-store', (path) => `"${path}" is not a DuckDB database.`],
  [/Too many open files/i, 'too-many-files', (path) => tooManyFiles(path).message],
  [diskFull, 'disk-full', (path) => `There is no room to write to "${path}".`],
  [
    /Permission denied|Read-only file system|in read-only mode/i,
    'read-only',
    (path) => `"${path}" or its folder cannot be written.`,
  ],
];

/** Whether DuckDB found no room to write. */
export function isDiskFull(error: unknown): boolean {
  return diskFull.test(String((error as { message?: unknown }).message));
}

const damage = /Could not read enough bytes|[Cc]orrupt|Failure while replaying WAL/;

/** DuckDB's error as Swapfold's. `path` is the store's. */
export function toSwapfoldError(cause: unknown, path: string): SwapfoldError {
  if (isTooManyFiles(cause)) return tooManyFiles(path, cause);
  const message = String((cause as { message?: unknown }).message ?? cause);
  if (message.includes('Could not set lock on file')) {
    const holder = /\(PID \d+\)/.exec(message)?.[0] ?? '';
    return new SwapfoldError(
      'store-locked',
      `"${path}" is open in another process ${holder}; DuckDB gives a file to one process at a time.`,
      { cause },
    );
  }
  const unreadable = /Permission denied/i.test(message) ? unreadableFile(path, cause) : undefined;
  if (unreadable !== undefined) return unreadable;
  for (const [said, code, sentence] of known)
    if (said.test(message)) return new SwapfoldError(code, sentence(path), { cause });
  if (damage.test(message)) return new SwapfoldError('store-damaged', `"${path}" is damaged: ${message}`, { cause });
  return new SwapfoldError('store-failed', `DuckDB failed on "${path}": ${message}`, { cause });
}
