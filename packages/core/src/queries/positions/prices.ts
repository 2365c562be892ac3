import type { Batch } from '../../records/columns.ts';
import type { QueryContext } from '../context.ts';
import { latestPricesOf } from '../prices.ts';

/** What a price moves, from the number at `row` of another column and the price of the token. */
const atPrice: Readonly<Record<string, (price: number, of: (column: string) => number) => number>> = {
  'holding.value': (price, of) => of('holding.balance') * price,
  'holding.unrealized_pnl': unrealizedPnl,
  'holding.unrealized_roi': (price, of) => (unrealizedPnl(price, of) / of('holding.cost_basis')) * 100,
};

function unrealizedPnl(price: number, of: (column: string) => number): number {
  return of('lot_amount') * price - of('holding.cost_basis');
}

/** Writes the latest prices of the tokens, and those of the columns that they move which the rows have. */
export async function fillPrices(context: QueryContext, { columns, length }: Batch): Promise<void> {
  const tokens = columns.token as Int32Array;
  const latest = await latestPricesOf(context, Int32Array.from(new Set(tokens)));
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
}

/** Infinities are unknown, and no zero is negative. */
function finite(value: number): number {
  return Number.isFinite(value) ? value + 0 : Number.NaN;
}
