import { compareText } from '../records/chain-order.ts';
import { firstAfter, NO_ID } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import { SEVERAL_POOLS } from '../records/tables.ts';
import type { NativeAfter } from './native-votes.ts';
import type { Roles } from './roles.ts';
import { BUY, SELL, swapTypeOf, type TradePools, type Trades, TradesBuilder, tradePoolRows } from './trade.ts';
import { finiteOrNaN, type Swaps } from './value.ts';

/**
 * The pools that the trades of one wallet in one transaction went through: those of the swaps that touch the traded token, and of the
 * swaps that routing hops join to them. A swap that only shares a quote token with them belongs to another trade.
 *
 * - `rows`: the swaps, in chain order.
 * - Shape: for a traded token its pools, each once, in the order of their first swaps; swaps without a pool have none.
 */
function poolsOfRoutes(
  { columns: c }: Swaps,
  rows: readonly number[],
  hops: ReadonlySet<number>,
): (token: number) => readonly number[] {
  const rowsOf = new Map<number, number[]>();
  for (const row of rows) {
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    if (given === received) continue;
    for (const token of [given, received]) addTo(rowsOf, token, row);
  }
  return (token) => {
    const route = new Set<number>();
    const reached = new Set([token]);
    // The loop goes on with the hops that it adds.
    for (const stop of reached) {
      for (const row of rowsOf.get(stop)!) {
        route.add(row);
        for (const next of [c.token_in[row]!, c.token_out[row]!]) if (hops.has(next)) reached.add(next);
      }
    }
    const pools = Array.from(route)
      .sort((a, b) => a - b)
      .map((row) => c.pool[row]!);
    return Array.from(new Set(pools)).filter((pool) => pool !== NO_ID);
  };
}

interface NetOptions {
  readonly roles: Roles;
  readonly textOf: (id: number) => string;
  /** Native prices after these swaps. */
  readonly native: NativeAfter;
}

interface NettedTrades {
  readonly trades: Trades;
  readonly tradePools: TradePools;
}

/**
 * Nets the swaps of each (transaction, wallet) into trades (docs/reference/metrics.md, "Trades"). Swaps come in chain order, transactions whole.
 * The facts of positions stay unset: `foldPositions` writes them.
 */
export function netTrades(swaps: Swaps, options: NetOptions): NettedTrades {
  const netting = new Netting(swaps, options);
  const { tx, wallet } = swaps.columns;
  let start = 0;
  while (start < swaps.length) {
    let end = start + 1;
    let isOneWallet = true;
    while (end < swaps.length && tx[end] === tx[start]) {
      if (wallet[end] !== wallet[start]) isOneWallet = false;
      end++;
    }
    if (isOneWallet) {
      const rows = [];
      for (let i = start; i < end; i++) rows.push(i);
      netting.group(rows);
    } else {
      const groups = new Map<number, number[]>();
      for (let i = start; i < end; i++) addTo(groups, wallet[i]!, i);
      for (const rows of groups.values()) netting.group(rows);
    }
    start = end;
  }
  return { trades: netting.trades.build(), tradePools: tradePoolRows(netting.severalPools) };
}

class Netting {
  readonly trades = new TradesBuilder();
  /** The pools of the trades that went through several, by `seq`. */
  readonly severalPools = new Map<number, readonly number[]>();
  /** The pools of the trades of a group; `undefined` if its swaps have no pool, or are one. */
  #poolsOf: ((token: number) => readonly number[]) | undefined;
  readonly #swaps: Swaps;
  readonly #options: NetOptions;
  readonly #nativeAfter: (seq: number) => number;

  constructor(swaps: Swaps, options: NetOptions) {
    this.#swaps = swaps;
    this.#options = options;
    this.#nativeAfter = nativePriceAfter(swaps, options.native);
  }

