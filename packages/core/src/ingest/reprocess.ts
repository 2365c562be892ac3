import type { Roles } from '../ledger/roles.ts';
import { ReferencePrices, type Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { columnsOf, concatBatches, filterRows, sliceRows } from '../records/columns.ts';
import { distinctIds } from '../records/key-index.ts';
import { nativePricesTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import { readBySeq } from '../storage/reads.ts';
import { yielder } from '../yielder.ts';
import { addCheckpoint } from './append.ts';
import {
  type ChainKeys,
  inChainOrder,
  inRanges,
  joinKeys,
  keysOf,
  mergeSeconds,
  type Range,
  uniteRanges,
} from './chain-keys.ts';
import { collectChanges } from './changed-rows.ts';
import { type ApplyContext, markSwapsDirty } from './changes.ts';
import { checkpointBefore, extendCheckpoint } from './checkpoints.ts';
import { deriveAndWrite, tablesBySeq, ValueCounts } from './derive.ts';
import { readReferencePrices } from './reference-prices.ts';
import { refoldBalances, refoldPositions } from './refold.ts';
import { readPrints, rejudge, suspectsIn } from './rejudge.ts';

/** Swaps that the store gets, and swaps of whole transactions that it loses. */
export interface Change {
  readonly added: Swaps;
  /** Where each added swap belongs. */
  readonly keys: ChainKeys;
  readonly removed: Swaps;
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
  const ranges = await affectedRanges(writer, context.roles, change, lastTime);
  const where = inRanges(ranges);
  const before = await readBySeq(writer, swapsTable, where);
  const stored = withoutTransactions(before, removed.columns.tx);
  const oldTrades = await readBySeq(writer, tradesTable, where);
  const storedKeys = await keysOf(writer, stored, ranges);
  await pause.yieldIfDue();
  const swapKeys = joinKeys([storedKeys, keys]);
  const { swaps, order } = inChainOrder(joined(stored, added), swapKeys);
  const tokens = distinctIds(...[before, swaps].flatMap(({ columns: c }) => [c.token_in, c.token_out]));
  const oldPrints = await readPrints(writer, tokens, where, { swaps: before });
  for (const table of [swapsTable, ...tablesBySeq, tradesTable]) await writer.remove(table, where);
  await pause.yieldIfDue();
  const { trades } = await deriveAndWrite(writer, context, swaps, { runs: splitRuns(swaps, ranges) });
  await pause.yieldIfDue();
  const storeEnd = lastSeqAt(lastTime);
  const { older, since } = checkpointBefore(state.checkpoints, firstSeqAt(ranges[0]?.[0] ?? -1));
  const { horizon } = state;
  const refolding = { trades, oldTrades, storeEnd, since, horizon };
  const refolded = await refoldPositions(writer, context.config.dust_usd, refolding);
  await pause.yieldIfDue();
  const balances = await refoldBalances(writer, {
    added: filterRows(swaps, (row) => order[row]! >= stored.length),
    removed,
    storeEnd,
    since,
    horizon,
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
  const { lots } = refolded;
  state.checkpoints = hasSwapsSince ? addCheckpoint(older, extendCheckpoint(since, { lots, balances })) : older;
}

/** Stored seconds to derive again: the seconds of the swaps that change, and the seconds whose native price such a swap moves. */
async function affectedRanges(
  reader: Reader,
  roles: Roles,
  { added, keys, removed, repriced = [] }: Change,
  lastTime: number,
): Promise<Range[]> {
  const late: number[] = [];
  const moving: number[] = [];
  const note = (time: number, { columns: c }: Swaps, row: number): void => {
    if (time > lastTime) return;
    late.push(time);
    if (isNativePair(roles, c.token_in[row]!, c.token_out[row]!)) moving.push(time);
  };
  for (let row = 0; row < added.length; row++) note(keys.time[row]!, added, row);
  for (let row = 0; row < removed.length; row++) note(timeOf(removed.columns.seq[row]!), removed, row);
  const ranges = mergeSeconds(late);
  for (const [from, to] of [...mergeSeconds(moving), ...repriced.filter(([start]) => start <= lastTime)]) {
    const next = await reader.read({
      table: nativePricesTable,
      columns: ['seq'],
      where: compare('seq', 'gt', lastSeqAt(to)),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: 1,
    });
    ranges.push([from, next.length === 0 ? lastTime : timeOf(next.columns.seq[0]!)]);
  }
  return uniteRanges(ranges);
}

function isNativePair(roles: Roles, a: number, b: number): boolean {
  return (roles.isNative(a) && roles.isStable(b)) || (roles.isNative(b) && roles.isStable(a));
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
