import { type EntityPrints, type EntityTrades, firstAfter, openCostAt } from '../bag/entity.ts';
import { type WindowSpec, windowSpecs } from '../bag/windows.ts';
import type { ProfileKind } from '../profiles/fields.ts';

/** Stands for a profile that time alone does not change. */
export const FOREVER = 2 ** 52;

/**
 * The last as-of time for which a profile folded at `asOf` still holds, as long as nothing is ingested for its entity:
 * the second before the first trade or print passes the edge of a period (or window).
 */
export function freshUntil(kind: ProfileKind, trades: EntityTrades, prints: EntityPrints, asOf: number): number {
  let until = FOREVER;
  for (const window of windowSpecs[kind]) {
    until = Math.min(
      until,
      nextEdge(trades.time, trades.length, window, asOf),
      nextEdge(prints.time, prints.length, window, asOf),
    );
    if (kind === 'wallets' && until > asOf && isTurnoverMoving(trades, window, asOf)) until = asOf;
    if (until <= asOf) return asOf;
  }
  return until;
}

function nextEdge(times: Float64Array, length: number, window: WindowSpec, asOf: number): number {
  let until = FOREVER;
  for (let i = length - 1; i >= 0; i--) {
    const age = asOf - times[i]!;
    if (age >= window.seconds) break;
    const edge = times[i]! + (Math.floor(age / window.period) + 1) * window.period;
    if (edge - 1 < until) until = edge - 1;
    if (until <= asOf) break;
  }
  return until;
}

/**
 * The time average of the open cost moves with every second, unless nothing enters the window and nothing leaves it: where as much
 * enters as leaves, its last bits still may. Without a realised sell only its being 0 counts, which a buy at the as-of time ends.
 */
function isTurnoverMoving(trades: EntityTrades, window: WindowSpec, asOf: number): boolean {
  const first = firstAfter(trades.time, trades.length, asOf - window.seconds);
  const before = openCostAt(trades, asOf - window.seconds);
  const after = openCostAt(trades, asOf);
  if (before === 0 && after === 0) return false;
  if (trades.time[trades.length - 1] === asOf) return true;
  for (let i = first; i < trades.length; i++) if (!Number.isNaN(trades.pnl[i]!)) return true;
  return false;
}
