import type { SwapInput } from '@swapfold/core';
import { Random } from '../../packages/testing/src/market/random.ts';
import type { TransferRow } from './transfer-rows.ts';

/** A wallet's life as exports tell it: swaps and transfers without balances, none of both in one transaction, each in a second of its own. */
export function walletExport(
  seed: number,
  size: { swaps: number; transfers: number },
): { swaps: SwapInput[]; transfers: TransferRow[] } {
  const random = new Random(seed, 3);
  const swaps: SwapInput[] = [];
  const transfers: TransferRow[] = [];
  const held = new Map<string, number>();
  const isSwap = Array.from({ length: size.swaps + size.transfers }, (_, i) => i < size.swaps);
  for (let i = isSwap.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [isSwap[i], isSwap[j]] = [isSwap[j]!, isSwap[i]!];
  }
  for (const [i, swapped] of isSwap.entries()) {
    const token = `T${random.below(40)}`;
    const place = { tx_hash: `tx${(i * 7919) % 100_003}`, block_time: 1_700_000_000 + i * 1800 };
    const own = held.get(token) ?? 0;
    const leaves = own > 0 && random.chance(swapped ? 0.45 : 0.6);
    const part = random.chance(0.35) ? own : own * random.between(0.05, 0.9);
    const amount = Math.round((leaves ? part : random.decades(-1, 4)) * 1e6) / 1e6 || 0.000001;
    held.set(token, Math.max(0, own + (leaves ? -amount : amount)));
    if (!swapped) {
      const sides = leaves ? { from: 'Ann', to: 'Exchange' } : { from: 'Exchange', to: 'Ann' };
      transfers.push({ ...place, transfer_index: 0, token, token_amount: amount, ...sides });
      continue;
    }
    const usd = Math.round(amount * random.between(0.2, 3) * 100) / 100 + 0.5;
    const [given, received] = leaves
      ? [
          { token, amount },
          { token: 'USDC', amount: usd },
        ]
      : [
          { token: 'USDC', amount: usd },
          { token, amount },
        ];
    swaps.push({
      ...place,
      swap_index: 0,
      wallet: 'Ann',
      token_in: given.token,
      token_amount_in: given.amount,
      token_out: received.token,
      token_amount_out: received.amount,
    });
  }
  return { swaps, transfers };
}

/** What one token comes to, USD. */
export interface Result {
  pnl: number;
  unmatched: number;
  cost_here: number;
  amount_here: number;
  cost_away: number;
}

/**
 * First in, first out over an export, by the amounts alone: each token is a row of lots from the oldest, of which the newest, as many as
 * the balance says, are here. Sells take the oldest of these, then what came without a cost, then what is away from its newest on.
 */
export function firstInFirstOut({
  swaps,
  transfers,
}: {
  swaps: readonly SwapInput[];
  transfers: readonly TransferRow[];
}): Map<string, Result> {
  const rows = [
    ...swaps.map((s) => {
      const isBuy = s.token_in === 'USDC';
      return {
        time: s.block_time,
        token: isBuy ? s.token_out : s.token_in,
        amount: isBuy ? s.token_amount_out : -s.token_amount_in,
        usd: isBuy ? s.token_amount_in : s.token_amount_out,
      };
    }),
    ...transfers.map((t) => ({
      time: t.block_time,
      token: t.token,
      amount: t.to === 'Ann' ? t.token_amount : -t.token_amount,
      usd: null,
    })),
  ].sort((a, b) => a.time - b.time);
  const books = new Map<string, { lots: { amount: number; cost: number }[]; balance: number; result: Result }>();
  for (const { token, amount, usd } of rows) {
    const book = books.get(token) ?? {
      lots: [],
      balance: 0,
      result: { pnl: 0, unmatched: 0, cost_here: 0, amount_here: 0, cost_away: 0 },
    };
    books.set(token, book);
    if (usd !== null && amount > 0) book.lots.push({ amount, cost: usd });
    if (usd !== null && amount < 0) {
      const { matched, cost } = taken(book.lots, book.balance, -amount);
      const proceeds = (usd * matched) / -amount;
      book.result.pnl += proceeds - cost;
      book.result.unmatched += usd - proceeds;
    }
    book.balance = Math.max(0, book.balance + amount);
  }
  for (const { lots, balance, result } of books.values()) {
    let room = balance;
    for (const lot of [...lots].reverse()) {
      const here = Math.min(lot.amount, room);
      room -= here;
      result.amount_here += here;
      result.cost_here += lot.amount > 0 ? (lot.cost * here) / lot.amount : 0;
      result.cost_away += lot.amount > 0 ? (lot.cost * (lot.amount - here)) / lot.amount : 0;
    }
  }
  return new Map([...books].map(([token, { result }]) => [token, result]));
}

/** Takes a sell's amount off the lots, as long as they have some; gives how much of it they had, and their cost. */
function taken(
  lots: { amount: number; cost: number }[],
  balance: number,
  amount: number,
): { matched: number; cost: number } {
  const all = lots.reduce((sum, lot) => sum + lot.amount, 0);
  const away = Math.max(0, all - balance);
  const arrived = Math.max(0, balance - all);
  let cost = 0;
  let matched = 0;
  const take = (lot: { amount: number; cost: number }, part: number): void => {
    const share = (lot.cost * part) / lot.amount;
    cost += share;
    matched += part;
    lot.amount -= part;
    lot.cost -= share;
  };
  let passed = 0;
  let left = amount;
  for (const lot of lots) {
    // The first `away` tokens of the lots are not here.
    const elsewhere = Math.min(lot.amount, Math.max(0, away - passed));
    passed += lot.amount;
    const part = Math.min(lot.amount - elsewhere, left);
    if (part > 0) take(lot, part);
    left -= Math.max(0, part);
  }
  left = Math.max(0, left - arrived);
  for (const lot of [...lots].reverse()) {
    const part = Math.min(lot.amount, left);
    if (part > 0) take(lot, part);
    left -= part;
  }
  return { matched, cost };
}
