import type { Config } from '../config.ts';
import type { Reject } from '../ingest-result.ts';
import type { Roles } from '../ledger/roles.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { nativePricesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import type { CheckedPrices } from './reference-prices.ts';

/** A stored price that swaps of its hour contradict. */
export interface PriceWarning {
  readonly token: string;
  /** When the price became known, Unix seconds. */
  readonly time: number;
  readonly usd_price: number;
  /** Median of what transactions of the same hour paid for one, USD. */
  readonly swaps_say: number;
}

/** What became of the rows of one call. A row that is stored already is in none of the counts. */
export interface PricesResult {
  readonly stored: number;
  readonly removed: number;
  readonly rejected: number;
  readonly rejects: readonly Reject[];
  /** Prices that were stored although swaps of the same hour say something else by more than `print_factor`. */
  readonly warnings: readonly PriceWarning[];
}

const HOUR = 3600;

/** The given prices of the native token that are off by more than `print_factor` from the median of the votes of their hour, oldest first. */
export async function priceWarnings(
  reader: Reader,
  { config, roles }: { readonly config: Config; readonly roles: Roles },
  { prices }: CheckedPrices,
): Promise<readonly PriceWarning[]> {
  const given = [...(prices.get(roles.native) ?? [])]
    .filter((entry): entry is [number, number] => entry[1] !== null)
    .sort(([a], [b]) => a - b);
  if (given.length === 0) return [];
  const medianOf = await hourlyMedians(reader, new Set(given.map(([time]) => hourOf(time))));
  const token = config.quote_tokens.find(({ kind }) => kind === 'native')!.address;
  const factor = config.print_factor;
  return given.flatMap(([time, usd_price]) => {
    const swaps_say = medianOf.get(hourOf(time));
    const isNear = swaps_say === undefined || (usd_price <= swaps_say * factor && usd_price >= swaps_say / factor);
    return isNear ? [] : [{ token, time, usd_price, swaps_say }];
  });
}

/** The lower median of the votes of each of these hours that has any. */
async function hourlyMedians(reader: Reader, hours: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const prices = new Map<number, number[]>();
  const ordered = [...hours].sort((a, b) => a - b);
  const [first, last] = [ordered[0]!, ordered[ordered.length - 1]!];
  const votes = reader.stream({
    table: nativePricesTable,
    columns: ['seq', 'price'],
    where: between('seq', firstSeqAt(first * HOUR), lastSeqAt(last * HOUR + HOUR - 1)),
  });
  for await (const { columns, length } of votes)
    for (let row = 0; row < length; row++) {
      const hour = hourOf(timeOf(columns.seq[row]!));
      if (!hours.has(hour)) continue;
      const found = prices.get(hour);
      if (found === undefined) prices.set(hour, [columns.price[row]!]);
      else found.push(columns.price[row]!);
    }
  return new Map(Array.from(prices, ([hour, found]) => [hour, found.sort((a, b) => a - b)[(found.length - 1) >> 1]!]));
}

const hourOf = (time: number): number => Math.floor(time / HOUR);