  group(rows: readonly number[]): void {
    const all = flowsOf(this.#swaps, rows, this.#options.roles);
    const flows = all.filter(isRemaining);
    const tokens = flows.filter((flow) => flow.rank < 0);
    if (tokens.length === 0) {
      const last = lastQuote(flows);
      if (last === undefined) return;
      tokens.push(last);
    }
    const c = this.#swaps.columns;
    const lastSeq = c.seq[all.reduce((row, flow) => Math.max(row, flow.last), 0)]!;
    if (rows.some((row) => c.pool[row] !== NO_ID)) {
      const hops = new Set(all.filter((flow) => !flows.includes(flow)).map(({ token }) => token));
      this.#poolsOf = poolsOfRoutes(this.#swaps, rows, hops);
    }
    const first = this.trades.length;
    for (const side of [1, -1]) {
      const traded = tokens.filter((flow) => Math.sign(flow.net) === side);
      const opposite = flows.filter((flow) => Math.sign(flow.net) === -side);
      if (traded.length > 0 && opposite.length > 0) this.#side(traded, opposite, tokens, lastSeq);
    }
    this.#poolsOf = undefined;
    this.#shareFee(greatestFee(c.fee_native, rows), first, lastSeq);
  }

  /** Gives the trades from `first` on, those of a wallet in a transaction, equal parts of what it paid the chain. */
  #shareFee(fee: number, first: number, lastSeq: number): void {
    if (Number.isNaN(fee)) return;
    const { length, columns: t } = this.trades;
    for (let row = first; row < length; row++) {
      t.fee_native[row] = fee / (length - first);
      t.fee_usd[row] = finiteOrNaN(t.fee_native[row]! * this.#nativeAfter(lastSeq));
    }
  }

  /** Writes the trades of the tokens that were bought together, or sold together, against what went the other way. */
  #side(traded: readonly Flow[], opposite: readonly Flow[], tokens: readonly Flow[], lastSeq: number): void {
    const { textOf } = this.#options;
    let quote = opposite[0]!;
    let oppositeIsQuote = true;
    const isForNative = opposite.length === 1 && this.#options.roles.isNative(quote.token);
    let oppositeUsd = 0;
    for (const flow of opposite) {
      if (flow !== quote && isBetterQuote(flow, quote, textOf)) quote = flow;
      if (flow.rank < 0) oppositeIsQuote = false;
      oppositeUsd += flow.usd;
    }
    let tradedUsd = 0;
    for (const flow of traded) tradedUsd += flow.usd;
    for (const flow of traded) {
      const share = traded.length === 1 ? 1 : tradedUsd > 0 ? flow.usd / tradedUsd : 1 / traded.length;
      const usd = oppositeIsQuote ? oppositeUsd * share : flow.usd;
      this.#write(flow, quote, { share, usd, lastSeq, isForNative, place: placeInSwap(flow, tokens, textOf) });
    }
  }

  #write(flow: Flow, quote: Flow, o: WrittenTrade): void {
    const swaps = this.#swaps;
    const { share, usd } = o;
    const quoteAmount = Math.abs(quote.net) * share;
    const isBuy = flow.net > 0;
    const { columns: t, row } = this.trades.add();
    t.seq[row] = swaps.columns.seq[flow.first]! + o.place;
    t.tx[row] = swaps.columns.tx[flow.first]!;
    t.trade_index[row] = swaps.columns.swap_index[flow.first]!;
    t.wallet[row] = swaps.columns.wallet[flow.first]!;
    t.token[row] = flow.token;
    t.quote[row] = quote.token;
    t.protocol[row] = swaps.columns.protocol[flow.first]!;
    t.swap_type[row] = isBuy
      ? swapTypeOf(quote.rank >= 0, flow.rank >= 0)
      : swapTypeOf(flow.rank >= 0, quote.rank >= 0);
    t.direction[row] = isBuy ? BUY : SELL;
    t.token_symbol[row] = flow.symbol;
    t.quote_symbol[row] = quote.symbol;
    t.token_amount[row] = Math.abs(flow.net);
    t.quote_amount[row] = quoteAmount;
    t.usd_amount[row] = finiteOrNaN(usd);
    t.native_amount[row] = o.isForNative ? quoteAmount : finiteOrNaN(usd / this.#nativeAfter(o.lastSeq));
    t.fee_native[row] = t.fee_usd[row] = Number.NaN;
    t.quote_price[row] = finiteOrNaN(quote.usd / Math.abs(quote.net));
    t.pre_token_balance[row] = balanceAt(swaps, flow.first, flow.token, 'pre');
    t.post_token_balance[row] = balanceAt(swaps, flow.last, flow.token, 'post');
    t.pool[row] = this.#poolOf(flow, t.seq[row]!);
  }

  #poolOf({ token, first }: Flow, seq: number): number {
    if (this.#poolsOf === undefined) return this.#swaps.columns.pool[first]!;
    const pools = this.#poolsOf(token);
    if (pools.length <= 1) return pools[0] ?? NO_ID;
    this.severalPools.set(seq, pools);
    return SEVERAL_POOLS;
  }
}

interface WrittenTrade {
  readonly share: number;
  readonly usd: number;
  readonly lastSeq: number;
  /** Whether all that went the other way is the native token. */
  readonly isForNative: boolean;
  readonly place: number;
}

/** Of what the swaps say that their wallet paid the chain for the transaction: the greatest; `NaN` if none does. */
function greatestFee(fees: Float64Array, rows: readonly number[]): number {
  let greatest = Number.NaN;
  for (const row of rows) if (!(fees[row]! <= greatest) && !Number.isNaN(fees[row]!)) greatest = fees[row]!;
  return greatest;
}

