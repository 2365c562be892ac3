import { type Config, memory, type PricesResult, Swapfold, type SwapfoldError } from '@swapfold/core';
import type { PriceRow } from '../prices/price-file.ts';
import { quoteTokenOf, tokenOfFile, withoutToken } from '../prices/quote-token.ts';
import { readPrices } from '../prices/read-prices.ts';
import { isNoText, isUnknownShape } from '../prices/shapes.ts';
import type { Books } from './books.ts';
import { type Input, inputName } from './inputs.ts';
import { readInputs } from './read-inputs.ts';
import type { FoundReject } from './rejects-file.ts';
import type { Target } from './target.ts';

/** How reference prices are imported. */
export interface PriceImportOptions {
  /** The token of prices that do not name one: the address or the symbol of a quote token. */
  readonly token?: string | undefined;
  /** Candles that end later are passed over. Unix seconds; default: now. */
  readonly now?: number | undefined;
}

/** Stores the prices of files in one transaction. Errors: `invalid-input` for prices without a token. */
export async function importPrices(
  { config, open, isNew }: Target,
  inputs: readonly Input[],
  options: PriceImportOptions & { readonly signal?: AbortSignal | undefined },
  books: Books,
): Promise<void> {
  const { token, signal, now = Math.floor(Date.now() / 1000) } = options;
  const address = token === undefined ? undefined : quoteTokenOf(config, token);
  const reading = readInputs(inputs, ({ from }) => fileOf(readPrices(from, now)), books, { isOfOthers });
  const prices: PriceRow[] = [];
  const origins: { file: string; row: number }[] = [];
  const rejects: FoundReject[] = [];
  try {
    for (let next = await reading.next(); next !== undefined; next = await reading.next()) {
      const { of, found } = next;
      const { file } = of;
      books.presets.add(found.shape);
      books.addAll({ rows: found.rows, rejects: [], passed: found.passed });
      for (const reject of found.rejects) rejects.push({ ...reject, file });
      for (const { row, token: named, time, usd_price } of found.prices) {
        const token = named === undefined ? address : tokenOfFile(config, named);
        if (token === undefined) throw withoutToken(inputName(file), config);
        prices.push({ token, time, usd_price });
        origins.push({ file, row });
      }
    }
  } finally {
    await reading.end();
  }
  books.open(inputs);
  let outcome = isNew ? await check(config, prices) : undefined;
  if (open !== undefined && (outcome === undefined || outcome.rejected < prices.length))
    outcome = await (await open()).prices.upsert(prices, { signal });
  const { stored, removed, warnings, rejects: late } = outcome!;
  for (const { row, field, reason } of late) rejects.push({ field, reason, ...origins[row]! });
  const refused = new Set(late.map(({ row }) => row));
  books.prices = prices.filter((_, i) => !refused.has(i));
  books.warnings = warnings;
  const times = new Set(books.prices.map(({ token, time }) => `${token} ${time}`)).size;
  books.count({ stored, removed, unchanged: times - stored - removed, repeated: books.prices.length - times });
  const place = new Map(inputs.map(({ file }, i) => [file, i]));
  rejects.sort((a, b) => place.get(a.file)! - place.get(b.file)! || a.row - b.row);
  books.addAll({ rows: 0, rejects, passed: new Map() });
}

async function* fileOf<T>(read: Promise<T>): AsyncGenerator<T> {
  yield await read;
}

const isOfOthers = (error: unknown): error is SwapfoldError => isUnknownShape(error) || isNoText(error);

/** What would become of prices in an empty store of this configuration. */
async function check({ address_format, quote_tokens }: Config, prices: readonly PriceRow[]): Promise<PricesResult> {
  const dex = await Swapfold.open({ storage: memory(), config: { address_format, quote_tokens } });
  return dex.prices.upsert(prices).finally(() => dex.close());
}
