import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseConfig, type Swapfold } from '@swapfold/core';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { peekFile } from '../files/open-bytes.ts';
import { type Interruption, interruptible, watchInterruption } from '../interruption.ts';
import { type StoreOptions, withStore } from '../open-store.ts';
import { note, print } from '../output.ts';
import { createProgress, type Progress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';
import type { FileBatch } from './file-batch.ts';
import { readAhead } from './read-ahead.ts';
import { openRejectsFile, type RejectsFile } from './rejects-file.ts';
import { summaryLines } from './summary.ts';
import { Tally } from './tally.ts';

export interface ImportOptions extends StoreOptions {
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
  readonly rejects?: string | undefined;
}

export interface ImportJob {
  readonly files: readonly string[];
  readonly options: ImportOptions;
  /** The batches of a file; `dex` gives the store that they are to be stored in. */
  readonly read: (dex: () => Swapfold, file: string) => AsyncIterable<FileBatch>;
}

interface Books {
  readonly tally: Tally;
  readonly progress: Progress;
  readonly rejectsFile: RejectsFile;
  readonly interruption: Interruption;
}

/**
 * Stores the files one after the other, batch by batch, tells what became of their rows, and refreshes the profiles.
 *
 * - Exit code: `failed` where there were rows and every one was rejected; `interrupted` after a signal, with the current batch stored.
 */
export async function runImport({ files, options, read }: ImportJob): Promise<ExitCode> {
  // A mistyped name should not come to light hours later.
  for (const file of files) await peekFile(file);
  parseConfig(await readConfigFile(options.config));
  let store: Swapfold | undefined;
  const readFile = (file: string): AsyncIterable<FileBatch> => read(() => store!, file);
  // Columns that are not there are to come to light before a store is made.
  const first = await begun(readFile(files[0]!));
  const rejectsFile = await openRejectsFile(options.rejects, files).catch(async (error: unknown) => {
    await first.drop();
    throw error;
  });
  const interruption = watchInterruption(() => note('\nStopping after the current batch ...'));
  const books = { tally: new Tally(), progress: createProgress(), rejectsFile, interruption };
  try {
    return await withStore(options, async (dex) => {
      store = dex;
      await storeFiles(files, (file) => (file === files[0] ? (first.take() ?? readFile(file)) : readFile(file)), books);
      interruption.dispose();
      return finish(dex, options, books);
    });
  } finally {
    interruption.dispose();
    await first.drop();
    await rejectsFile.close();
  }
}

/** Items of which the first has been read; they can be taken once. */
async function begun<T>(
  items: AsyncIterable<T>,
): Promise<{ take(): AsyncIterable<T> | undefined; drop(): Promise<unknown> }> {
  const iterator = items[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<T>> | undefined = Promise.resolve(await iterator.next());
  return {
    drop: async () => iterator.return?.(),
    take() {
      const first = next;
      if (first === undefined) return undefined;
      next = undefined;
      return {
        async *[Symbol.asyncIterator]() {
          try {
            for (let item = await first; !item.done; item = await iterator.next()) yield item.value;
          } finally {
            await iterator.return?.();
          }
        },
      };
    },
  };
}

async function storeFiles(
  files: readonly string[],
  read: (file: string) => AsyncIterable<FileBatch>,
  books: Books,
): Promise<void> {
  const { tally, interruption } = books;
  const begun = performance.now();
  for (const file of files) {
    try {
      await storeFile(file, read(file), books);
    } catch (error) {
      if (tally.rows > 0) note(`Stopped in ${file}. What came before is stored; importing it again changes nothing.`);
      throw error;
    }
    if (interruption.isRequested) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  print(summaryLines(tally, { files: files.length, seconds }).join('\n'));
}

async function storeFile(file: string, batches: AsyncIterable<FileBatch>, books: Books): Promise<void> {
  const { tally, progress, rejectsFile, interruption } = books;
  let rows = 0;
  progress.begin(basename(file), 'rows');
  try {
    for await (const batch of readAhead(batches)) {
      if (rows === 0 && batch.unused.length > 0) note(unusedLine(file, batch.unused));
      const outcome = await batch.store();
      rows += batch.rows;
      tally.add(file, batch.rows, outcome);
      await rejectsFile.write(file, outcome.rejects);
      progress.advance(batch.fraction, rows);
      // Signals arrive between turns of the event loop, of which SQLite alone takes none.
      await nextTurn();
      if (interruption.isRequested) return;
    }
  } finally {
    const done = progress.end();
    if (rows > 0) note(done);
  }
}

function unusedLine(file: string, unused: readonly string[]): string {
  const shown = unused.slice(0, 20).join(', ');
  const rest = unused.length > 20 ? ` and ${unused.length - 20} more` : '';
  return `${basename(file)} has columns that are not used: ${shown}${rest}.`;
}

async function finish(
  dex: Swapfold,
  options: ImportOptions,
  { tally, progress, interruption }: Books,
): Promise<ExitCode> {
  if (interruption.isRequested) {
    note('Interrupted. What is told above is stored; the profiles are not refreshed.');
    note('Run the same command again to go on: what is stored is skipped.');
    return exitCodes.interrupted;
  }
  if (options.refresh) {
    const code = await interruptible((signal) => refreshAloud(dex, { progress, signal }));
    if (code !== exitCodes.ok) return code;
  }
  return tally.rows > 0 && tally.rejected === tally.rows ? exitCodes.failed : exitCodes.ok;
}
