import type { Config } from '../config.ts';
import { nativeMarkOf } from '../ledger/native-mark.ts';
import type { Roles } from '../ledger/roles.ts';
import { carriedLegsTable } from '../records/carried-tables.ts';
import { timeOf } from '../records/chain-order.ts';
import { swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { latestPrints, marksOf, type Print } from './latest-prints.ts';

/** The state of a store in which the swaps of prints are looked up. */
export interface MarkScope {
  readonly reader: Reader;
  readonly roles: Roles;
  /** Unix seconds: what was before is forgotten, and carried. */
  readonly horizon: number;
}

/** Swaps that are looked up together. */
const TOGETHER = 10_000;

/**
 * Prices of tokens in native tokens by the swaps of their prints: how a print moves with the native price. `NaN` of a print whose value is not
 * that of a native leg.
 */
export async function nativeMarks(
  { reader, roles, horizon }: MarkScope,
  prints: Iterable<{ readonly token: number; readonly seq: number }>,
): Promise<(token: number, seq: number) => number> {
  const found = new Map<number, Map<number, number>>();
  const note = (seq: number, token: number, price: number): void => {
    const of = found.get(seq) ?? new Map();
    if (!Number.isNaN(price)) found.set(seq, of.set(token, price));
  };
  const all = roles.native < 0 ? [] : [...new Set(Array.from(prints, ({ seq }) => seq))];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const seqs = Float64Array.from(all.slice(from, from + TOGETHER));
    const swaps = await reader.read({
      table: swapsTable,
      columns: ['seq', 'token_in', 'token_out', 'token_amount_in', 'token_amount_out', 'valued_by'],
      where: isIn('seq', seqs),
    });
    const { seq, token_in, token_out } = swaps.columns;
    for (let row = 0; row < swaps.length; row++)
      for (const token of [token_in[row]!, token_out[row]!])
        note(seq[row]!, token, nativeMarkOf(swaps, row, token, roles));
    const forgotten = seqs.filter((seq) => timeOf(seq) < horizon);
    if (forgotten.length === 0) continue;
    const carried = await reader.read({
      table: carriedLegsTable,
      columns: ['seq', 'token', 'native_price'],
      where: isIn('seq', forgotten),
    });
    for (let row = 0; row < carried.length; row++)
      note(carried.columns.seq[row]!, carried.columns.token[row]!, carried.columns.native_price[row]!);
  }
  return (token, seq) => found.get(seq)?.get(token) ?? Number.NaN;
}

/** What values a token at an instant: a print, and its price in native tokens if it moves with the native price (`movedPrice`). */
export interface Mark extends Print {
  readonly nativePrice: number;
}

/** The marks of tokens up to a seq, by the configuration; tokens without one are absent. */
export async function latestMarks(
  scope: MarkScope & { readonly config: Pick<Config, 'marks'> },
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, Mark>> {
  const prints = await latestPrints(scope.reader, tokens, { until, prints: marksOf(scope.config) });
  const nativePriceOf = await nativeMarks(
    scope,
    Array.from(prints, ([token, { seq }]) => ({ token, seq })),
  );
  return new Map(
    Array.from(prints, ([token, print]) => [token, { ...print, nativePrice: nativePriceOf(token, print.seq) }]),
  );
}
