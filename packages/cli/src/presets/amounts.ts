import { show } from '@swapfold/core';
import { numbersOf, type Shaping, textsOf } from './shaping.ts';

/** An amount as it is read: whole tokens, or the smallest units with the decimals of the token. */
export type ReadAmount =
  | { readonly kind: 'whole'; readonly column: string | undefined }
  | {
      readonly kind: 'raw';
      readonly column: string | undefined;
      readonly decimals: number | { readonly column: string };
    };

const MOST_DECIMALS = 255;
const digits = /^[+-]?\d+$/;

/** Amounts in whole tokens, each the double nearest to what is written. `field` is named in faults. */
export function amountsOf(shaping: Shaping, amount: ReadAmount, field: string): Float64Array {
  if (amount.kind === 'whole') return numbersOf(shaping, amount.column);
  const { decimals } = amount;
  const textAt = textsOf(shaping, amount.column);
  const given = typeof decimals === 'number' ? undefined : numbersOf(shaping, decimals.column);
  const amounts = new Float64Array(shaping.length);
  for (let row = 0; row < amounts.length; row++) {
    const raw = textAt(row)?.trim();
    const places = given === undefined ? (decimals as number) : given[row]!;
    amounts[row] = Number.NaN;
    if (raw === undefined || raw === '') continue;
    if (!(Number.isInteger(places) && places >= 0 && places <= MOST_DECIMALS))
      shaping.fault(
        row,
        field,
        `has no decimals: they must be a whole number from 0 to ${MOST_DECIMALS}, not ${places}`,
      );
    else if (!isWhole(raw)) shaping.fault(row, field, `in smallest units must be a whole number, not ${show(raw)}`);
    else amounts[row] = digits.test(raw) ? Number(`${raw}e-${places}`) : Number(raw) / 10 ** places;
  }
  return amounts;
}

/** Digits, or a whole number that a program wrote as `1e21` or `5.0`. */
function isWhole(raw: string): boolean {
  return digits.test(raw) || (/^[+-]?\d+(\.\d+)?(e\+?\d+)?$/i.test(raw) && Number.isInteger(Number(raw)));
}
