import { openReader, type ReaderOptions } from './open-reader.ts';

/** Pages that are copied in one turn of the event loop: a quarter of a megabyte, a fraction of a millisecond. */
const PAGES = 64;

/**
 * Copies the state of the last commit into a new file, page by page, through a connection of its own.
 *
 * The connection holds a snapshot. SQLite would otherwise start the copy anew with each commit of another connection, and a busy store
 * would never have a copy.
 */
export async function backupFile(
  source: ReaderOptions,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const handle = openReader(source);
  try {
    handle.prepare('begin').run();
    // A transaction takes its snapshot with its first read.
    handle.pragma('user_version');
    await handle.backup(target, {
      progress() {
        signal?.throwIfAborted();
        return PAGES;
      },
    });
  } finally {
    handle.close();
  }
}
