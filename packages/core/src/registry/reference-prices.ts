import * as v from 'valibot';
import { tokenAddress } from '../addresses/token-address.ts';
import type { Config } from '../config.ts';
import { behindReason } from '../ingest/carried.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import type { Reject } from '../ingest-result.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { show } from '../nearest.ts';
import { columnsOf, newBatch } from '../records/columns.ts';
import { referencePricesTable } from '../records/tables.ts';
import { described } from '../response.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, between, compare, isIn } from '../storage/predicate.ts';
import type { TimeInput } from '../time.ts';
import { yielder } from '../yielder.ts';
import { knownTime, rowFault } from './registry.ts';

/** A price of a quote token from outside, known from `time` on; `null` removes the price of that time. */
export interface PriceInput {
  readonly token: string;
  readonly time: TimeInput;
  readonly usd_price: number | null;
}

const usdPrice = v.nullable(
  v.pipe(
    v.number(),
    v.gtValue(0, 'expected a price above 0, or null to remove it'),
    v.maxValue(MAX_QUANTITY, `expected a number up to ${MAX_QUANTITY}`),
  ),
);

const fields = {
  token: described(v.string(), 'Address of a quote token.'),
  time: described(knownTime, 'When the price became known: Unix seconds, or RFC 3339.'),
  usd_price: described(usdPrice, 'USD per token; null removes the price of that time.'),
} as const;

/** What a row of prices has. */
export const priceRowSchema = v.strictObject(fields);

/** Rows of prices that may be stored: of two of one token and time the later. */
export interface CheckedPrices {
  /** By id of the token, its prices by time; `null` to be removed. */
  readonly prices: ReadonlyMap<number, ReadonlyMap<number, number | null>>;
  readonly rejects: readonly Reject[];
}

/** Checks rows of prices; those at fault are left out and reported. */
export async function checkPrices(
  reader: Reader,
  dictionary: Dictionary,
  config: Config,
  rows: readonly unknown[],
  horizon: number,
): Promise<CheckedPrices> {
  const addressOf = tokenAddress(config);
  const addresses = config.quote_tokens.map(({ address }) => address);
  const ids = await dictionary.find(reader, addresses);
  const prices = new Map<number, Map<number, number | null>>();
  const rejects: Reject[] = [];
  const pause = yielder();
  for (const [row, input] of rows.entries()) {
    if (pause.isDue()) await pause.take();
    const parsed = v.safeParse(priceRowSchema, input);
    if (!parsed.success) {
      rejects.push({ row, ...rowFault(parsed.issues[0], Object.keys(fields)) });
      continue;
    }
    const { token, time, usd_price } = parsed.output;
    const place = addresses.indexOf(addressOf(token) ?? '');
    if (time < horizon) rejects.push({ row, field: 'time', reason: behindReason(time, horizon) });
    else if (place < 0) rejects.push({ row, field: 'token', reason: noQuoteToken(token, config) });
    else {
      const id = ids[place]!;
      prices.set(id, (prices.get(id) ?? new Map<number, number | null>()).set(time, usd_price));
    }
  }
  return { prices, rejects };
}

function noQuoteToken(token: string, { quote_tokens }: Config): string {
  const known = quote_tokens.map(({ symbol, address }) => `${symbol} (${address})`).join(', ');
  return `${show(token)} is no quote token of the configuration, and only those take reference prices: ${known || 'there is none'}.`;
}

/** Seconds from one to another, both included. */
type Seconds = readonly [from: number, to: number];

/** What came of writing prices. */
interface WrittenPrices {
  readonly stored: number;
  readonly removed: number;
  /** Seconds in which the price of a quote token that holds is another. */
  readonly moved: readonly Seconds[];
  /** Seconds in which the newest price of the native token is another, however old it is. */
  readonly movedOfAnyAge: readonly Seconds[];
}

/** Writes prices, and says which seconds that changes. A price that is as it is stored changes nothing. */
export async function writePrices(
  writer: Writer,
  { prices }: CheckedPrices,
  maxAge: number,
  native: number,
): Promise<WrittenPrices> {
  let [stored, removed] = [0, 0];
  const moved: Seconds[] = [];
  const movedOfAnyAge: Seconds[] = [];
  for (const [token, given] of prices) {
    const times = [...given.keys()].sort((a, b) => a - b);
    const before = await readPrices(writer, token, times);
    const changed = times.filter((time) => (before.get(time) ?? null) !== given.get(time));
    if (changed.length === 0) continue;
    const kept = changed.filter((time) => given.get(time) !== null);
    const batch = newBatch(referencePricesTable, kept.length);
    for (const [row, time] of kept.entries()) {
      batch.columns.token[row] = token;
      batch.columns.time[row] = time;
      batch.columns.usd_price[row] = given.get(time)!;
    }
    await writer.remove(
      referencePricesTable,
      and(compare('token', 'eq', token), isIn('time', Float64Array.from(changed))),
    );
    await writer.append(referencePricesTable, batch);
    stored += kept.length;
    removed += changed.length - kept.length;
    const all = [...new Set([...before.keys(), ...kept])].sort((a, b) => a - b);
    moved.push(...secondsOf(changed, all, maxAge));
    if (token === native) movedOfAnyAge.push(...secondsOf(changed, all, Number.POSITIVE_INFINITY));
  }
  return { stored, removed, moved, movedOfAnyAge };
}

/** The prices of a token from the first of these times to the last, and the next one after that. */
async function readPrices(reader: Reader, token: number, times: readonly number[]): Promise<Map<number, number>> {
  const [first, last] = [times[0]!, times[times.length - 1]!];
  const own = compare('token', 'eq', token);
  const order = [{ column: 'time', direction: 'asc' }] as const;
  const columns = columnsOf(referencePricesTable);
  const within = await reader.read({
    table: referencePricesTable,
    columns,
    where: and(own, between('time', first, last)),
  });
  const next = await reader.read({
    table: referencePricesTable,
    columns,
    where: and(own, compare('time', 'gt', last)),
    order,
    limit: 1,
  });
  const found = new Map<number, number>();
  for (const { columns: c } of [within, next])
    for (const [i, time] of c.time.entries()) found.set(time, c.usd_price[i]!);
  return found;
}

/** From each changed time to the next one that has or had a price, or as long as a price holds. `times` ascend. */
function secondsOf(changed: readonly number[], times: readonly number[], maxAge: number): Seconds[] {
  const ranges: [from: number, to: number][] = [];
  let at = 0;
  for (const time of changed) {
    while (times[at]! <= time) at++;
    const to = Math.min(time + maxAge, (times[at] ?? Number.POSITIVE_INFINITY) - 1);
    const last = ranges[ranges.length - 1];
    if (last !== undefined && last[1] + 1 >= time) last[1] = Math.max(last[1], to);
    else ranges.push([time, to]);
  }
  return ranges;
}
