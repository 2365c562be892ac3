import { noteTransaction } from '../ingest/changed-rows.ts';
import type { Appended, ChangedProfiles, ChangedRows, Changes } from '../ingest/changes.ts';
import type { TransferChange, Transfers } from '../ingest/transfers/check.ts';
import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { pairOf } from '../records/chain-order.ts';
import {
  type Batch,
  type ColumnData,
  columnsOf,
  concatBatches,
  filterRows,
  newBatch,
  type Table,
  takeRows,
} from '../records/columns.ts';
import { swapsTable, tradePoolsTable, tradesTable, transfersTable } from '../records/tables.ts';
import type { TransactionRow } from '../storage/reads.ts';

/** What one commit means for subscriptions. A rollback is two: what it takes back, and what takes its place. */
export type LiveCommit = LiveRetraction | LiveRows | LiveTransfers | LiveProfiles;

export interface LiveRetraction {
  readonly kind: 'retraction';
  readonly rolledBack: Removed;
  readonly bytes: number;
}

export interface Removed {
  readonly fromSlot: number;
  readonly fromTime: number;
}

/** Swaps and trades that are new or have other values, in chain order. */
export interface LiveRows {
  readonly kind: 'rows';
  readonly swaps: Swaps;
  readonly trades: ChangedRows['trades'];
  readonly goneTrades: ChangedRows['goneTrades'];
  readonly tradePools: ChangedRows['tradePools'];
  readonly transactions: () => ReadonlyMap<number, TransactionRow>;
  readonly judged: ChangedRows['judged'];
  /** The rollback whose place these rows take, and the tokens that it touched. */
  readonly replaces?: Removed & { readonly tokens: ReadonlySet<number> };
  /** All rows are new and behind the others: they take nothing away. */
  readonly isAppended?: true;
  readonly bytes: number;
}

/** Transfers that are new or stand elsewhere, and those that there are no more. */
export interface LiveTransfers {
  readonly kind: 'transfers';
  readonly transfers: Transfers;
  readonly gone: Transfers;
  readonly bytes: number;
}

export interface LiveProfiles {
  readonly kind: 'profiles';
  readonly changed: ChangedProfiles;
  readonly bytes: number;
}

/** What an entry of the log takes beside its rows. */
const OVERHEAD = 256;

/** What a text of a transaction takes, about. */
const TEXT = 160;

/** The commits of a write, in order; none where nothing changed that a subscription sees. */
export function commitsOf(changes: Changes): LiveCommit[] {
  const { appended, reprocessed, profiles, rolledBack } = changes;
  const commits: LiveCommit[] = [];
  if (rolledBack !== undefined) {
    const { fromSlot, fromTime } = rolledBack;
    if (fromTime === null) return [];
    const removed = { fromSlot, fromTime };
    commits.push({ kind: 'retraction', rolledBack: removed, bytes: OVERHEAD });
    const rows = remaining(reprocessed, removed);
    commits.push(rowsOf({ ...rows, replaces: { ...removed, tokens: changes.touched.tokens } }));
  } else {
    for (const rows of appended) commits.push(appendedRows(rows));
    for (const { transactions, ...rows } of reprocessed)
      if (rows.swaps.length + rows.trades.length + rows.goneTrades.length > 0)
        commits.push(rowsOf({ ...rows, transactions: () => transactions }));
    if (changes.transfers.length > 0) commits.push(transfersOf(changes.transfers));
  }
  if (profiles !== undefined) {
    const ids = Object.values(profiles.ids).flat();
    const bytes = ids.reduce((sum, { byteLength }) => sum + byteLength, OVERHEAD);
    if (profiles.isAll || bytes > OVERHEAD) commits.push({ kind: 'profiles', changed: profiles, bytes });
  }
  return commits;
}

