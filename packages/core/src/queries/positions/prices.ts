import { percent } from '../../metrics/numbers.ts';
import type { Batch } from '../../records/columns.ts';
import type { QueryContext } from '../context.ts';
import { nativePricesOf } from '../native-prices.ts';
import { latestMarksOf } from '../prices.ts';

/** The number at a row in a column. */
type Of = (column: string) => number;

/** What a price moves, from the number at `row` of another column and the price of the token. */
const atPrice: Readonly<Record<string, (price: number, of: Of) => number>> = {
  'holding.value': (price, of) => of('holding.balance') * price,
  'holding.unrealized_pnl': unrealizedPnl,
  'holding.unrealized_roi': (price, of) => (unrealizedPnl(price, of) / of('holding.cost_basis')) * 100,
};

function unrealizedPnl(price: number, of: Of): number {
  return of('lot_amount') * price - of('holding.cost_basis');
}

/** Writes the prices of the tokens that value what is held, and those of the columns that they move which the rows have. */
export async function fillPrices(context: QueryContext, { columns, length }: Batch): Promise<void> {
  const tokens = columns.token as Int32Array;
  const distinct = Int32Array.from(new Set(tokens));
  const latest = await latestMarksOf(context, distinct);
  const prices = columns['holding.price'] as Float64Array;
  const ages = columns['holding.price_age'] as Float64Array | undefined;
  const asked = Object.entries(atPrice).flatMap(([name, value]) => {
    const column = columns[name] as Float64Array | undefined;
    return column === undefined ? [] : [{ column, value }];
  });
  for (let row = 0; row < length; row++) {
    const print = latest.get(tokens[row]!);
    if (print === undefined) continue;
    prices[row] = print.usd_price;
    if (ages !== undefined) ages[row] = context.asOf - print.block_time;
    const of = (name: string): number => columns[name]![row] as number;
    for (const { column, value } of asked) column[row] = finite(value(print.usd_price, of));
  }
  const unrealizedNative = columns['holding.unrealized_pnl_native'] as Float64Array | undefined;
  if (unrealizedNative === undefined) return;
  const inNative = await nativePricesOf(context, distinct, (token) => latest.get(token)?.usd_price ?? Number.NaN);
  const [amounts, own, costs] = ['lot_amount', 'lot_amount_native', 'holding.cost_basis_native'].map(
    (name) => columns[name] as Float64Array,
  ) as [Float64Array, Float64Array, Float64Array];
  for (let row = 0; row < length; row++) {
    const amount = Number.isNaN(own[row]!) ? amounts[row]! : own[row]!;
    unrealizedNative[row] = finite(amount * (inNative.get(tokens[row]!) ?? Number.NaN) - costs[row]!);
  }
}

/** Writes the returns in the native token, of rows that have what they are made of. */
export function fillNativeReturns({ columns, length }: Batch): void {
  const rois = columns['holding.realized_roi_native'] as Float64Array;
  const pnls = columns['holding.realized_pnl_native'] as Float64Array;
  const costs = columns.matched_cost_native as Float64Array;
  for (let row = 0; row < length; row++) rois[row] = finite(percent(pnls[row]!, costs[row]!) ?? Number.NaN);
}

/** Infinities are unknown, and no zero is negative. */
function finite(value: number): number {
  return Number.isFinite(value) ? value + 0 : Number.NaN;
}
