import { ReferencePrices, type Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { columnsOf, concatBatches, filterRows, newBatch, sliceRows } from '../records/columns.ts';
import { distinctIds } from '../records/key-index.ts';
import { swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { readBySeq } from '../storage/reads.ts';
import { yielder } from '../yielder.ts';
import {
  type ChainKeys,
  inChainOrder,
  inRanges,
  joinKeys,
  keysOf,
  mergeSeconds,
  newChainKeys,
  type Range,
  rankRows,
  uniteRanges,
} from './chain-keys.ts';
import { collectChanges } from './changed-rows.ts';
import { type ApplyContext, markSwapsDirty } from './changes.ts';
import { addCheckpoint, checkpointBefore, extendCheckpoint } from './checkpoints.ts';
import { deniedPlaces, wronglyBelieved } from './denials.ts';
import { deriveAndWrite, tablesBySeq, ValueCounts } from './derive.ts';
import { isNativeRow, nativeRanges } from './native-ranges.ts';
import { readReferencePrices } from './reference-prices.ts';
import { refoldLedgers } from './refold.ts';
import { readPrints, rejudge, suspectsIn } from './rejudge.ts';
import { countUnordered } from './unordered.ts';

/** Swaps that the store gets, and swaps of whole transactions that it loses. */
export interface Change {
  readonly added: Swaps;
  /** Where each added swap belongs. */
  readonly keys: ChainKeys;
  readonly removed: Swaps;
  /** Seconds in which stored transactions have another order than before: their rows say so already. */
  readonly moved?: readonly number[];
  /** Seconds in which the price of a quote token is another, although no swap changes. */
  readonly repriced?: readonly Range[];
}

/**
 * Adds swaps of which some are late, or removes swaps, and derives the seconds that change again. Positions and balances whose trades or
 * swaps changed are folded from the last checkpoint before, or from their beginning. The caller adds and removes the rows of the
 * transactions.
 */
export async function reprocess(writer: Writer, context: ApplyContext, change: Change): Promise<void> {
  const { state, changes } = context;
  const { added, keys, removed } = change;
  const pause = yielder();
  const lastTime = state.lastTime ?? -1;
  const ranges = await affectedRanges(writer, context, change, lastTime);
  const where = inRanges(ranges);
  const before = await readBySeq(writer, swapsTable, where);
  const stored = withoutTransactions(before, removed.columns.tx);
  const oldTrades = await readBySeq(writer, tradesTable, where);
  const storedKeys = await keysOf(writer, stored, ranges);
  await pause.yieldIfDue();
  const swapKeys = joinKeys([storedKeys, keys]);
  const { swaps, order } = inChainOrder(joined(stored, added), swapKeys);
  context.onUnordered?.(
    countUnordered(context.roles, { swaps, keys: swapKeys, order }) -
      countUnordered(context.roles, { swaps: stored, keys: storedKeys, order: rankRows(storedKeys).order }),
  );
  const tokens = distinctIds(...[before, swaps].flatMap(({ columns: c }) => [c.token_in, c.token_out]));
  const oldPrints = await readPrints(writer, tokens, where, { swaps: before });
  for (const table of [swapsTable, ...tablesBySeq, tradesTable]) await writer.remove(table, where);
  await pause.yieldIfDue();
  const placeOf = new Map<number, number>();
  for (const [row, old] of order.entries())
    if (old < stored.length) placeOf.set(stored.columns.seq[old]!, swaps.columns.seq[row]!);
  const denied = deniedPlaces(oldPrints, (seq) => placeOf.get(seq));
  const { trades } = await deriveAndWrite(writer, context, swaps, { runs: splitRuns(swaps, ranges), denied });
  await pause.yieldIfDue();
  const storeEnd = lastSeqAt(lastTime);
  const { older, since } = checkpointBefore(state.checkpoints, firstSeqAt(ranges[0]?.[0] ?? -1));
  const { horizon } = state;
  const moved = new Set(change.moved);
  const refolded = await refoldLedgers(writer, context, {
    trades,
    oldTrades,
    added: filterRows(swaps, (row) => order[row]! >= stored.length),
    removed,
    reordered: filterRows(swaps, (row) => moved.has(timeOf(swaps.columns.seq[row]!))),
    isReordered: moved.size > 0,
    storeEnd,
    since,
    swaps,
  });
  await pause.yieldIfDue();
  const counts = new ValueCounts(context.roles);
  counts.add(before, -1);
  counts.add(swaps);
  await counts.addTo(writer);
  for (const token of tokens) state.votes.forget(token);
  const until = keys.length === 0 ? lastTime : keys.time.reduce((a, b) => Math.max(a, b), lastTime);
  const judged = added.length === 0 || until === lastTime ? ranges : [...ranges, [lastTime + 1, until] as const];
  const rejudged = { ranges: uniteRanges(judged), tokens, old: oldPrints, horizon };
  const { config, roles } = context;
  const others = await rejudge(writer, rejudged, {
    roles,
    factor: config.print_factor,
    references: state.hasReferencePrices
      ? await readReferencePrices(
          writer,
          { roles, maxAge: config.reference_max_age },
          { from: judged[0]?.[0] ?? 0, to: until },
        )
      : ReferencePrices.none,
  });
  await markSwapsDirty(writer, [swaps, removed]);
  for (const { columns: c } of [swaps, removed]) {
    for (const wallet of c.wallet) changes?.touched.wallets.add(wallet);
    for (const pool of c.pool) changes?.touched.pools.add(pool);
    for (const tokens of [c.token_in, c.token_out]) for (const token of tokens) changes?.touched.tokens.add(token);
  }
  if (changes?.isWatched())
    changes.reprocessed.push({
      ...(await collectChanges(writer, { stored, swaps, order, keys: swapKeys, ...refolded })),
      judged: [others, suspectsIn(oldPrints)],
    });
  else if (changes !== undefined) changes.isIncomplete = true;
  const seq = await writer.max(swapsTable, 'seq');
  state.lastTime = seq === null ? null : timeOf(seq);
  const hasSwapsSince = since !== undefined && seq !== null && seq >= since.from;
  // Transfers as new as the swaps that are gone may have moved other pairs since.
  state.checkpoints =
    hasSwapsSince || (since !== undefined && state.lastTransfer !== null)
      ? addCheckpoint(older, extendCheckpoint(since, refolded.states), state.checkpointBytes)
      : older;
  const wrong = await wronglyBelieved(writer, context.roles, swaps, others);
  if (wrong.length === 0) return;
  // Now legs say which feeds are denied, and no judgement depends on that: the second time all are right.
  const none = newBatch(swapsTable, 0);
  await reprocess(writer, context, {
    added: none,
    keys: newChainKeys(0),
    removed: none,
    repriced: mergeSeconds(wrong),
  });
}

/** Stored seconds to derive again: the seconds of the swaps that change, and those whose native price such a swap moves. */
async function affectedRanges(
  reader: Reader,
  context: ApplyContext,
  { added, keys, removed, moved = [], repriced = [] }: Change,
  lastTime: number,
): Promise<Range[]> {
  const { native } = context.roles;
  const late: number[] = [];
  let isMoving = repriced.length > 0;
  const note = (time: number, swaps: Swaps, row: number): void => {
    if (time > lastTime) return;
    late.push(time);
    isMoving ||= isNativeRow(swaps, row, native);
  };
  for (let row = 0; row < added.length; row++) note(keys.time[row]!, added, row);
  for (let row = 0; row < removed.length; row++) note(timeOf(removed.columns.seq[row]!), removed, row);
  late.push(...moved);
  isMoving ||= moved.length > 0;
  const other = repriced
    .filter(([from]) => from <= lastTime)
    .map(([from, to]): Range => [from, Math.min(to, lastTime)]);
  const ranges = uniteRanges([...mergeSeconds(late), ...other]);
  if (!isMoving || native < 0 || ranges.length === 0) return ranges;
  return nativeRanges(
    reader,
    context,
    {
      ...{ added, keys, lastTime },
      kept: (stored) => withoutTransactions(stored, removed.columns.tx),
      merge: (stored, storedKeys, late, lateKeys) =>
        inChainOrder(joined(stored, late), joinKeys([storedKeys, lateKeys])).swaps,
    },
    ranges,
  );
}

function withoutTransactions(swaps: Swaps, transactions: Int32Array): Swaps {
  if (transactions.length === 0) return swaps;
  const gone = new Set(transactions);
  return filterRows(swaps, (row) => !gone.has(swaps.columns.tx[row]!));
}

function joined(a: Swaps, b: Swaps): Swaps {
  if (a.length === 0) return b;
  return b.length === 0 ? withOwnValues(a) : concatBatches(swapsTable, columnsOf(swapsTable), [a, b]);
}

/** The swaps with values that can be written without changing the values of the given swaps. */
function withOwnValues({ length, columns }: Swaps): Swaps {
  const { seq, usd_amount_in, usd_amount_out, valued_by } = columns;
  const own = {
    seq: seq.slice(),
    valued_by: valued_by.slice(),
    usd_amount_in: usd_amount_in.slice(),
    usd_amount_out: usd_amount_out.slice(),
  };
  return { length, columns: { ...columns, ...own } };
}

/** Runs of swaps between which the store may hold others: one for each range, and the swaps newer than all stored ones. */
function splitRuns(swaps: Swaps, ranges: readonly Range[]): Swaps[] {
  const runs: Swaps[] = [];
  let from = 0;
  for (const to of [...ranges.map((range) => range[1]), Number.POSITIVE_INFINITY]) {
    let end = from;
    while (end < swaps.length && timeOf(swaps.columns.seq[end]!) <= to) end++;
    if (end > from) runs.push(sliceRows(swaps, from, end));
    from = end;
  }
  return runs;
}
