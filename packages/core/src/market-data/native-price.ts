import type { Config } from '../config.ts';
import { readReferencePrices } from '../ingest/reference-prices.ts';
import type { Roles } from '../ledger/roles.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { nativePricesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { between, compare } from '../storage/predicate.ts';

/** What says what the native token is worth. */
export interface NativeScope {
  readonly reader: Reader;
  readonly config: Config;
  readonly roles: Roles;
}

/** USD per native token at instants, Unix seconds, ascending: `NaN` where it is unknown. */
export async function nativePricesAt(
  { reader, config, roles }: NativeScope,
  times: ArrayLike<number>,
): Promise<Float64Array> {
  const prices = new Float64Array(times.length).fill(Number.NaN);
  if (roles.native < 0 || times.length === 0) return prices;
  const [from, to] = [times[0]!, times[times.length - 1]!];
  const references = await readReferencePrices(reader, { roles, maxAge: config.reference_max_age }, { from, to });
  for (let i = 0; i < times.length; i++) prices[i] = references.at(roles.native, times[i]!);
  if (!prices.some(Number.isNaN)) return prices;
  const { columns: before } = await reader.read({
    table: nativePricesTable,
    columns: ['price'],
    where: compare('seq', 'lte', lastSeqAt(from)),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: 1,
  });
  let price = before.price[0] ?? Number.NaN;
  let next = 0;
  const passUntil = (time: number): void => {
    for (; next < times.length && times[next]! < time; next++) if (Number.isNaN(prices[next]!)) prices[next] = price;
  };
  const prints = reader.stream({
    table: nativePricesTable,
    columns: ['seq', 'price'],
    where: between('seq', lastSeqAt(from) + 1, lastSeqAt(to)),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  if (from < to)
    for await (const { columns: c, length } of prints)
      for (let row = 0; row < length; row++) {
        passUntil(timeOf(c.seq[row]!));
        price = c.price[row]!;
      }
  passUntil(Number.POSITIVE_INFINITY);
  return prices;
}

/** USD per native token at an instant, `NaN` if it is unknown. */
export async function nativePriceAt(scope: NativeScope, time: number): Promise<number> {
  return (await nativePricesAt(scope, [time]))[0]!;
}
