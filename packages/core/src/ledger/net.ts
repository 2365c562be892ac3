import { compareText } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { Roles } from './roles.ts';
import { BUY, SELL, swapTypeOf, type Trades, TradesBuilder } from './trade.ts';
import type { NativePrints, Swaps } from './value.ts';

/** Net flow within which a token that was both given and received is a routing hop. */
const HOP_TOLERANCE = 0.005;

/** What one wallet did with one token in one transaction. */
interface Flow {
  token: number;
  rank: number;
  given: number;
  received: number;
  knownUsd: number;
  knownAmount: number;
  isKnown: boolean;
  first: number;
  last: number;
  symbol: number;
  net: number;
  usd: number;
}

export interface NetOptions {
  readonly roles: Roles;
  readonly textOf: (id: number) => string;
  /** Prints of the native token among these swaps, and its price before them. */
  readonly nativePrints: NativePrints;
  readonly nativePrice: number;
}

/**
 * Nets the swaps of each (transaction, wallet) into trades (docs/metrics.md, "Trades"). Swaps come in chain order, transactions whole.
 * The facts of positions stay unset: `foldPositions` writes them.
 */
export function netTrades(swaps: Swaps, options: NetOptions): Trades {
  const builder = new TradesBuilder();
  const native = nativePriceAfter(options);
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
      netGroup(swaps, rows, options, native, builder);
    } else {
      const groups = new Map<number, number[]>();
      for (let i = start; i < end; i++) {
        const group = groups.get(wallet[i]!);
        if (group === undefined) groups.set(wallet[i]!, [i]);
        else group.push(i);
      }
      for (const rows of groups.values()) netGroup(swaps, rows, options, native, builder);
    }
    start = end;
  }
  return builder.build();
}

function netGroup(
  swaps: Swaps,
  rows: readonly number[],
  options: NetOptions,
  native: (seq: number) => number,
  builder: TradesBuilder,
): void {
  const all = flowsOf(swaps, rows, options.roles);
  const flows = all.filter(isRemaining);
  const tokens = flows.filter((flow) => flow.rank < 0);
  if (tokens.length === 0) {
    const last = flows.reduce<Flow | undefined>(
      (best, flow) => (best === undefined || flow.rank > best.rank ? flow : best),
      undefined,
    );
    if (last === undefined) return;
    tokens.push(last);
  }
  const lastSeq = swaps.columns.seq[all.reduce((row, flow) => Math.max(row, flow.last), 0)]!;
  for (const side of [1, -1]) {
    const traded = tokens.filter((flow) => Math.sign(flow.net) === side);
    const opposite = flows.filter((flow) => Math.sign(flow.net) === -side);
    if (traded.length === 0 || opposite.length === 0) continue;
    const quote = opposite.reduce((best, flow) => (isBetterQuote(flow, best, options.textOf) ? flow : best));
    const oppositeIsQuote = opposite.every((flow) => flow.rank >= 0);
    const oppositeUsd = opposite.reduce((sum, flow) => sum + flow.usd, 0);
    const tradedUsd = traded.reduce((sum, flow) => sum + flow.usd, 0);
    for (const flow of traded) {
      const share = traded.length === 1 ? 1 : tradedUsd > 0 ? flow.usd / tradedUsd : 1 / traded.length;
      const usd = oppositeIsQuote ? oppositeUsd * share : flow.usd;
      const isBuy = side > 0;
      const quoteAmount = Math.abs(quote.net) * share;
      const { columns: t, row } = builder.add();
      t.seq[row] = swaps.columns.seq[flow.first]! + placeInSwap(flow, tokens, options.textOf);
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
      t.native_amount[row] = options.roles.isNative(quote.token) ? quoteAmount : finiteOrNaN(usd / native(lastSeq));
      t.quote_price[row] = finiteOrNaN(quote.usd / Math.abs(quote.net));
      t.pre_token_balance[row] = balanceAt(swaps, flow.first, flow.token, 'pre');
      t.post_token_balance[row] = balanceAt(swaps, flow.last, flow.token, 'post');
    }
  }
}

function flowsOf(swaps: Swaps, rows: readonly number[], roles: Roles): Flow[] {
  const c = swaps.columns;
  const flows: Flow[] = [];
  const touch = (row: number, token: number, isIn: boolean): void => {
    const amount = isIn ? c.token_amount_in[row]! : c.token_amount_out[row]!;
    const usd = isIn ? c.usd_amount_in[row]! : c.usd_amount_out[row]!;
    const symbol = isIn ? c.token_symbol_in[row]! : c.token_symbol_out[row]!;
    let flow = flows.find((known) => known.token === token);
    if (flow === undefined) {
      flow = {
        token,
        rank: roles.rankOf(token),
        given: 0,
        received: 0,
        knownUsd: 0,
        knownAmount: 0,
        isKnown: false,
        first: row,
        last: row,
        symbol,
        net: 0,
        usd: Number.NaN,
      };
      flows.push(flow);
    }
    if (isIn) flow.given += amount;
    else flow.received += amount;
    if (!Number.isNaN(usd)) {
      flow.isKnown = true;
      flow.knownUsd += usd;
      flow.knownAmount += amount;
    }
    if (flow.symbol === NO_ID) flow.symbol = symbol;
    flow.last = row;
  };
  for (const row of rows) {
    if (c.token_in[row] === c.token_out[row]) continue;
    touch(row, c.token_in[row]!, true);
    touch(row, c.token_out[row]!, false);
  }
  for (const flow of flows) {
    flow.net = flow.received - flow.given;
    if (flow.isKnown) flow.usd = finiteOrNaN(Math.abs(flow.net) * (flow.knownUsd / flow.knownAmount));
  }
  return flows;
}

function isRemaining(flow: Flow): boolean {
  if (flow.net === 0) return false;
  const isBoth = flow.given > 0 && flow.received > 0;
  return !(isBoth && Math.abs(flow.net) <= HOP_TOLERANCE * (flow.given + flow.received));
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
  const other = tokens.find((token) => token !== flow && token.first === flow.first);
  return other !== undefined && compareText(textOf(flow.token), textOf(other.token)) > 0 ? 1 : 0;
}

function balanceAt(swaps: Swaps, row: number, token: number, when: 'pre' | 'post'): number {
  const c = swaps.columns;
  const isIn = c.token_in[row] === token;
  if (when === 'pre') return isIn ? c.pre_token_balance_in[row]! : c.pre_token_balance_out[row]!;
  return isIn ? c.post_token_balance_in[row]! : c.post_token_balance_out[row]!;
}

/** The native price after the swap at a seq. */
function nativePriceAfter(options: NetOptions): (seq: number) => number {
  const { seq: prints, price } = options.nativePrints;
  return (seq) => {
    let low = 0;
    let high = prints.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (prints[middle]! <= seq) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? options.nativePrice : price[low - 1]!;
  };
}

function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
