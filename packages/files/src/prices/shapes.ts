import { SwapfoldError } from '@swapfold/core';

/** The shapes of files that are read, as help and messages list them. */
export const shapes = {
  own: "Swapfold's own columns: token, time, usd_price (CSV with a header, NDJSON or a JSON array; token may be left out with the option token)",
  binance: 'Binance klines: CSV of 12 columns, with or without a header, or the JSON arrays of its API',
  okx: 'OKX candles: CSV with instrument_name, close, open_time, confirm, or {"data": [[...]]} of its API',
  coingecko: 'CoinGecko: {"prices": [[milliseconds, USD], ...]}',
} as const;

/** The error of a file of another shape. `found` says what it has instead. */
export function unknownShape(file: string, found: string): SwapfoldError {
  const list = Object.values(shapes).map((shape) => `  ${shape}`);
  const message = `${file} is no file of prices that is known: it ${found}. These are:\n${list.join('\n')}\n`;
  return new SwapfoldError('invalid-input', message, { details: [{ path: SHAPE, message }] });
}

const SHAPE = 'shape';

/** The path of the detail of an error that says that a file holds no text. */
export const NO_TEXT = 'text';

/** Whether an error says that a file is empty or no text, such as Parquet: one of a folder is passed over then. */
export function isNoText(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.details[0]?.path === NO_TEXT;
}

/** Whether an error says that a file has another shape: one of a folder is passed over then. */
export function isUnknownShape(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.details[0]?.path === SHAPE;
}
