import { believedValues, denyFeed } from '../ledger/fed-alone.ts';
import type { BareFees } from '../ledger/fees.ts';
import type { PrintJudge } from '../ledger/judge.ts';
import type { NativeVote, NativeVotes } from '../ledger/native-votes.ts';
import { netTrades } from '../ledger/net.ts';
import { printsOf, type SwapPrints } from '../ledger/prints.ts';
import type { Roles } from '../ledger/roles.ts';
import type { TradePools, Trades } from '../ledger/trade.ts';
import { isContradicted, ReferencePrices, type Swaps } from '../ledger/value.ts';
import { valueSwaps } from '../ledger/value-swaps.ts';
import { mutesOf } from '../ledger/voice.ts';
import { compareText, timeOf } from '../records/chain-order.ts';
import {
  allRows,
  type Batch,
  columnsOf,
  concatenating,
  NO_ID,
  newBatch,
  sliceRows,
  type Table,
  takeRows,
} from '../records/columns.ts';
import { distinctIds, groupRows } from '../records/key-index.ts';
import { SELF, VOTE } from '../records/standing.ts';
import {
  bareFeesTable,
  legsTable,
  nativePricesTable,
  poolSwapsTable,
  swapsTable,
  tradePoolsTable,
  tradesTable,
  valueCountsTable,
} from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { standingsTable } from '../storage/bulk.ts';
import { isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import type { ApplyContext } from './changes.ts';
import { voteRows, voteScope, votesBefore } from './native-price.ts';
import { readReferencePrices } from './reference-prices.ts';

type PoolSwaps = Batch<typeof poolSwapsTable>;
export type Legs = Batch<typeof legsTable>;

/** Swaps that are derived before other work of the process has its turn. */
const PIECE = 4096;

export interface DeriveOptions {
  readonly roles: Roles;
  readonly dustUsd: number;
  readonly textOf: (id: number) => string;
  /** Whether legs are wanted, or `standings` instead. Default true. */
  readonly writesLegs?: boolean;
  /** Judges the prints; without it no leg is suspect, and none a vote. */
  readonly judge?: PrintJudge | undefined;
  /** Without `judge`: places of swaps with a print that votes deny. */
  readonly denied?: ReadonlySet<number> | undefined;
  /** How many times off a print is suspect. */
  readonly factor: number;
  /** The votes for the native price before a seq that the store has outside of what is derived, for prices until a time. */
  readonly nativeVotesBefore: (seq: number, until: number) => Promise<NativeVotes>;
  /** Those that hold at the times of what is derived. */
  readonly references: ReferencePrices;
}

/** Legs whose standing is another than expected, for engines that make the legs themselves. */
export type Standings = Batch<typeof standingsTable>;

/** What follows from swaps: their legs, pools, native prices and trades (without the facts of positions). */
export interface Derived {
  readonly legs: Legs;
  /** Without `legs`. */
  readonly standings: Standings;
  readonly poolSwaps: PoolSwaps;
  readonly nativePrices: Batch<typeof nativePricesTable>;
  readonly trades: Trades;
  readonly tradePools: TradePools;
  readonly bareFees: BareFees;
}

/**
 * Writes swaps in chain order, and what follows from them but the trades, which are the caller's to write with the facts of their
 * positions.
 *
 * - `runs`: as `derive` takes them, views of `swaps`.
 * - `judge` knows the votes before them; without it the prints are judged once they are written.
 */
export async function deriveAndWrite(
  writer: Writer,
  context: Pick<ApplyContext, 'config' | 'roles' | 'dictionary' | 'state'>,
  swaps: Swaps,
  { runs = [swaps], judge, denied }: Writing = {},
): Promise<Derived> {
  const { config, roles, dictionary } = context;
  await dictionary.load(writer, distinctIds(swaps.columns.token_in, swaps.columns.token_out));
  const derived = await derive(runs, {
    roles,
    dustUsd: config.dust_usd,
    judge,
    denied,
    factor: config.print_factor,
    textOf: (id) => dictionary.textOf(id),
    nativeVotesBefore: (seq, until) => votesBefore(writer, voteScope(context, context.state.horizon), seq, until),
    references: await referencesOf(writer, context, swaps),
  });
  await writer.append(swapsTable, swaps);
  await writeDerived(writer, derived);
  return derived;
}

interface Writing {
  readonly runs?: readonly Swaps[];
  readonly judge?: PrintJudge;
  readonly denied?: ReadonlySet<number>;
}

/** The reference prices that hold at the times of swaps in chain order. */
export async function referencesOf(
  reader: Reader,
  { config, roles, state }: Pick<ApplyContext, 'config' | 'roles' | 'state'>,
  { columns: { seq }, length }: Swaps,
): Promise<ReferencePrices> {
  if (!state.hasReferencePrices || length === 0) return ReferencePrices.none;
  const times = { from: timeOf(seq[0]!), to: timeOf(seq[length - 1]!) };
  return readReferencePrices(reader, { roles, maxAge: config.reference_max_age }, times);
}

/** Tables of what follows from swaps by their `seq`, but the trades. */
export const tablesBySeq = [legsTable, nativePricesTable, poolSwapsTable, tradePoolsTable, bareFeesTable] as const;

export async function writeDerived(writer: Pick<Writer, 'append'>, derived: Derived): Promise<void> {
  if (derived.legs.length > 0) await writer.append(legsTable, legsByToken(derived.legs));
  await writer.append(nativePricesTable, derived.nativePrices);
  // Feeds without pools need no statement for them.
  if (derived.poolSwaps.length > 0) await writer.append(poolSwapsTable, derived.poolSwaps);
  if (derived.tradePools.length > 0) await writer.append(tradePoolsTable, derived.tradePools);
  if (derived.bareFees.length > 0) await writer.append(bareFeesTable, derived.bareFees);
}

/**
 * Values swaps in place and derives what follows from them. `parts` are runs of whole seconds in chain order; between two runs
 * the store may hold other swaps.
 */
export async function derive(parts: readonly Swaps[], options: DeriveOptions): Promise<Derived> {
  const trades: Trades[] = [];
  const tradePools: TradePools[] = [];
  const bareFees: BareFees[] = [];
  const poolSwaps: PoolSwaps[] = [];
  const legs: Legs[] = [];
  const standings: Standings[] = [];
  const firm: NativeVote[] = [];
  let nativeVotes: NativeVotes | undefined;
  // Not a copy of `options` by `...`: each copy would have a shape of its own, and what reads it be compiled again for each piece.
  const { roles, dustUsd, textOf, references } = options;
  const pause = yielder();
  for (const part of parts) {
    await pause.yieldIfDue();
    const { seq } = part.columns;
    const before = await options.nativeVotesBefore(seq[0]!, timeOf(seq[part.length - 1]!));
    // Those of the runs before may not be stored yet.
    if (nativeVotes !== undefined) before.addAll(nativeVotes.data);
    nativeVotes = before;
    for (const swaps of piecesOf(part)) {
      await pause.yieldIfDue();
      const mutes = mutesOf(swaps);
      const valued = valueSwaps(swaps, { roles, dustUsd, references, votes: nativeVotes, mutes });
      for (const vote of valued.firm) firm.push(vote);
      await pause.yieldIfDue();
      const found = printsOf(swaps, { roles, dustUsd, references, mutes });
      options.judge?.judge(swaps, found, options);
      if (options.denied !== undefined && options.denied.size > 0)
        for (let row = 0; row < swaps.length; row++)
          if (options.denied.has(swaps.columns.seq[row]!)) denyFeed(swaps, row, options.roles);
      await pause.yieldIfDue();
      const netted = netTrades(believedValues(swaps), { roles, textOf, references, native: valued.native });
      trades.push(netted.trades);
      tradePools.push(netted.tradePools);
      bareFees.push(netted.bareFees);
      await pause.yieldIfDue();
      if (options.writesLegs !== false) legs.push(legsOf(swaps, found));
      else standings.push(unexpectedOf(swaps, found));
      poolSwaps.push(poolSwapsOf(swaps, options));
    }
  }
  async function joined<T extends Table>(table: T, batches: readonly Batch<T>[]): Promise<Batch<T>> {
    return pause.run(concatenating(table, columnsOf(table), batches));
  }
  return {
    legs: await joined(legsTable, legs),
    standings: await joined(standingsTable, standings),
    poolSwaps: await joined(poolSwapsTable, poolSwaps),
    nativePrices: voteRows(firm),
    tradePools: await joined(tradePoolsTable, tradePools),
    bareFees: await joined(bareFeesTable, bareFees),
    trades: await joined(tradesTable, trades),
  };
}

/** A run as pieces of about as many swaps, cut between seconds. */
function piecesOf(swaps: Swaps): Swaps[] {
  const pieces: Swaps[] = [];
  const { seq } = swaps.columns;
  for (let from = 0; from < swaps.length; ) {
    let to = Math.min(from + PIECE, swaps.length);
    while (to < swaps.length && timeOf(seq[to]!) === timeOf(seq[to - 1]!)) to++;
    pieces.push(sliceRows(swaps, from, to));
    from = to;
  }
  return pieces;
}

function legsOf(swaps: Swaps, prints: SwapPrints): Legs {
  const c = swaps.columns;
  const legs = newBatch(legsTable, swaps.length * 2);
  const l = legs.columns;
  let row = 0;
  for (let i = 0; i < swaps.length; i++) {
    const isSelf = c.token_in[i] === c.token_out[i];
    l.token[row] = c.token_in[i]!;
    l.seq[row] = c.seq[i]!;
    l.symbol[row] = c.token_symbol_in[i]!;
    l.standing[row] = prints.standing_in[i]!;
    l.price[row] = prints.price_in[i]!;
    l.usd_amount[row++] = prints.usd[i]!;
    if (isSelf) continue;
    l.token[row] = c.token_out[i]!;
    l.seq[row] = c.seq[i]!;
    l.symbol[row] = c.token_symbol_out[i]!;
    l.standing[row] = prints.standing_out[i]!;
    l.price[row] = prints.price_out[i]!;
    l.usd_amount[row++] = prints.usd[i]!;
  }
  return row === legs.length ? legs : takeRows(legs, allRows(row));
}

/** The legs that do not stand as expected: a print as a vote in an own pool, any other leg as nothing. */
function unexpectedOf(swaps: Swaps, { price_in, price_out, standing_in, standing_out }: SwapPrints): Standings {
  const c = swaps.columns;
  const [token, seq, standing]: [number[], number[], number[]] = [[], [], []];
  const note = (row: number, of: number, price: number, found: number): void => {
    if (found === SELF || found === (Number.isNaN(price) ? 0 : VOTE)) return;
    token.push(of);
    seq.push(c.seq[row]!);
    standing.push(found);
  };
  for (let row = 0; row < swaps.length; row++) {
    note(row, c.token_in[row]!, price_in[row]!, standing_in[row]!);
    note(row, c.token_out[row]!, price_out[row]!, standing_out[row]!);
  }
  const columns = { token: Int32Array.from(token), seq: Float64Array.from(seq), standing: Int32Array.from(standing) };
  return { length: token.length, columns };
}

/** Legs in chain order, sorted by token and within it in chain order: engines store them so, and append them fastest so. */
export function legsByToken(legs: Legs): Legs {
  const { index, starts, rows } = groupRows(Float64Array.from(legs.columns.token));
  const order = new Int32Array(legs.length);
  let at = 0;
  for (const token of index.keys().sort()) {
    const place = index.find(token);
    const own = rows.subarray(starts[place]!, starts[place + 1]!);
    order.set(own, at);
    at += own.length;
  }
  return takeRows(legs, order);
}

function poolSwapsOf(
  { columns: c, length }: Swaps,
  { roles, textOf }: { readonly roles: Roles; readonly textOf: (id: number) => string },
): PoolSwaps {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (c.pool[row] !== NO_ID) rows.push(row);
  const { columns: found, length: count } = newBatch(poolSwapsTable, rows.length);
  for (const [i, row] of rows.entries()) {
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    const isSelf = given === received;
    const isGivenFirst = isSelf || standsBefore(given, received);
    found.pool[i] = c.pool[row]!;
    found.seq[i] = c.seq[row]!;
    found.token[i] = isGivenFirst ? given : received;
    found.other[i] = isSelf ? NO_ID : isGivenFirst ? received : given;
  }
  return { length: count, columns: found };

  /** Whether a pool stands for `a` and not for `b`. */
  function standsBefore(a: number, b: number): boolean {
    const isQuote = roles.rankOf(a) >= 0;
    return isQuote === roles.rankOf(b) >= 0 ? compareText(textOf(a), textOf(b)) < 0 : !isQuote;
  }
}

/** Swaps without a value, and those whose feed was not believed. */
export interface ValueCount {
  unvalued: number;
  contradicted: number;
}

/** Counts of swaps by quote token that they exchange, and of all by `NO_ID`: what `valueCountsTable` has. */
export class ValueCounts {
  readonly #counts = new Map<number, ValueCount>();
  readonly #roles: Roles;

  constructor(roles: Roles) {
    this.#roles = roles;
  }

  /** Counts valued swaps; `sign` -1 takes them back. */
  add({ columns: c, length }: Swaps, sign: 1 | -1 = 1): void {
    for (let row = 0; row < length; row++) {
      const valuedBy = c.valued_by[row]!;
      if ((valuedBy !== NO_ID && !isContradicted(valuedBy)) || c.token_in[row] === c.token_out[row]) continue;
      const field = valuedBy === NO_ID ? 'unvalued' : 'contradicted';
      for (const token of [NO_ID, c.token_in[row]!, c.token_out[row]!])
        if (token === NO_ID || this.#roles.rankOf(token) >= 0) this.#of(token)[field] += sign;
    }
  }

  async addTo(writer: Writer): Promise<void> {
    const changed = this.#changed();
    if (changed.length === 0) return;
    const tokens = Int32Array.from(changed, ([token]) => token);
    const { columns: c, length } = await writer.read({
      table: valueCountsTable,
      columns: columnsOf(valueCountsTable),
      where: isIn('token', tokens),
    });
    for (let row = 0; row < length; row++) {
      const count = this.#of(c.token[row]!);
      count.unvalued += c.unvalued[row]!;
      count.contradicted += c.contradicted[row]!;
    }
    if (length > 0) await writer.remove(valueCountsTable, isIn('token', tokens));
    await this.appendTo(writer);
  }

  /** Writes them; none are stored yet. */
  async appendTo(writer: Pick<Writer, 'append'>): Promise<void> {
    const rows = this.#changed().sort(([a], [b]) => a - b);
    if (rows.length === 0) return;
    await writer.append(valueCountsTable, {
      length: rows.length,
      columns: {
        token: Int32Array.from(rows, ([token]) => token),
        unvalued: Float64Array.from(rows, ([, { unvalued }]) => unvalued),
        contradicted: Float64Array.from(rows, ([, { contradicted }]) => contradicted),
      },
    });
  }

  #changed(): [number, ValueCount][] {
    return [...this.#counts].filter(([, { unvalued, contradicted }]) => unvalued !== 0 || contradicted !== 0);
  }

  #of(token: number): ValueCount {
    let count = this.#counts.get(token);
    if (count === undefined) {
      count = { unvalued: 0, contradicted: 0 };
      this.#counts.set(token, count);
    }
    return count;
  }
}
