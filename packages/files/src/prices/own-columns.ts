import { show } from '@swapfold/core/host';
import { instantOf, noTime, secondFrom, secondOfText } from './micros.ts';
import type { ReadRow } from './price-file.ts';
import { noPrice, numberOf } from './values.ts';

/** A row with Swapfold's own columns. */
export type OwnRow = Readonly<Partial<Record<'token' | 'time' | 'usd_price', unknown>>>;

/** What CSV has for `null`: an empty value may be a fault of the file, and would remove a price. */
const nulls: ReadonlySet<unknown> = new Set([null, 'null', '\\N']);

/** The price of a row with Swapfold's own columns. */
export function ownPrice({ token, time, usd_price: price }: OwnRow, row: number): ReadRow {
  const second = secondOf(time);
  if (second === undefined) return { row, field: 'time', reason: noTime(time) };
  if (token != null && typeof token !== 'string')
    return { row, field: 'token', reason: `expected an address or a symbol, received ${show(token)}` };
  const named = token == null || token === '' ? undefined : token;
  if (nulls.has(price)) return { row, token: named, time: second, usd_price: null };
  const fault = noPrice(price);
  if (fault !== undefined) return { row, field: 'usd_price', reason: `${fault} (null removes a price)` };
  return { row, token: named, time: second, usd_price: numberOf(price) };
}

function secondOf(time: unknown): number | undefined {
  if (typeof time === 'string') return secondOfText(time.trim());
  const instant = typeof time === 'number' ? instantOf(time) : undefined;
  return instant && secondFrom(instant.micros);
}