/** What several changes of a write leave. */
function transfersOf(changes: readonly TransferChange[]): LiveTransfers {
  const joined = (of: (change: TransferChange) => Transfers): Transfers =>
    concatBatches(transfersTable, columnsOf(transfersTable), changes.map(of));
  const added = joined((change) => change.added);
  const last = new Map(Array.from(added.columns.transfer, (id, row) => [id, row]));
  const transfers = takeRows(added, [...last.values()]);
  const removed = joined((change) => change.removed);
  const gone = filterRows(removed, (row) => !last.has(removed.columns.transfer[row]!));
  const rows = transfers.length + gone.length;
  const bytes = OVERHEAD + TEXT * rows + bytesOf(transfers.columns) + bytesOf(gone.columns);
  return { kind: 'transfers', transfers, gone, bytes };
}

function appendedRows({ swaps, trades, tradePools, keys, order }: Appended): LiveRows {
  let known: Map<number, TransactionRow> | undefined;
  const transactions = (): ReadonlyMap<number, TransactionRow> => {
    if (known !== undefined) return known;
    known = new Map();
    for (let row = 0; row < swaps.length; row++) noteTransaction(known, swaps.columns.tx[row]!, keys, order[row]!);
    return known;
  };
  return rowsOf({
    swaps,
    trades,
    goneTrades: newBatch(tradesTable, 0),
    tradePools,
    transactions,
    judged: [],
    isAppended: true,
  });
}

function rowsOf(rows: Omit<LiveRows, 'kind' | 'bytes'>): LiveRows {
  const bytes = [rows.swaps, rows.trades, rows.goneTrades, rows.tradePools].reduce(
    (sum, { columns }) => sum + bytesOf(columns),
    OVERHEAD + TEXT * rows.swaps.length,
  );
  return { kind: 'rows', ...rows, bytes };
}

function bytesOf(columns: Readonly<Record<string, ColumnData>>): number {
  let bytes = 0;
  for (const column of Object.values(columns)) bytes += Array.isArray(column) ? 0 : column.byteLength;
  return bytes;
}

/**
 * What the parts of a rollback, the newest first, leave changed: of a row that several of them changed, what the last one made of it, and
 * none that was removed in the end.
 */
function remaining(
  parts: readonly ChangedRows[],
  { fromSlot }: Removed,
): Omit<LiveRows, 'kind' | 'bytes' | 'replaces'> {
  const joined = <T extends Table>(table: T, of: (part: ChangedRows) => Batch<T>): Batch<T> =>
    concatBatches(table, columnsOf(table), parts.map(of));
  const transactions = new Map(parts.flatMap((part) => [...part.transactions]));
  const stays = (tx: number): boolean => {
    const known = transactions.get(tx);
    return known !== undefined && !(known.block_slot >= fromSlot);
  };
  const swaps = joined(swapsTable, (part) => part.swaps);
  const trades = joined(tradesTable, (part) => part.trades);
  const goneTrades = joined(tradesTable, (part) => part.goneTrades);
  const swapRows = lastRows(swaps, (row) => `${swaps.columns.tx[row]}:${swaps.columns.swap_index[row]}`, stays);
  const tradeRows = lastRows(trades, (row) => tradeIdentity(trades, row), stays);
  const goneRows = lastRows(goneTrades, (row) => tradeIdentity(goneTrades, row), stays);
  return {
    swaps: takeRows(swaps, swapRows),
    trades: takeRows(trades, tradeRows),
    goneTrades: takeRows(goneTrades, goneRows),
    tradePools: joined(tradePoolsTable, (part) => part.tradePools),
    transactions: () => transactions,
    judged: parts.flatMap((part) => part.judged),
  };
}

const tradeIdentity = ({ columns: c }: Trades, row: number): string =>
  `${c.tx[row]}:${pairOf(c.wallet[row]!, c.token[row]!)}`;

/** The last row of each identity whose transaction stays, by `seq`. */
function lastRows(
  { length, columns: { seq, tx } }: { length: number; columns: { seq: Float64Array; tx: Int32Array } },
  identityOf: (row: number) => string,
  stays: (tx: number) => boolean,
): number[] {
  const last = new Map<string, number>();
  for (let row = 0; row < length; row++) if (stays(tx[row]!)) last.set(identityOf(row), row);
  return [...last.values()].sort((a, b) => seq[a]! - seq[b]!);
}
