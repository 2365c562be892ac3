import { accessSync, closeSync, constants, existsSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { SwapfoldError } from '../errors.ts';

/**
 * The file that a path leads to, through whatever symbolic links: locks and logs lie beside the file, under its own name. It need not exist.
 *
 * - Errors: `linked-store` if the file has a second name, beside which another process would look for them.
 */
export function storeFile(path: string): string {
  const file = withoutLinks(resolve(path));
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() && found.nlink > 1) {
    throw new SwapfoldError(
      'linked-store',
      `"${path}" has ${found.nlink} names (hard links); a process that opens it by another one has other locks and another log.`,
    );
  }
  return file;
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What follows is for a file that is yet to be made.
  }
  const target = targetOf(path);
  if (target !== undefined) return withoutLinks(resolve(dirname(path), target));
  const folder = dirname(path);
  return folder === path ? path : join(withoutLinks(folder), basename(path));
}

/** Where a symbolic link leads; `undefined` for what is none. A link that leads to itself is none. */
function targetOf(path: string): string | undefined {
  try {
    statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
  }
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Tells a file from every other that has had its name; `undefined` if there is none. */
export function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Errors: `store-taken` if the file at the path is not the one of this identity any more: a connection that is opened now would read another. */
export function requireSameFile(path: string, identity: string | undefined): void {
  if (fileIdentity(path) === identity) return;
  throw new SwapfoldError('store-taken', `"${path}" was removed or replaced after it was opened.`);
}

/** What an open of a file fails with that is there and that this user may not read; `undefined` of any other. */
export function unreadableFile(path: string, cause: unknown): SwapfoldError | undefined {
  if (!existsSync(path)) return undefined;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return new SwapfoldError('store-failed', `"${path}" cannot be read: this user has no right to.`, { cause });
  }
}

/** What a write fails with that would go to a store of somebody else. */
export function storeTaken(path: string, what: string): SwapfoldError {
  return new SwapfoldError(
    'store-taken',
    `"${path}" is no longer this handle's to write: ${what}. Nothing of the call was stored.`,
  );
}

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