/** Of quote tokens, the last in the configured list: the token, where nothing else was traded. */
function lastQuote(flows: readonly Flow[]): Flow | undefined {
  let best: Flow | undefined;
  for (const flow of flows) if (best === undefined || flow.rank > best.rank) best = flow;
  return best;
}

/** A quote token before any other, then the larger USD value (unknown counts as 0), then the greater address. */
function isBetterQuote(a: Flow, b: Flow, textOf: (id: number) => string): boolean {
  if (a.rank >= 0 !== b.rank >= 0) return a.rank >= 0;
  const usdA = Number.isNaN(a.usd) ? 0 : a.usd;
  const usdB = Number.isNaN(b.usd) ? 0 : b.usd;
  if (usdA !== usdB) return usdA > usdB;
  return compareText(textOf(a.token), textOf(b.token)) > 0;
}

/** 1 for the greater address of two traded tokens that share their first swap, else 0. */
function placeInSwap(flow: Flow, tokens: readonly Flow[], textOf: (id: number) => string): number {
  for (const other of tokens) {
    if (other === flow || other.first !== flow.first) continue;
    return compareText(textOf(flow.token), textOf(other.token)) > 0 ? 1 : 0;
  }
  return 0;
}

function balanceAt(swaps: Swaps, row: number, token: number, when: 'pre' | 'post'): number {
  const c = swaps.columns;
  const isIn = c.token_in[row] === token;
  if (when === 'pre') return isIn ? c.pre_token_balance_in[row]! : c.pre_token_balance_out[row]!;
  return isIn ? c.post_token_balance_in[row]! : c.post_token_balance_out[row]!;
}

function nativePriceAfter({ columns: { seq: seqs }, length }: Swaps, { price }: NativeAfter): (seq: number) => number {
  return (seq) => price[firstAfter(seqs, length, seq) - 1]!;
}

/** Net flow within which a token that was both given and received is a routing hop. */
const HOP_TOLERANCE = 0.005;

interface Flow {
  readonly token: number;
  readonly rank: number;
  given: number;
  received: number;
  knownUsd: number;
  knownAmount: number;
  isKnown: boolean;
  readonly first: number;
  last: number;
  symbol: number;
  net: number;
  usd: number;
}

/** The flows of the swaps of one wallet in one transaction, in the order in which the tokens are touched. */
function flowsOf(swaps: Swaps, rows: readonly number[], roles: Roles): Flow[] {
  const c = swaps.columns;
  const flows = new Map<number, Flow>();
  const flowOf = (token: number, row: number): Flow => {
    let flow = flows.get(token);
    if (flow === undefined) {
      flow = newFlow(row, token, roles.rankOf(token));
      flows.set(token, flow);
    }
    return flow;
  };
  for (const row of rows) {
    if (c.token_in[row] === c.token_out[row]) continue;
    addToFlow(flowOf(c.token_in[row]!, row), swaps, row, true);
    addToFlow(flowOf(c.token_out[row]!, row), swaps, row, false);
  }
  for (const flow of flows.values()) endFlow(flow);
  return [...flows.values()];
}

/** The flow of a token that the swap at `row` touches first. */
function newFlow(row: number, token: number, rank: number): Flow {
  return {
    token,
    rank,
    given: 0,
    received: 0,
    knownUsd: 0,
    knownAmount: 0,
    isKnown: false,
    first: row,
    last: row,
    symbol: NO_ID,
    net: 0,
    usd: Number.NaN,
  };
}

/** Adds a side of a swap: `isIn` is the one given. */
function addToFlow(flow: Flow, swaps: Swaps, row: number, isIn: boolean): void {
  const c = swaps.columns;
  const amount = isIn ? c.token_amount_in[row]! : c.token_amount_out[row]!;
  const usd = isIn ? c.usd_amount_in[row]! : c.usd_amount_out[row]!;
  if (isIn) flow.given += amount;
  else flow.received += amount;
  if (!Number.isNaN(usd)) {
    flow.isKnown = true;
    flow.knownUsd += usd;
    flow.knownAmount += amount;
  }
  if (flow.symbol === NO_ID) flow.symbol = isIn ? c.token_symbol_in[row]! : c.token_symbol_out[row]!;
  flow.last = row;
}

function endFlow(flow: Flow): void {
  flow.net = flow.received - flow.given;
  flow.usd = flow.isKnown ? finiteOrNaN(Math.abs(flow.net) * (flow.knownUsd / flow.knownAmount)) : Number.NaN;
}

/** False for a token that came and went again. */
function isRemaining(flow: Flow): boolean {
  if (flow.net === 0) return false;
  const isBoth = flow.given > 0 && flow.received > 0;
  return !(isBoth && Math.abs(flow.net) <= HOP_TOLERANCE * (flow.given + flow.received));
}
