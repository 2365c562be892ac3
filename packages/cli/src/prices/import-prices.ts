import type { Config, PricesResult } from '@swapfold/core';
import { formatTime, parseConfig } from '@swapfold/core/host';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openRejectsFile } from '../importing/rejects-file.ts';
import { interruptible } from '../interruption.ts';
import { isStore, withStore, withStoreToAsk } from '../open-store.ts';
import type { StoreUrl } from '../options/store-url.ts';
import { note, print } from '../output.ts';
import { createProgress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { gatherPrices } from './gather-prices.ts';
import { type ImportedPrices, importedPrices, priceSummary } from './price-summary.ts';
import { quoteTokenOf } from './quote-token.ts';
import { checkPrices } from './stored-prices.ts';
import { tellValuation } from './valuation.ts';

export interface PriceOptions {
  /** Absent with `dryRun` alone. */
  readonly db?: StoreUrl | undefined;
  readonly config?: string | undefined;
  /** The token whose prices those are that do not name one: an address or a symbol. */
  readonly token?: string | undefined;
  readonly rejects?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
}

/** Rows that a dry run shows. */
const SHOWN = 3;

/**
 * Stores the prices of the files in one transaction, tells what became of them, and refreshes the profiles.
 *
 * - `now`: Unix seconds; candles that end later are passed over.
 * - A store is made once there is something to store in it.
 * - Exit code: `failed` if there were rows and none of them can be stored.
 */
export async function importPrices(
  inputs: readonly string[],
  { now, ...options }: PriceOptions & { readonly now: number },
): Promise<ExitCode> {
  const { db, token } = options;
  const hasStore = db !== undefined && (await isStore(db));
  const config = hasStore && options.config === undefined ? await storedConfig(db) : await readConfig(options.config);
  const address = token === undefined ? undefined : quoteTokenOf(config, token);
  const gathered = await gatherPrices(inputs, { config, token: address, now });
  const rejectsFile = await openRejectsFile(options.rejects, gathered.files);
  const tell = async (imported: ImportedPrices): Promise<ExitCode> => {
    print(priceSummary(imported, config).join('\n'));
    for (const reject of imported.rejects) await rejectsFile.write(reject.file, [reject]);
    return gathered.rows > 0 && imported.accepted.length === 0 ? exitCodes.failed : exitCodes.ok;
  };
  try {
    if (db === undefined || options.dryRun || !hasStore) {
      const checked = importedPrices(gathered, await checkPrices(config, gathered.prices));
      if (db === undefined || options.dryRun) {
        print(firstLines(checked).join('\n'));
        return await tell(checked);
      }
      if (checked.accepted.length === 0) {
        const code = await tell(checked);
        note('No store was made: there is nothing to store.');
        return code;
      }
    }
    return await withStore({ db, config: options.config }, async (dex) => {
      let outcome: PricesResult | undefined;
      const stored = await interruptible(async (signal) => {
        outcome = await dex.prices.upsert(gathered.prices, { signal });
      });
      if (outcome === undefined) return stored;
      const code = await tell(importedPrices(gathered, outcome));
      const { swaps } = await tellValuation(dex);
      if (!options.refresh || code !== exitCodes.ok || swaps === 0) return code;
      return interruptible((signal) => refreshAloud(dex, { progress: createProgress(), signal }));
    });
  } finally {
    await rejectsFile.close();
  }
}

function storedConfig(db: StoreUrl): Promise<Config> {
  return withStoreToAsk({ db }, async (dex) => dex.config);
}

async function readConfig(path: string | undefined): Promise<Config> {
  return parseConfig(await readConfigFile(path));
}

function firstLines({ accepted }: ImportedPrices): string[] {
  return [
    'Nothing is written.',
    ...(accepted.length > 0 ? ['First prices as they would be stored:'] : []),
    ...accepted.slice(0, SHOWN).map((price) => `  ${JSON.stringify(price)}  known from ${formatTime(price.time)}`),
  ];
}
