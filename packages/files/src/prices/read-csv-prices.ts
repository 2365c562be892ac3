import { SwapfoldError } from '@swapfold/core';
import { csvRecords } from '../csv-scanner.ts';
import { candlePrices, type RawCandle } from './candles.ts';
import { ownPrice } from './own-columns.ts';
import { type PriceFile, priceFile, type RowReject } from './price-file.ts';
import { unknownShape } from './shapes.ts';
import { numberOf } from './values.ts';

/** The columns of Binance's klines that count, by place: most of its files have no header. */
const KLINE = { width: 12, open_time: 0, close: 4, close_time: 6 } as const;

type Cells = readonly string[];

/** The prices of a CSV text. Errors: `invalid-input` for an unknown shape, and the errors of `candlePrices`. */
export function readCsvPrices(file: string, text: string, now: number): PriceFile {
  const [first = [], ...rest] = csvRecords(file, Buffer.from(text));
  if (first.length === KLINE.width && !Number.isNaN(numberOf(first[0])))
    return priceFile('Binance klines', candlePrices(file, [first, ...rest].map(readKline), now));
  const names = first.map((name) => name.toLowerCase().replaceAll(' ', '_'));
  const has = (...wanted: Cells): boolean => wanted.every((name) => names.includes(name));
  const columnOf = (name: string): ((record: Cells) => string | undefined) => {
    const at = names.indexOf(name);
    return (record) => record[at];
  };
  const isWhole = (record: Cells): boolean => record.length === names.length;
  const [token, time, price] = [columnOf('token'), columnOf('time'), columnOf('usd_price')];
  if (has('time', 'usd_price'))
    return priceFile(
      'own columns',
      rest.map((record, i) =>
        isWhole(record)
          ? ownPrice({ token: token(record), time: time(record), usd_price: price(record) }, i + 1)
          : wrongWidth(record, names.length, i + 1),
      ),
    );
  if (!has('open_time', 'close')) throw unknownShape(file, `has the columns ${shown(first)}`);
  const instrument = columnOf('instrument_name');
  if (has('instrument_name')) requireDollars(file, new Set(rest.filter(isWhole).map((record) => instrument(record)!)));
  const [open_time, close] = [columnOf('open_time'), columnOf('close')];
  const [close_time, confirm] = [columnOf('close_time'), columnOf('confirm')];
  const read = (record: Cells, i: number): RawCandle | RowReject =>
    isWhole(record)
      ? {
          open_time: open_time(record),
          close: close(record),
          close_time: close_time(record),
          confirm: confirm(record),
        }
      : wrongWidth(record, names.length, i + 1);
  return priceFile(has('close_time') ? 'Binance klines' : 'OKX candles', candlePrices(file, rest.map(read), now));
}

function readKline(record: Cells, i: number): RawCandle | RowReject {
  if (record.length !== KLINE.width) return wrongWidth(record, KLINE.width, i + 1);
  return { open_time: record[KLINE.open_time], close: record[KLINE.close], close_time: record[KLINE.close_time] };
}

function wrongWidth(record: Cells, width: number, row: number): RowReject {
  return { row, field: '', reason: `has ${record.length} values, expected ${width}` };
}

/** Errors: `invalid-input` for a file of several instruments, and for one that is not quoted in dollars. */
function requireDollars(file: string, instruments: ReadonlySet<string>): void {
  const [first, ...others] = instruments;
  if (others.length > 0)
    throw new SwapfoldError(
      'invalid-input',
      `${file} has candles of several instruments (${shown([...instruments])}): import the rows of one at a time.`,
    );
  const quote = first?.split('-')[1] ?? '';
  if (quote !== '' && !/USD|DAI/.test(quote))
    throw new SwapfoldError(
      'invalid-input',
      `${file} has prices of ${first} in ${quote}: reference prices are in USD.`,
    );
}

function shown(names: readonly string[]): string {
  const first = names.slice(0, 20).map((name) => `"${name.slice(0, 40)}"`);
  return names.length > 20 ? `${first.join(', ')} and ${names.length - 20} more` : first.join(', ');
}
