import { statSync, unlinkSync } from 'node:fs';
import { SwapfoldError } from '@swapfold/core';
import Database from 'better-sqlite3';

/** Held by the one connection, in any process, that may write to a store. */
export interface WriterLock {
  release(): void;
}

const TRIES = 10;

/**
 * Takes the right to write to the store at `path`, by an exclusive SQLite lock on the empty file `<path>-lock` beside it: the system
 * gives the lock back when the process ends, however it ends. A lock on the store itself would shut its readers out.
 *
 * - Errors: `store-locked` where another process, or another handle of this one, has it.
 */
export function takeWriterLock(path: string): WriterLock {
  const file = `${path}-lock`;
  for (let i = 0; i < TRIES; i++) {
    const before = inodeOf(file);
    const handle = new Database(file, { timeout: 0 });
    try {
      handle.pragma('journal_mode = memory');
      handle.exec('begin exclusive');
    } catch (error) {
      handle.close();
      if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      throw new SwapfoldError(
        'store-locked',
        `"${path}" is open for writing in another process, or a second time in this one; SQLite stores have one writer.`,
        { cause: error },
      );
    }
    const after = inodeOf(file);
    // The holder before may have removed the file between its opening here and its locking: then the lock is on nobody's file.
    if (after !== undefined && (before === undefined || before === after)) return lockOf(handle, file, after);
    handle.close();
  }
  throw new SwapfoldError('store-locked', `"${path}" is being opened and closed by other processes; try again.`);
}

function lockOf(handle: Database.Database, file: string, inode: number): WriterLock {
  return {
    release() {
      if (!handle.open) return;
      try {
        // If somebody has deleted it, there may be that of another writer.
        if (inodeOf(file) === inode) unlinkSync(file);
      } catch {
        // Windows keeps open files; the empty file stays and does no harm.
      }
      handle.close();
    },
  };
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
