import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { StreamSource } from '../bytes.ts';
import { Books, type ImportStep, type ImportSummary } from './books.ts';
import { followFiles } from './follow-files.ts';
import { importPrices } from './import-prices.ts';
import { importRecords } from './import-records.ts';
import { importRows } from './import-rows.ts';
import { expandInputs } from './inputs.ts';
import type { ImportFilesOptions } from './options.ts';
import type { NewStore } from './target.ts';

/** An import that runs: await it for its summary, iterate over it for its steps. Both throw what it fails with. */
export type FileImport = Promise<ImportSummary> &
  AsyncIterable<ImportStep> & {
    /** What became of the rows so far, also of an import that fails. */
    readonly summary: ImportSummary;
  };

/**
 * Stores what files hold: swaps, transfers, what is known of tokens or wallets, or reference prices. `refresh` brings the profiles up to date.
 *
 * ```ts
 * const { counts, rejects } = await importFiles(dex, ['exports/', '2024-*.csv.gz']);
 * // { added: 9, duplicate: 1, conflicting: 0 }
 * ```
 *
 * - `inputs`: files, folders, patterns, `-` for standard input, and streams of bytes. They are stored in this order.
 * - A `NewStore` is opened once there is something to store. Without `open`, nothing is stored: the summary says what an empty store would take.
 * - Leaving the loop over the steps stops the import as `signal` does, and the loop ends once it has stopped.
 * - Errors: those of `readSwapFile`, `readSwapSql` and of the store. What was read before is stored.
 */
export function importFiles(
  dex: Swapfold | NewStore,
  inputs: string | StreamSource | readonly (string | StreamSource)[],
  options: ImportFilesOptions = {},
): FileImport {
  const books = new Books(options.kind ?? 'swaps', options.rejects);
  const leaving = new AbortController();
  const signal = options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal]);
  const work = run(dex, Array.isArray(inputs) ? inputs : [inputs as string], { ...options, signal }, books);
  return Object.assign(work, {
    summary: books as ImportSummary,
    [Symbol.asyncIterator](): AsyncGenerator<ImportStep> {
      // What fails is thrown by the iteration.
      work.catch(() => undefined);
      return stepsOf(work, books, leaving);
    },
  });
}

/** Why an import is stopped whose iteration was left. */
const LEFT = new Error('The iteration over the steps of the import was left.');

/** The steps of an import. An iteration that is left stops the import, and waits until it has stopped. */
async function* stepsOf(work: Promise<unknown>, books: Books, leaving: AbortController): AsyncGenerator<ImportStep> {
  let isLeft = true;
  try {
    yield* books.steps();
    isLeft = false;
    await work;
  } finally {
    if (isLeft) {
      leaving.abort(LEFT);
      await work.catch((error: unknown) => {
        if (!(error instanceof SwapfoldError && error.cause === LEFT)) throw error;
      });
    }
  }
}

async function run(
  dex: Swapfold | NewStore,
  given: readonly (string | StreamSource)[],
  options: ImportFilesOptions,
  books: Books,
): Promise<ImportSummary> {
  const { kind = 'swaps', follow, signal } = options;
  try {
    if (follow) {
      await followFiles(dex, given, options, books);
      return books;
    }
    const inputs = await expandInputs(given, (unread) => books.say({ kind: 'unread', ...unread }));
    const target =
      'ingest' in dex ? { config: dex.config, open: async () => dex, isNew: false } : { ...dex, isNew: true };
    if (kind === 'swaps' || kind === 'transfers') await importRows(target, inputs, { ...options, kind }, books);
    else if (kind === 'prices') await importPrices(target, inputs, options, books);
    else await importRecords(target, inputs, { ...options, kind }, books);
    if (signal?.aborted)
      throw new SwapfoldError('aborted', 'The import was stopped: what was stored before stays.', {
        cause: signal.reason,
      });
    return books;
  } finally {
    books.close();
  }
}
