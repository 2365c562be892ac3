import { compareText, timeOf } from '../records/chain-order.ts';
import { firstAfter, NO_ID } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import { SEVERAL_POOLS } from '../records/tables.ts';
import { type BareFees, BareFeesBuilder, type FeePrice, greatestFee, pricedFee } from './fees.ts';
import { type Flow, flowsOf, isRemaining } from './flows.ts';
import type { NativeAfter } from './native-votes.ts';
import { otherSides } from './orders.ts';
import type { Roles } from './roles.ts';
import type { Face } from './trace.ts';
import { BUY, SELL, swapTypeOf, type TradePools, type Trades, TradesBuilder, tradePoolRows } from './trade.ts';
import { finiteOrNaN, type ReferencePrices, type Swaps } from './value.ts';

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
  readonly references: ReferencePrices;
}

interface NettedTrades {
  readonly trades: Trades;
  readonly tradePools: TradePools;
  readonly bareFees: BareFees;
}

/**
 * Nets the swaps of each (transaction, wallet) into trades (docs/reference/metrics.md, "Trades"). Swaps come in chain order, transactions whole.
 * The facts of positions stay unset: `ingest/positions.ts` writes them.
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
  return {
    trades: netting.trades.build(),
    tradePools: tradePoolRows(netting.severalPools),
    bareFees: netting.bareFees.build(),
  };
}

class Netting {
  readonly trades = new TradesBuilder();
  /** What wallets paid for transactions in which they have no trade. */
  readonly bareFees = new BareFeesBuilder();
  /** The pools of the trades that went through several, by `seq`. */
  readonly severalPools = new Map<number, readonly number[]>();
  /** The pools of the trades of a group; `undefined` if its swaps have no pool, or are one. */
  #poolsOf: ((token: number) => readonly number[]) | undefined;
  readonly #swaps: Swaps;
  readonly #options: NetOptions;
  readonly #nativeAfter: (seq: number) => number;
  readonly #feePriceAfter: (seq: number) => FeePrice | undefined;

  constructor(swaps: Swaps, options: NetOptions) {
    this.#swaps = swaps;
    this.#options = options;
    this.#nativeAfter = nativePriceAfter(swaps, options.native);
    this.#feePriceAfter = feePriceAfter(swaps, options);
  }

  group(rows: readonly number[]): void {
    const first = this.trades.length;
    if (rows.length === 1) this.#tradeLone(rows);
    else this.#trade(rows);
    const c = this.#swaps.columns;
    const fee = greatestFee(c.fee_native, rows);
    if (!Number.isNaN(fee)) this.#bookFee(fee, rows, first);
  }

  /** Gives the trades from `first` on, those of a wallet in a transaction, equal parts of what it paid the chain; notes it if there are none. */
  #bookFee(fee: number, rows: readonly number[], first: number): void {
    const { length, columns: t } = this.trades;
    const { seq, tx, wallet } = this.#swaps.columns;
    const price = this.#feePriceAfter(seq[rows[rows.length - 1]!]!);
    const part = fee / Math.max(1, length - first);
    const usd = pricedFee(part, price);
    if (length === first) {
      const row = rows[0]!;
      this.bareFees.add({ seq: seq[row]!, tx: tx[row]!, wallet: wallet[row]!, fee_native: fee, fee_usd: usd });
    }
    for (let row = first; row < length; row++) [t.fee_native[row], t.fee_usd[row]] = [part, usd];
  }

  /** As `#trade`, of a wallet's only swap in a transaction, as most are: each token faces the other. */
  #tradeLone(rows: readonly number[]): void {
    const { roles, textOf } = this.#options;
    const flows = flowsOf(this.#swaps, rows, roles);
    const [paid, received] = flows;
    if (paid === undefined || received === undefined || !flows.every(isRemaining)) return;
    const tokens = flows.filter(({ rank }) => rank < 0);
    const traded = tokens.length > 0 ? tokens : [paid.rank > received.rank ? paid : received];
    const lastSeq = this.#swaps.columns.seq[rows[0]!]!;
    for (const flow of traded) {
      const side = [flow === paid ? received : paid];
      this.#write(flow, side, {
        lastSeq,
        native: this.#nativeOf(flow, side),
        place: placeInSwap(flow, traded, textOf),
      });
    }
  }

  #trade(rows: readonly number[]): void {
    const { roles } = this.#options;
    const all = flowsOf(this.#swaps, rows, roles);
    const left = all.filter(isRemaining);
    const traded = left.filter((flow) => flow.rank < 0);
    if (traded.length === 0) {
      const last = lastQuote(left);
      if (last === undefined) return;
      traded.push(last);
    }
    const netted = { all, left, traded };
    const sides = otherSides(this.#swaps, rows, netted, roles);
    if (sides.size === 0) return;
    const native = all.find((flow) => roles.isNative(flow.token));
    const isNativeHop = native !== undefined && !left.includes(native);
    // As if the native token were not passed over.
    const natives = isNativeHop ? otherSides(this.#swaps, rows, { ...netted, left: [...left, native] }, roles) : sides;
    const c = this.#swaps.columns;
    if (rows.some((row) => c.pool[row] !== NO_ID)) {
      const hops = new Set(all.filter((flow) => !left.includes(flow)).map(({ token }) => token));
      this.#poolsOf = poolsOfRoutes(this.#swaps, rows, hops);
    }
    const lastSeq = c.seq[all.reduce((row, flow) => Math.max(row, flow.last), 0)]!;
    for (const flow of traded) {
      const side = sides.get(flow.token);
      if (side === undefined) continue;
      const native = this.#nativeOf(flow, natives.get(flow.token) ?? []);
      this.#write(flow, side, { lastSeq, native, place: placeInSwap(flow, traded, this.#options.textOf) });
    }
    this.#poolsOf = undefined;
  }

  /** The native tokens of a trade: its own, or those that alone are on its other side; else `NaN`. */
  #nativeOf(flow: Flow, side: readonly Face[]): number {
    const { roles } = this.#options;
    if (roles.isNative(flow.token)) return Math.abs(flow.net);
    return side.length === 1 && roles.isNative(side[0]!.token) ? Math.abs(side[0]!.net) : Number.NaN;
  }

  /** Writes the trade of a token against its other side. */
  #write(flow: Flow, side: readonly Face[], o: WrittenTrade): void {
    const swaps = this.#swaps;
    let quote = side[0]!;
    let isForQuotes = true;
    let sideUsd = 0;
    for (const face of side) {
      if (face !== quote && isBetterQuote(face, quote, this.#options.textOf)) quote = face;
      if (face.rank < 0) isForQuotes = false;
      sideUsd += face.usd;
    }
    const usd = finiteOrNaN(isForQuotes ? sideUsd : flow.usd);
    const quoteAmount = Math.abs(quote.net);
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
    t.usd_amount[row] = usd;
    t.native_amount[row] = Number.isNaN(o.native) ? finiteOrNaN(usd / this.#nativeAfter(o.lastSeq)) : o.native;
    t.fee_native[row] = t.fee_usd[row] = Number.NaN;
    t.quote_price[row] = finiteOrNaN(quote.usd / quoteAmount);
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
  readonly lastSeq: number;
  /** Native tokens of the trade, `NaN` where its value in USD tells them. */
  readonly native: number;
  readonly place: number;
}

/** Of quote tokens, the last in the configured list: the token, where nothing else was traded. */
function lastQuote(flows: readonly Flow[]): Flow | undefined {
  let best: Flow | undefined;
  for (const flow of flows) if (best === undefined || flow.rank > best.rank) best = flow;
  return best;
}

/** A quote token before any other, then the larger USD value (unknown counts as 0), then the greater address. */
function isBetterQuote(a: Face, b: Face, textOf: (id: number) => string): boolean {
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

/** What prices fees after a swap: the native price that holds then, else the newest one before, of any age. */
function feePriceAfter(
  { columns: { seq: seqs }, length }: Swaps,
  { native, references, roles }: NetOptions,
): (seq: number) => FeePrice | undefined {
  return (seq) => {
    const row = firstAfter(seqs, length, seq) - 1;
    const held = native.price[row]!;
    if (!Number.isNaN(held)) return { price: held, isStale: false };
    const reference = references.newest(roles.native, timeOf(seq));
    const isReferenced = reference !== undefined && !(native.lastTime[row]! > reference.time);
    const price = isReferenced ? reference.price : native.lastPrice[row]!;
    return Number.isNaN(price) ? undefined : { price, isStale: true };
  };
}
