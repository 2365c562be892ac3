import type { DictionaryColumn } from '@swapfold/core';
import { amountsOf, type ReadAmount } from './amounts.ts';
import { numbersOf, type Shaping, type Step } from './shaping.ts';

/** A leg as it is read. */
export interface ReadLeg {
  readonly token: string | undefined;
  readonly symbol: string | undefined;
  readonly amount:
    | ReadAmount
    | { readonly kind: 'apart'; readonly in: string | undefined; readonly out: string | undefined };
}

/** Tokens, amounts and symbols by the sign of the amounts. `given` is the sign of what the wallet gave. */
export function bySign([first, second]: readonly [ReadLeg, ReadLeg], given: 1 | -1): Step {
  return (shaping) => {
    const signed = [first, second].map((leg) => signedAmounts(shaping, leg)) as [Float64Array, Float64Array];
    // Place of the leg that the wallet gave.
    const gave = new Uint8Array(shaping.length);
    for (let row = 0; row < gave.length; row++) {
      const [a, b] = [signed[0][row]! * given, signed[1][row]! * given];
      if (Number.isNaN(a) || Number.isNaN(b)) continue;
      if (Math.sign(a) === Math.sign(b))
        shaping.fault(
          row,
          'token_amount_in',
          `and token_amount_out must have opposite signs, not ${a * given} and ${b * given}`,
        );
      gave[row] = b > 0 || (b === 0 && a < 0) ? 1 : 0;
    }
    const received = gave.map((leg) => 1 - leg);
    return {
      token_in: textOfLeg(shaping, [first.token, second.token], gave),
      token_out: textOfLeg(shaping, [first.token, second.token], received),
      token_symbol_in: textOfLeg(shaping, [first.symbol, second.symbol], gave),
      token_symbol_out: textOfLeg(shaping, [first.symbol, second.symbol], received),
      token_amount_in: Float64Array.from(gave, (leg, row) => Math.abs(signed[leg as 0 | 1][row]!)),
      token_amount_out: Float64Array.from(received, (leg, row) => Math.abs(signed[leg as 0 | 1][row]!)),
    };
  };
}

function signedAmounts(shaping: Shaping, { amount }: ReadLeg): Float64Array {
  if (amount.kind !== 'apart') return amountsOf(shaping, amount, 'token_amount_in');
  const [came, went] = [numbersOf(shaping, amount.in), numbersOf(shaping, amount.out)];
  return came.map((value, row) => value - went[row]!);
}

/** The texts of one of two columns, by row. */
function textOfLeg(
  { columns, length }: Shaping,
  names: readonly [string | undefined, string | undefined],
  legs: Uint8Array,
): DictionaryColumn {
  const [first, second] = names.map((name) =>
    name === undefined ? undefined : (columns[name] as DictionaryColumn | undefined),
  ) as [DictionaryColumn | undefined, DictionaryColumn | undefined];
  const dictionary = [...(first?.dictionary ?? []), ...(second?.dictionary ?? [])];
  const before = first?.dictionary.length ?? 0;
  const ids = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const id = (legs[row] === 0 ? first : second)?.ids[row] ?? -1;
    ids[row] = id < 0 || legs[row] === 0 ? id : id + before;
  }
  return { dictionary, ids };
}
