import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { lacksOpenFiles, unreadableFile } from '@swapfold/core/engine';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';

/** SQLite's error as Swapfold's. `path` is the store's. */
export function toSwapfoldError(cause: unknown, path: string): SwapfoldError {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const name = String(code ?? '');
  const text = String(message ?? cause);
  if (isTooManyFiles(cause)) return tooManyFiles(path, cause);
  if (name === 'SQLITE_NOTADB')
    return new SwapfoldError('foreign-store', `"${path}" is not an SQLite database.`, { cause });
  if (name.startsWith('SQLITE_BUSY') || name.startsWith('SQLITE_LOCKED'))
    return new SwapfoldError('store-locked', `"${path}" is locked by another connection or process.`, { cause });
  if (name === 'SQLITE_FULL' || (name.startsWith('SQLITE_IOERR') && isFull(path)))
    return new SwapfoldError('disk-full', `There is no room to write to "${path}".`, { cause });
  if (name.startsWith('SQLITE_READONLY'))
    return new SwapfoldError('read-only', `"${path}" or its folder cannot be written.`, { cause });
  if (name.startsWith('SQLITE_CORRUPT'))
    return new SwapfoldError('store-damaged', `"${path}" is damaged: ${text}.`, { cause });
  if (name.startsWith('SQLITE_CANTOPEN')) return cannotOpen(cause, path);
  return new SwapfoldError('store-failed', `SQLite failed on "${path}": ${text}`, { cause });
}

/** Bytes with which the files beside the store find no room. */
const LEAST_ROOM = 2 ** 20;

/** SQLite calls it an I/O error if the index of its log, which it makes at opening, finds no room. */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_ROOM;
  } catch {
    return false;
  }
}

/** SQLite says the same of a file that is not there and of a folder in which it cannot make one. */
function cannotOpen(cause: unknown, path: string): SwapfoldError {
  if (lacksOpenFiles()) return tooManyFiles(path, cause);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return new SwapfoldError('foreign-store', `"${path}" is a folder, not a file.`, { cause });
  const unreadable = unreadableFile(path, cause);
  if (unreadable !== undefined) return unreadable;
  if (existsSync(path) || existsSync(dirname(path)))
    return new SwapfoldError(
      'read-only',
      existsSync(path)
        ? `"${path}" cannot be opened, or a file beside it cannot be made: its folder cannot be written.`
        : `There is no file "${path}", and it cannot be made.`,
      { cause },
    );
  return new SwapfoldError('store-failed', `SQLite cannot open "${path}": its folder does not exist.`, { cause });
}
