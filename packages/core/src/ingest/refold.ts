import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { firstSeqAt, pairOf, pairWallet, timeOf } from '../records/chain-order.ts';
import { columnsOf, concatBatches, filterRows, NO_ID, newBatch, takeRows } from '../records/columns.ts';
import { distinctIds, KeyIndex, placesOf } from '../records/key-index.ts';
import { balancesTable, movesTable, tradesTable, transfersTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { type ApplyContext, markDirty } from './changes.ts';
import {
  addCheckpoint,
  type Checkpoint,
  type Checkpoints,
  checkpointBefore,
  checkpointFrom,
  extendCheckpoint,
  type States,
} from './checkpoints.ts';
import { pairsOfTrades } from './ledger-fold.ts';
import {
  type Continuation,
  continueLedgers,
  type FindPlaces,
  factColumns,
  placesIn,
  type RefoldedPairs,
  refoldPairs,
  swappingWallets,
} from './ledgers.ts';
import { ofWallets, type Transfers } from './pair-transfers.ts';

const coreColumns = columnsOf(tradesTable).filter(
  (name) => name !== 'seq' && !(factColumns as readonly string[]).includes(name),
);

/** Continues the ledgers of swaps that come after all others, and folds the pairs anew of which transfers are as late. Gives the checkpoints then. */
export async function appendLedgers(
  writer: Writer,
  context: ApplyContext,
  { swaps, trades, findPlaces }: Continuation & { readonly swaps: Swaps },
): Promise<Checkpoints> {
  const { state } = context;
  const moved = await pairsMovedBeside(writer, context, swaps);
  if (moved.length === 0) {
    const continued = await continueLedgers(writer, context, { swaps, trades, findPlaces });
    return checkpointsThen(context, checkpointFrom(state, swaps.columns.seq[0]!), [continued]);
  }
  const isMoved = placesOf(moved);
  const pairs = pairsOfTrades(trades);
  const own = filterRows(trades, (row) => isMoved.find(pairs[row]!) < 0);
  const continued = await continueLedgers(writer, context, {
    swaps,
    trades: own,
    allTrades: trades,
    isWanted: (pair) => isMoved.find(pair) < 0,
    findPlaces,
  });
  const late = filterRows(trades, (row) => isMoved.find(pairs[row]!) >= 0);
  const { older, since } = checkpointFrom(state, swaps.columns.seq[0]!);
  const refolded = await refoldSince(writer, context, { pairs: moved, late, since });
  copyFacts(trades, [own, ...refolded.map(({ after }) => after)]);
  return checkpointsThen(context, { older, since }, [continued, ...refolded.map(({ standing }) => statesOf(standing))]);
}

function statesOf({ lots, balances, moves }: RefoldedPairs['standing']): States {
  return { lots: [lots], balances: [balances], moves: [moves] };
}

function checkpointsThen(
  { state }: ApplyContext,
  { older, since }: ReturnType<typeof checkpointBefore>,
  states: readonly States[],
): Checkpoints {
  if (since === undefined) return older;
  return addCheckpoint(older, extendCheckpoint(since, joinedStates(states)), state.checkpointBytes);
}

export function joinedStates(states: readonly States[]): States {
  return {
    lots: states.flatMap(({ lots }) => lots),
    balances: states.flatMap(({ balances }) => balances),
    moves: states.flatMap(({ moves }) => moves),
  };
}

/** The pairs of the wallets of swaps that transfers move at their times or later, and all that transfers move of wallets without an earlier swap. */
async function pairsMovedBeside(writer: Writer, { state }: ApplyContext, swaps: Swaps): Promise<Float64Array> {
  if (state.lastTransfer === null || swaps.length === 0) return new Float64Array(0);
  const wallets = distinctIds(swaps.columns.wallet);
  const from = swaps.columns.seq.reduce((a, b) => Math.min(a, b));
  const moved = new Set<number>();
  const columns = ['sender', 'recipient', 'token', 'block_time'] as const;
  const { columns: c } = await writer.read({ table: transfersTable, columns, where: ofWallets(wallets) });
  if (c.token.length === 0) return new Float64Array(0);
  const known = await walletsWithLedgers(writer, wallets);
  const own = placesOf(wallets);
  for (let row = 0; row < c.token.length; row++)
    for (const wallet of [c.sender[row]!, c.recipient[row]!])
      if (wallet !== NO_ID && own.find(wallet) >= 0 && (c.block_time[row]! >= timeOf(from) || !known.has(wallet)))
        moved.add(pairOf(wallet, c.token[row]!));
  return Float64Array.from(moved);
}

async function walletsWithLedgers(reader: Reader, wallets: Int32Array): Promise<ReadonlySet<number>> {
  const { columns } = await reader.latest({
    table: balancesTable,
    columns: ['wallet'],
    key: 'wallet',
    keys: wallets,
    by: 'pair',
  });
  return new Set(columns.wallet);
}

interface RefoldSince {
  readonly pairs: Float64Array;
  readonly late: Trades;
  readonly since: Checkpoint | undefined;
}

/** Folds pairs anew: from the checkpoint those of wallets that have ledgers, from their beginning the others. */
async function refoldSince(
  writer: Writer,
  context: ApplyContext,
  { pairs, late, since }: RefoldSince,
): Promise<RefoldedPairs[]> {
  const { horizon, lastTransfer } = context.state;
  const hasTransfers = lastTransfer !== null;
  const scope = { horizon, hasTransfers, unstored: late };
  if (since === undefined || !hasTransfers)
    return [await refoldPairs(writer, context, late, { ...scope, of: { pairs }, since })];
  const known = await walletsWithLedgers(writer, distinctIds(Int32Array.from(pairs, pairWallet)));
  const parts: RefoldedPairs[] = [];
  for (const isKnown of [true, false]) {
    const some = pairs.filter((pair) => known.has(pairWallet(pair)) === isKnown);
    if (some.length === 0) continue;
    const index = placesOf(some);
    const of = pairsOfTrades(late);
    const own = filterRows(late, (row) => index.find(of[row]!) >= 0);
    const part = { ...scope, of: { pairs: some }, since: isKnown ? since : undefined };
    parts.push(await refoldPairs(writer, context, own, part));
  }
  return parts;
}

/** Trades and swaps that were derived again. */
export interface LedgerChange {
  /** Without facts. */
  readonly trades: Trades;
  /** The trades that stood in their place. */
  readonly oldTrades: Trades;
  /** The swaps that the store has got, in chain order, and lost. */
  readonly added: Swaps;
  readonly removed: Swaps;
  /** Swaps that may stand in another order than before. */
  readonly reordered: Swaps;
  /** Seconds in which order among trades may be another. */
  readonly isReordered: boolean;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
  /** Where pairs stood before all that changed; without it they are folded from their beginning, or the horizon. */
  readonly since: Checkpoint | undefined;
  /** The swaps of all the seconds that were derived again. */
  readonly swaps: Swaps;
}

/** Trades that a refold looked at: as they were, as it wrote them, and those that it left as they were. */
export interface RefoldedTrades {
  readonly before: readonly Trades[];
  readonly after: readonly Trades[];
  readonly kept: Trades;
  /** Where the pairs that it folded stood before: at the checkpoint, or before their new trades. */
  readonly states: States;
}

/**
 * Writes trades that were derived again, with their facts. If a trade or swap of a pair changed, was added before others or is gone, the
 * pair is folded from the checkpoint, or from its beginning. Other pairs keep the facts of old trades and continue with what is new.
 */
export async function refoldLedgers(
  writer: Writer,
  context: ApplyContext,
  change: LedgerChange,
): Promise<RefoldedTrades> {
  const { trades, oldTrades, added, removed, storeEnd, since } = change;
  const pause = yielder();
  const pairs = pairsOfTrades(trades);
  const oldRowOf = new Map(identitiesOf(oldTrades).map((identity, row) => [identity, row]));
  await pause.yieldIfDue();
  const changed = new KeyIndex();
  for (const pair of changedPairs(change, oldRowOf)) changed.placeOf(pair);
  addLatePairs(changed, change);
  for (const pair of await pairsMovedBeside(writer, context, added)) changed.placeOf(pair);
  const gone = await goneWallets(writer, context, removed);
  for (const pair of await pairsOfGone(writer, gone)) changed.placeOf(pair);
  await pause.yieldIfDue();
  const isChanged = (pair: number): boolean => changed.find(pair) >= 0;
  const isNew = (row: number): boolean => trades.columns.seq[row]! > storeEnd;
  const pick = (isPicked: (row: number) => boolean): Trades => filterRows(trades, isPicked);
  const kept = pick((row) => !isChanged(pairs[row]!) && !isNew(row));
  copyOldFacts(kept, oldTrades, oldRowOf);
  await writer.append(tradesTable, kept);
  await moveMoves(writer, { kept, oldTrades, oldRowOf });
  const continued = pick((row) => !isChanged(pairs[row]!) && isNew(row));
  const newSwaps = filterRows(added, (row) => added.columns.seq[row]! > storeEnd);
  const findPlaces: FindPlaces = placesIn(writer);
  const states = await continueLedgers(writer, context, {
    swaps: newSwaps,
    trades: continued,
    allTrades: trades,
    isWanted: (pair) => !isChanged(pair),
    findPlaces,
  });
  if (changed.length === 0) return { before: [oldTrades], after: [continued], kept, states };
  const late = pick((row) => isChanged(pairs[row]!));
  const refolded = await refoldSince(writer, context, { pairs: changed.keys(), late, since });
  return {
    before: [oldTrades, ...refolded.map(({ before }) => before)],
    after: [continued, ...refolded.map(({ after }) => after)],
    kept,
    states: joinedStates([states, ...refolded.map(({ standing }) => statesOf(standing))]),
  };
}

/** Adds the pairs of swaps that came before others, are gone or stand otherwise, and of all swaps of their transactions. */
function addLatePairs(pairs: KeyIndex, { added, removed, reordered, storeEnd, swaps }: LedgerChange): void {
  const add = ({ columns: c }: Swaps, row: number): void => {
    if (c.token_in[row] === c.token_out[row]) return;
    pairs.placeOf(pairOf(c.wallet[row]!, c.token_in[row]!));
    pairs.placeOf(pairOf(c.wallet[row]!, c.token_out[row]!));
  };
  const transactions = new Set<number>();
  for (let row = 0; row < added.length; row++)
    if (added.columns.seq[row]! <= storeEnd) transactions.add(added.columns.tx[row]!);
  for (let row = 0; row < swaps.length; row++) if (transactions.has(swaps.columns.tx[row]!)) add(swaps, row);
  for (const late of [removed, reordered]) for (let row = 0; row < late.length; row++) add(late, row);
}

/** Wallets that have lost their last swap. */
async function goneWallets(writer: Writer, { state }: ApplyContext, removed: Swaps): Promise<Int32Array> {
  if (state.lastTransfer === null || removed.length === 0) return new Int32Array(0);
  const wallets = distinctIds(removed.columns.wallet);
  const swapping = await swappingWallets(writer, wallets, state);
  return wallets.filter((wallet) => !swapping.has(wallet));
}

async function pairsOfGone(writer: Writer, wallets: Int32Array): Promise<Float64Array> {
  if (wallets.length === 0) return new Float64Array(0);
  const { columns } = await writer.read({
    table: balancesTable,
    columns: ['pair'],
    where: isIn('wallet', wallets),
  });
  return columns.pair;
}

/** Gives what moved before trades that stand elsewhere in their second now the place of their trades. */
async function moveMoves(
  writer: Writer,
  { kept, oldTrades, oldRowOf }: { kept: Trades; oldTrades: Trades; oldRowOf: ReadonlyMap<string, number> },
): Promise<void> {
  const { seq } = kept.columns;
  const moved = new Map<string, number>();
  const pairs = pairsOfTrades(kept);
  const wallets = new Set<number>();
  for (const [row, identity] of identitiesOf(kept).entries()) {
    const old = oldTrades.columns.seq[oldRowOf.get(identity)!]!;
    if (old === seq[row]) continue;
    moved.set(`${pairs[row]} ${old}`, seq[row]!);
    wallets.add(kept.columns.wallet[row]!);
  }
  if (moved.size === 0) return;
  const old = Float64Array.from(new Set(Array.from(moved.keys(), (key) => Number(key.split(' ')[1]))));
  const where = and(isIn('wallet', Int32Array.from(wallets)), isIn('seq', old));
  const found = await writer.read({ table: movesTable, columns: columnsOf(movesTable), where });
  if (found.length === 0) return;
  const rows = takeRows(found, Array.from(found.columns.pair.keys()));
  const c = rows.columns;
  for (let row = 0; row < rows.length; row++) c.seq[row] = moved.get(`${c.pair[row]} ${c.seq[row]}`) ?? c.seq[row]!;
  await writer.remove(movesTable, where);
  await writer.append(movesTable, rows);
}

/** The identity of each trade: its transaction and its pair. */
export function identitiesOf(trades: Trades): string[] {
  return Array.from(pairsOfTrades(trades), (pair, row) => `${trades.columns.tx[row]}:${pair}`);
}

/** Pairs whose trades up to the old end of the store are not what they were, or not in their order. */
function changedPairs(
  { trades, oldTrades: old, isReordered, storeEnd }: LedgerChange,
  oldRowOf: ReadonlyMap<string, number>,
): Set<number> {
  const pairs = pairsOfTrades(trades);
  const gone = new Set(oldRowOf.values());
  const changed = new Set<number>();
  /** The old row of the last trade of a pair. */
  const last = new Map<number, number>();
  for (const [i, identity] of identitiesOf(trades).entries()) {
    if (trades.columns.seq[i]! > storeEnd) continue;
    const row = oldRowOf.get(identity);
    if (row === undefined || coreColumns.some((name) => isOther(trades.columns[name][i]!, old.columns[name][row]!)))
      changed.add(pairs[i]!);
    if (row === undefined) continue;
    gone.delete(row);
    if (!isReordered) continue;
    if (row < (last.get(pairs[i]!) ?? -1)) changed.add(pairs[i]!);
    last.set(pairs[i]!, row);
  }
  const oldPairs = pairsOfTrades(old);
  for (const row of gone) changed.add(oldPairs[row]!);
  return changed;
}

/** Whether two numbers differ; `NaN` is one number, and so are 0 and -0. */
export function isOther(a: number, b: number): boolean {
  return !Object.is(a + 0, b + 0);
}

function copyOldFacts(trades: Trades, old: Trades, oldRowOf: ReadonlyMap<string, number>): void {
  for (const [i, identity] of identitiesOf(trades).entries()) {
    const row = oldRowOf.get(identity)!;
    for (const name of factColumns) trades.columns[name][i] = old.columns[name][row]!;
  }
}

/** Copies facts of the trades of the same identities. */
function copyFacts(trades: Trades, from: readonly Trades[]): void {
  const rowOf = new Map(identitiesOf(trades).map((identity, row) => [identity, row]));
  for (const folded of from)
    for (const [i, identity] of identitiesOf(folded).entries()) {
      const row = rowOf.get(identity);
      if (row !== undefined) for (const name of factColumns) trades.columns[name][row] = folded.columns[name][i]!;
    }
}

/**
 * Brings up to date what follows from transfers that were stored, removed or moved: the ledgers of their pairs, the facts of the trades of
 * these, and which profiles to refresh. The caller has written the transfers.
 *
 * - `changed`: the transfers as they are, and as they were.
 */
export async function refoldForTransfers(writer: Writer, context: ApplyContext, changed: Transfers): Promise<void> {
  if (changed.length === 0) return;
  const { state, changes } = context;
  const columns = ['sender', 'recipient', 'token', 'block_time'] as const;
  // Whether one row of a transaction lists its swaps decides about the others.
  const beside = await writer.read({
    table: transfersTable,
    columns,
    where: isIn('tx_key', Float64Array.from(new Set(changed.columns.tx_key))),
  });
  const rows = concatBatches(transfersTable, columns, [{ length: changed.length, columns: changed.columns }, beside]);
  const c = rows.columns;
  const all = distinctIds(c.sender, c.recipient).filter((wallet) => wallet !== NO_ID);
  const swapping = await swappingWallets(writer, all, state);
  const pairs = new Set<number>();
  const wallets = new Map<number, number>();
  const tokens = new Map<number, number>();
  const note = (times: Map<number, number>, id: number, time: number): void => {
    times.set(id, Math.min(times.get(id) ?? time, time));
  };
  let first = Number.POSITIVE_INFINITY;
  for (let row = 0; row < rows.length; row++) {
    if (c.sender[row] === c.recipient[row]) continue;
    for (const wallet of [c.sender[row]!, c.recipient[row]!]) {
      if (wallet === NO_ID || !swapping.has(wallet)) continue;
      const time = c.block_time[row]!;
      pairs.add(pairOf(wallet, c.token[row]!));
      note(wallets, wallet, time);
      note(tokens, c.token[row]!, time);
      first = Math.min(first, time);
    }
  }
  if (pairs.size === 0) return;
  const before =
    first > (state.lastTime ?? -1)
      ? checkpointFrom(state, firstSeqAt(first))
      : checkpointBefore(state.checkpoints, firstSeqAt(first));
  const refolded = await refoldPairs(writer, context, newBatch(tradesTable, 0), {
    of: { pairs: Float64Array.from(pairs) },
    since: before.since,
    horizon: state.horizon,
    hasTransfers: true,
  });
  state.checkpoints = checkpointsThen(context, before, [statesOf(refolded.standing)]);
  await markDirty(writer, 'wallets', wallets);
  await markDirty(writer, 'tokens', tokens);
  if (changes === undefined) return;
  for (const wallet of wallets.keys()) changes.touched.wallets.add(wallet);
  for (const token of tokens.keys()) changes.touched.tokens.add(token);
}
