import type { StreamSource } from '../bytes.ts';
import type { PriceFile } from './price-file.ts';
import { readCsvPrices } from './read-csv-prices.ts';
import { readJsonPrices } from './read-json-prices.ts';
import { nameOf, readText } from './read-text.ts';

/**
 * The prices of a file or of a stream, in any of the known shapes: its content tells which.
 *
 * - `now`: Unix seconds; candles that end later are not finished.
 * - Errors: `invalid-input` for a file that cannot be read and for another shape, with those that are known.
 */
export async function readPrices(from: string | StreamSource, now: number): Promise<PriceFile> {
  return pricesOf(nameOf(from), await readText(from), now);
}

/** As `readPrices`, of the text of a file that messages call `name`. */
export function pricesOf(name: string, text: string, now: number): PriceFile {
  return /^\s*[[{]/.test(text) ? readJsonPrices(name, text, now) : readCsvPrices(name, text, now);
}
