import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import { candlePrices, type RawCandle } from './candles.ts';
import { instantOf, noTime, secondFrom } from './micros.ts';
import { type OwnRow, ownPrice } from './own-columns.ts';
import { type PriceFile, priceFile, type ReadRow, type RowReject } from './price-file.ts';
import { unknownShape } from './shapes.ts';
import { noPrice, numberOf } from './values.ts';

/** Where the arrays of an exchange have what counts; the first value is when the candle opens, the fifth its close. */
interface Layout {
  readonly shape: string;
  readonly close_time?: number;
  readonly confirm?: number;
}

const okx = { shape: 'OKX candles', confirm: 8 } as const;

/** Layouts by the length of the arrays. */
type Layouts = Readonly<Record<number, Layout>>;

/** Of arrays in an array. */
const bare: Layouts = { 12: { shape: 'Binance klines', close_time: 6 }, 9: okx };

/** Of arrays in `data`: candles, and candles of an index. */
const inData: Layouts = { 9: okx, 6: { shape: 'OKX candles', confirm: 5 } };

/** A line that is no JSON, among lines that are. */
class BadLine {
  constructor(readonly message: string) {}
}

/** The prices of a JSON document, or of a text with a JSON value a line. Errors: as `readCsvPrices`. */
export function readJsonPrices(file: string, text: string, now: number): PriceFile {
  const value = parse(file, text);
  if (Array.isArray(value)) return ofList(file, value, { layouts: bare, now });
  const { prices, data, time, code, msg } = value as Readonly<Record<string, unknown>>;
  // A row of one's own may have a column of that name.
  if (time === undefined && code !== undefined && String(code) !== '0')
    throw new SwapfoldError(
      'invalid-input',
      `${file} is an answer of an exchange that failed: code ${show(code)}, msg ${show(msg ?? null)}. Fetch it again.`,
    );
  if (Array.isArray(prices)) return priceFile('CoinGecko', prices.map(coinGecko));
  if (Array.isArray(data)) return ofList(file, data, { layouts: inData, now });
  if (time !== undefined) return ofList(file, [value], { layouts: bare, now });
  throw unknownShape(
    file,
    `is an object with ${Object.keys(value as object)
      .slice(0, 20)
      .map(show)
      .join(', ')}`,
  );
}

/** A document, or the values of its lines. */
function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const values = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseLine(line)]));
    if (!(values[0] instanceof BadLine)) return values;
    throw unknownShape(file, `is no JSON (${(error as Error).message})`);
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    return new BadLine((error as Error).message);
  }
}

function ofList(
  file: string,
  list: readonly unknown[],
  { layouts, now }: { readonly layouts: Layouts; readonly now: number },
): PriceFile {
  const first = list.find((item) => !(item instanceof BadLine));
  if (first === undefined) return priceFile('own columns', []);
  if (!Array.isArray(first)) {
    if (!isObject(first)) throw unknownShape(file, `has ${show(first)}`);
    if (!('time' in first && 'usd_price' in first)) throw unknownShape(file, `has objects with ${keysOf(first)}`);
    return priceFile(
      'own columns',
      list.map((item, i) => (isObject(item) ? ownPrice(item as OwnRow, i + 1) : noRow(item, 'an object', i + 1))),
    );
  }
  const { length } = first;
  const layout = layouts[length];
  if (layout === undefined) throw unknownShape(file, `has arrays of ${length} values`);
  const read = (item: unknown, i: number): RawCandle | RowReject =>
    Array.isArray(item) && item.length === length
      ? rawCandle(item, layout)
      : noRow(item, `an array of ${length} values`, i + 1);
  return priceFile(layout.shape, candlePrices(file, list.map(read), now));
}

function rawCandle(item: readonly unknown[], { close_time, confirm }: Layout): RawCandle {
  return {
    open_time: item[0],
    close: item[4],
    ...(close_time !== undefined && { close_time: item[close_time] }),
    ...(confirm !== undefined && { confirm: item[confirm] }),
  };
}

function coinGecko(item: unknown, i: number): ReadRow {
  const row = i + 1;
  if (!Array.isArray(item) || item.length !== 2) return noRow(item, 'an array of 2 values', row);
  const [time, price] = item;
  const instant = instantOf(numberOf(time));
  if (instant === undefined) return { row, field: 'time', reason: noTime(time) };
  const fault = noPrice(price);
  if (fault !== undefined) return { row, field: 'usd_price', reason: fault };
  return { row, time: secondFrom(instant.micros), usd_price: numberOf(price) };
}

function isObject(item: unknown): item is object {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && !(item instanceof BadLine);
}

function noRow(item: unknown, expected: string, row: number): RowReject {
  if (item instanceof BadLine) return { row, field: '', reason: `is no JSON (${item.message})` };
  return { row, field: '', reason: `is not ${expected}: ${show(item)}` };
}

function keysOf(item: object): string {
  return Object.keys(item).slice(0, 20).map(show).join(', ') || 'no field';
}
