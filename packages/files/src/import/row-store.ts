import type { Config, IngestResult, SwapColumns, Swapfold, TransferColumns } from '@swapfold/core';
import { inspectSwaps, inspectTransfers, type Reject, type SortableSource, type SwapFile } from '@swapfold/core/host';
import type { RowsName } from '../row-kinds.ts';

/** What hears of rows while they are stored. */
export interface RowHearing {
  readonly onReject: (reject: Reject) => void;
  readonly onConflict: (conflict: Pick<Reject, 'row' | 'reason' | 'from'>) => void;
  /** Swaps of the store so far, of an engine that stores all of them in one step. */
  readonly onSwaps: (rows: number) => void;
  /** Swaps that hashes alone put in order. */
  readonly onUnordered: (swaps: number) => void;
  /** A new swap that the store has under another index. */
  readonly onSame: () => void;
}

/** What became of rows. */
export type RowsResult = Omit<IngestResult, 'conflicts'>;

/** How rows of a kind are looked at and stored. */
export interface RowStore {
  /** What the rows are that the store passes over. */
  readonly passedOver: string;
  /** Whether an engine may read a file by itself. */
  readonly takesFiles: boolean;
  /** How many rows of a batch could be stored. */
  inspect(batch: SwapColumns, config: Config, onReject: (reject: Reject) => void): Promise<number>;
  /** Stores rows as they come, or in the order of their times. */
  ingest(
    dex: Swapfold,
    rows: AsyncIterable<SwapColumns | SwapFile> | SortableSource,
    options: RowHearing & { readonly skipSame: boolean; readonly keepOrder: boolean },
  ): Promise<RowsResult>;
  /** What a store answers with for a row of its first ones, if it was stored. `before`: what it answered with for those before, as JSON. */
  answer(dex: Swapfold, row: SwapColumns, before: ReadonlySet<string>): Promise<object | undefined>;
}

/** A hash without what its chain may read it with or without. */
const digitsOf = (hash: string): string => hash.toLowerCase().replace(/^0x/, '');

const swaps: RowStore = {
  passedOver: 'the same token under two names, as a wrap of the native token has it',
  takesFiles: true,
  inspect: inspectSwaps,
  async ingest(dex, rows, { onSame, skipSame, ...options }) {
    // Swaps of one import into an empty store are not compared, whatever the engine and however they are parted.
    const isCompared = (await dex.info()).swaps > 0;
    return dex.ingest(rows, { ...options, bulk: true, ...(isCompared && { skipSame, onSame }) });
  },
  async answer(dex, row) {
    const { added } = await dex.ingest(row);
    if (added === 0) return undefined;
    const [[hash], [index]] = [row.columns.tx_hash, row.columns.swap_index];
    const { data } = await dex.swaps.list({ limit: 10 });
    return data.find((found) => digitsOf(found.tx_hash) === digitsOf(hash!) && found.swap_index === index);
  },
};

/** The reader of files has one type of columns for all rows. */
const asTransfers = (rows: unknown) => rows as TransferColumns;

async function* transfersOf(rows: AsyncIterable<unknown>): AsyncGenerator<TransferColumns> {
  for await (const batch of rows) yield asTransfers(batch);
}

const transfers: RowStore = {
  passedOver: 'an amount of 0, or the native token as it is wrapped',
  takesFiles: false,
  inspect: (batch, config, onReject) => inspectTransfers(asTransfers(batch), config, onReject),
  ingest: (dex, rows, { onReject, onConflict }) => dex.transfers.ingest(transfersOf(rows), { onReject, onConflict }),
  async answer(dex, row, before) {
    const { added } = await dex.transfers.ingest(asTransfers(row));
    if (added === 0) return undefined;
    const [hash] = row.columns.tx_hash;
    const { data } = await dex.transfers.list({ limit: 10 });
    return data.find((found) => digitsOf(found.tx_hash) === digitsOf(hash!) && !before.has(JSON.stringify(found)));
  },
};

/** Swaps and transfers. */
export const rowStores: Readonly<Record<RowsName, RowStore>> = { swaps, transfers };
