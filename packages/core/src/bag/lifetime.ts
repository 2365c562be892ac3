import type { EntityTrades } from './entity.ts';
import { unmatchedOf } from './partial-sums.ts';

/** What the trades of a wallet add up to, one after the other in chain order, from its first one on. */
export interface Lifetime {
  /** Block times of the first and the newest trade; `NaN` before there is one. */
  first: number;
  last: number;
  /** UTC days with a trade. */
  days: number;
  trades: number;
  /** USD, of the trades of known value, and of the sells among them. */
  volume: number;
  sold: number;
  /** Of `sold`, what has no known cost. */
  unmatched: number;
  /** USD, of all realised and small sells: their results, and what they cost. */
  pnl: number;
  cost: number;
  /** Native tokens, of all sells that have a result in them. */
  pnlNative: number;
  wins: number;
  losses: number;
}

type Names = readonly (keyof Lifetime)[];

const nothing: Lifetime = {
  first: Number.NaN,
  last: Number.NaN,
  days: 0,
  trades: 0,
  volume: 0,
  sold: 0,
  unmatched: 0,
  pnl: 0,
  cost: 0,
  pnlNative: 0,
  wins: 0,
  losses: 0,
};

const names = Object.keys(nothing) as Names;

/** Of a wallet before its first trade. */
export const newLifetime = (): Lifetime => ({ ...nothing });

/** Of a wallet of which a store has forgotten trades without a record of them: all that is known is what it has realised, USD. */
export function unknownLifetime(pnl: number): Lifetime {
  const unknown = Object.fromEntries(names.map((name) => [name, Number.NaN])) as unknown as Lifetime;
  return { ...unknown, pnl };
}

const DAY = 86_400;

/** Adds rows `from` to `to` of a wallet's trades, oldest first, which come after those that are in it. */
export function addToLifetime(life: Lifetime, trades: EntityTrades, from: number, to: number): void {
  for (let row = from; row < to; row++) {
    const time = trades.time[row]!;
    if (life.trades === 0) life.first = time;
    if (life.trades === 0 || Math.floor(time / DAY) > Math.floor(life.last / DAY)) life.days++;
    life.last = time;
    life.trades++;
    const usd = trades.usd[row]!;
    if (!Number.isNaN(usd)) {
      life.volume += usd;
      if (trades.isBuy[row] === 0) {
        life.sold += usd;
        life.unmatched += unmatchedOf(usd, trades.proceeds[row]!);
      }
    }
    const pnlNative = trades.pnlNative[row]!;
    if (!Number.isNaN(pnlNative)) life.pnlNative += pnlNative;
    const pnl = trades.pnl[row]!;
    if (Number.isNaN(pnl)) continue;
    life.pnl += pnl;
    life.cost += trades.cost[row]!;
    // A small sell counts in sums alone.
    if (Number.isNaN(trades.holding[row]!)) continue;
    if (pnl > 0) life.wins++;
    else if (pnl < 0) life.losses++;
  }
}

/** As a column stores it: `null` before the first trade. */
export function storedLifetime(life: Lifetime): string | null {
  return life.trades === 0 ? null : JSON.stringify(names.map((name) => life[name]));
}

export function parseLifetime(stored: string | null): Lifetime {
  if (stored === null) return newLifetime();
  const values = JSON.parse(stored) as (number | null)[];
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? Number.NaN])) as unknown as Lifetime;
}
