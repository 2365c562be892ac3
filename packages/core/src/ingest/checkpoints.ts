import { firstSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, concatBatches, filterRows, newBatch } from '../records/columns.ts';
import { KeyIndex, placesOf } from '../records/key-index.ts';
import { balancesTable, lotsTable, movesTable, SINCE_LAST_TRADE } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';

/** Of `moves`, the rows since the last trades. */
type PairTable = typeof lotsTable | typeof balancesTable | typeof movesTable;

/** Where pairs stood: a pair without rows had none. */
export interface PairStates<T extends PairTable> {
  readonly pairs: Float64Array;
  readonly rows: Batch<T>;
}

/** Where pairs stood before the swaps from `from`, a `seq`, on. Other pairs have none of the swaps up to the next checkpoint, or the end of the store. */
export interface Checkpoint {
  readonly from: number;
  readonly lots: PairStates<typeof lotsTable>;
  readonly balances: PairStates<typeof balancesTable>;
  readonly moves: PairStates<typeof movesTable>;
}

/**
 * Checkpoints of the last writes, the oldest first: a change of the newest swaps, such as a rollback, folds the pairs on from there, and
 * not from their first trade. Part of what a process remembers of the store, so that they go wherever its state is read anew.
 */
export type Checkpoints = readonly Checkpoint[];

/** What a pair, or a row of one, takes. */
const ROW_BYTES = 70;

/** What checkpoints take, about. */
export function checkpointBytes(checkpoints: Checkpoints): number {
  return checkpoints.reduce((sum, { lots, balances }) => sum + (rowsOf(lots) + rowsOf(balances)) * ROW_BYTES, 0);
}

function rowsOf<T extends PairTable>({ pairs, rows }: PairStates<T>): number {
  return pairs.length + rows.length;
}

/** Where pairs stood before all swaps from `seq` on, if that is known, and the checkpoints before. */
export function checkpointBefore(
  checkpoints: Checkpoints,
  seq: number,
): { readonly older: Checkpoints; readonly since: Checkpoint | undefined } {
  const at = checkpoints.findLastIndex(({ from }) => from <= seq);
  const [first, ...later] = at < 0 ? [] : checkpoints.slice(at);
  if (first === undefined) return { older: [], since: undefined };
  const states = {
    lots: later.map(({ lots }) => lots),
    balances: later.map(({ balances }) => balances),
    moves: later.map(({ moves }) => moves),
  };
  return { older: checkpoints.slice(0, at), since: extendCheckpoint(first, states) };
}

/**
 * The checkpoint that a change extends which begins at `seq`, after all stored swaps: a new one, unless transfers are stored that are as new.
 * Those may have moved pairs that the change does not touch: where they stood is known at an older checkpoint alone.
 */
export function checkpointFrom(
  { checkpoints, lastTransfer }: { readonly checkpoints: Checkpoints; readonly lastTransfer: number | null },
  seq: number,
): ReturnType<typeof checkpointBefore> {
  const isNewest = (checkpoints.at(-1)?.from ?? -1) < seq && (lastTransfer ?? -1) < timeOf(seq);
  if (!isNewest) return checkpointBefore(checkpoints, firstSeqAt(timeOf(seq)));
  return {
    older: checkpoints,
    since: { from: seq, lots: noStates(lotsTable), balances: noStates(balancesTable), moves: noStates(movesTable) },
  };
}

function noStates<T extends PairTable>(table: T): PairStates<T> {
  return { pairs: new Float64Array(0), rows: newBatch(table, 0) as Batch<T> };
}

/** Where pairs stood before several changes one after the other. */
export interface States {
  readonly lots: readonly PairStates<typeof lotsTable>[];
  readonly balances: readonly PairStates<typeof balancesTable>[];
  readonly moves: readonly PairStates<typeof movesTable>[];
}

/** Where pairs stood at a checkpoint, those too that changed later only: by where they stood before that, oldest first. */
export function extendCheckpoint({ from, lots, balances, moves }: Checkpoint, later: States): Checkpoint {
  return {
    from,
    lots: oldestOf(lotsTable, [lots, ...later.lots]),
    balances: oldestOf(balancesTable, [balances, ...later.balances]),
    moves: oldestOf(movesTable, [moves, ...later.moves]),
  };
}

function oldestOf<T extends PairTable>(table: T, states: readonly PairStates<T>[]): PairStates<T> {
  const known = new KeyIndex();
  const parts: Batch<T>[] = [];
  for (const { pairs, rows } of states) {
    parts.push(pickPairs(rows, (pair) => known.find(pair) < 0));
    for (const pair of pairs) known.placeOf(pair);
  }
  return { pairs: known.keys(), rows: concatBatches(table, columnsOf(table), parts) as Batch<T> };
}

/** Where pairs stood at a checkpoint: what it says, and of the pairs that have not changed since what is stored. */
export async function statesAt<T extends PairTable>(
  reader: Reader,
  table: T,
  at: PairStates<T>,
  pairs: Float64Array,
): Promise<PairStates<T>> {
  const known = placesOf(at.pairs);
  const wanted = placesOf(pairs);
  const others = pairs.filter((pair) => known.find(pair) < 0);
  const parts = [pickPairs(at.rows, (pair) => wanted.find(pair) >= 0)];
  const own = isIn('pair', others);
  const where = table === (movesTable as PairTable) ? and(own, compare('seq', 'eq', SINCE_LAST_TRADE)) : own;
  if (others.length > 0) parts.push((await reader.read({ table, columns: columnsOf(table), where })) as Batch<T>);
  return { pairs, rows: concatBatches(table, columnsOf(table), parts) as Batch<T> };
}

export function pickPairs<T extends PairTable>(rows: Batch<T>, isPicked: (pair: number) => boolean): Batch<T> {
  const { pair } = rows.columns as { readonly pair: Float64Array };
  return filterRows(rows, (row) => isPicked(pair[row]!));
}

/** A reorganisation is not deeper than some dozen commits. */
const MOST_CHECKPOINTS = 256;

/** Adds the newest checkpoint. Drops the oldest ones if they are too many, or take more than `most` bytes together. */
export function addCheckpoint(checkpoints: Checkpoints, newest: Checkpoint, most: number): Checkpoints {
  const all = [...checkpoints, newest];
  let bytes = 0;
  const oldest = all.findLastIndex((checkpoint, i) => {
    bytes += checkpointBytes([checkpoint]);
    return bytes > most || i < all.length - MOST_CHECKPOINTS;
  });
  return all.slice(oldest + 1);
}
