import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config, Swapfold } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Interruption, interruptible, watchInterruption } from '../interruption.ts';
import { isStore, type StoreOptions, withStore } from '../open-store.ts';
import { note, print } from '../output.ts';
import { createProgress, type Progress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { BulkIngest } from './bulk-ingest.ts';
import { eachBatch, FileFailure, type FileItem, type PassedFile } from './each-batch.ts';
import type { FileBatch, Outcome } from './file-batch.ts';
import { FileNotes } from './file-notes.ts';
import { type Input, inputName } from './inputs.ts';
import { readAhead } from './read-ahead.ts';
import { openRejectsFile, type RejectsFile } from './rejects-file.ts';
import { summaryLines } from './summary.ts';
import { Tally } from './tally.ts';

export interface ImportOptions extends StoreOptions {
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
  readonly rejects?: string | undefined;
  /** True with `--keep-order`. */
  readonly keepOrder?: boolean | undefined;
  /** True with `--skip-same`. */
  readonly skipSame?: boolean | undefined;
}

export interface ImportJob {
  readonly inputs: readonly Input[];
  readonly options: ImportOptions;
  readonly read: (file: string) => AsyncIterable<FileBatch>;
  /** Tells more after the summary, once all is stored. */
  readonly tell?: (dex: Swapfold) => Promise<unknown>;
}

interface Books {
  readonly tally: Tally;
  readonly notes: FileNotes;
  readonly progress: Progress;
  readonly rejectsFile: RejectsFile;
  readonly interruption: Interruption;
  readonly config: Config;
}

/** Rows that are looked at first, before a store is made for them. */
const FIRST_ROWS = 1000;

/**
 * Stores the files one after the other, batch by batch, tells what became of their rows, and refreshes the profiles.
 *
 * - A store is made once there is something to store in it.
 * - Exit code: `failed` where there were rows and nothing of them can be stored; `interrupted` after a signal, with the current batch stored.
 */
export async function runImport({ inputs: files, options, read, tell }: ImportJob): Promise<ExitCode> {
  const config = parseConfig(await readConfigFile(options.config));
  const tally = new Tally();
  const items = new Items(files, read, (passed) => tally.passedFiles.push(passed));
  let interruption: Interruption | undefined;
  let rejectsFile: RejectsFile | undefined;
  try {
    // Columns that are not there are to come to light before a store is made.
    await items.begin();
    const used = [...files.map(({ file }) => file), options.config, options.db.path];
    rejectsFile = await openRejectsFile(options.rejects, used);
    interruption = watchInterruption(() => note('\nStopping after the current batch ...'));
    const progress = createProgress();
    const books: Books = { tally, notes: new FileNotes(), progress, rejectsFile, interruption, config };
    const begun = performance.now();
    const isNeeded = (await isStore(options.db)) || (await passRefused(items, books));
    const sum = (): void => {
      const seconds = (performance.now() - begun) / 1000;
      print(summaryLines(tally, { files: files.length - tally.passedFiles.length, seconds }).join('\n'));
    };
    if (!isNeeded) {
      sum();
      note('No store was made: there is nothing to store.');
      return endOf(books, config);
    }
    return await withStore(options, async (dex) => {
      // Swaps of one import into an empty store are not compared, whatever the engine and however they are parted.
      const isCompared = (await dex.info()).swaps > 0;
      try {
        const { skipSame = false, keepOrder = false } = options;
        await storeInBulk(dex, items, books, { isCompared, skipSame, keepOrder });
      } catch (error) {
        sum();
        if (Object.values(tally.counts).some((count) => count > 0))
          note('What came before is stored; importing it again changes nothing.');
        throw error;
      }
      sum();
      await tell?.(dex);
      interruption!.dispose();
      return finish(dex, options, books);
    });
  } finally {
    interruption?.dispose();
    await items.end();
    await rejectsFile?.close();
  }
}

/** Stores the batches. What was handed over is stored also if reading the next one fails. */
async function storeInBulk(
  dex: Swapfold,
  items: Items,
  books: Books,
  o: { readonly isCompared: boolean; readonly skipSame: boolean; readonly keepOrder: boolean },
): Promise<void> {
  const { tally, progress, rejectsFile } = books;
  let isFolding = false;
  const swaps = new BulkIngest(
    dex,
    (done) => {
      if (!isFolding) progress.begin('folding', 'rows');
      isFolding = true;
      progress.advance(tally.rows === 0 ? 1 : Math.min(1, done / tally.rows), done);
    },
    { sameSwaps: o.isCompared ? (o.skipSame ? 'skip' : 'count') : 'ignore', keepOrder: o.keepOrder },
  );
  try {
    await storeAll(items, books, ({ batch, file }) => batch.store(dex, swaps, file));
  } finally {
    const { counts, conflicts, rejects, ...told } = await swaps.end().finally(() => {
      if (isFolding) progress.end();
    });
    tally.addStored(counts, { conflicts, rejects });
    for (const reject of rejects) await rejectsFile.write(reject.file, [reject]);
    tally.tell({ ...told, isSameLeftOut: o.skipSame });
  }
}

/** The batches of the files, of which the next one is always read already. */
class Items {
  private readonly iterator: AsyncGenerator<FileItem<FileBatch>>;
  next: FileItem<FileBatch> | undefined;

  constructor(files: readonly Input[], read: ImportJob['read'], onPassed: (passed: PassedFile) => void) {
    this.iterator = readAhead(eachBatch(files, read, onPassed));
  }

  /** Reads the first one. Errors: what reading it threw. */
  async begin(): Promise<void> {
    await this.advance().catch((error: unknown) => {
      throw error instanceof FileFailure ? error.cause : error;
    });
  }

  async advance(): Promise<void> {
    const { done, value } = await this.iterator.next();
    this.next = done ? undefined : value;
  }

  async end(): Promise<void> {
    await this.iterator.return(undefined);
  }
}

/** Passes batches of which nothing can be stored. Returns whether one is left of which something can. */
async function passRefused(items: Items, books: Books): Promise<boolean> {
  const isRefused = async ({ batch }: FileItem<FileBatch>): Promise<boolean> => {
    for (const most of [FIRST_ROWS, undefined]) {
      const { counts } = await batch.check(books.config, most);
      if (Object.values(counts).some((count) => count > 0)) return false;
    }
    return true;
  };
  await storeAll(items, books, ({ batch }) => batch.check(books.config), isRefused);
  return items.next !== undefined && !books.interruption.isRequested;
}

/** Does with each batch what `work` does, as long as `isWanted`. */
async function storeAll(
  items: Items,
  books: Books,
  work: (item: FileItem<FileBatch>) => Promise<Outcome>,
  isWanted: (item: FileItem<FileBatch>) => Promise<boolean> = async () => true,
): Promise<void> {
  const { tally, notes, progress, rejectsFile, interruption } = books;
  let file: string | undefined;
  let rows = 0;
  const endFile = (): void => {
    if (file === undefined) return;
    const done = progress.end();
    if (rows > 0) note(done);
  };
  try {
    for (let item = items.next; item !== undefined && (await isWanted(item)); item = items.next) {
      if (item.file !== file) {
        endFile();
        rows = 0;
        file = item.file;
        progress.begin(inputName(file), 'rows');
      }
      notes.say(item.file, item.batch);
      const outcome = await work(item);
      rows += item.batch.rows;
      tally.add(item.file, item.batch, outcome);
      await rejectsFile.write(item.file, outcome.rejects);
      progress.advance(item.batch.fraction, rows);
      // Signals arrive between turns of the event loop, of which SQLite alone takes none.
      await nextTurn();
      if (interruption.isRequested) return;
      await items.advance();
    }
  } catch (error) {
    if (tally.rows > 0) note(`Stopped in ${error instanceof FileFailure ? error.file : file}.`);
    throw error instanceof FileFailure ? error.cause : error;
  } finally {
    endFile();
  }
}

async function finish(dex: Swapfold, options: ImportOptions, books: Books): Promise<ExitCode> {
  if (books.interruption.isRequested) {
    note('Interrupted. The counts above are of what is stored; the profiles are not refreshed.');
    note('Run the same command again to go on: what is stored is skipped.');
    return exitCodes.interrupted;
  }
  if (options.refresh) {
    const code = await interruptible((signal) => refreshAloud(dex, { progress: books.progress, signal }));
    if (code !== exitCodes.ok) return code;
  }
  return endOf(books, dex.config);
}

function endOf({ tally, notes, interruption }: Books, config: Config): ExitCode {
  if (interruption.isRequested) return exitCodes.interrupted;
  if (!tally.isRefused) return exitCodes.ok;
  notes.sayWhyRefused(config);
  return exitCodes.failed;
}
