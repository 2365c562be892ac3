import { type Config, memory, type PricesResult, Swapfold } from '@swapfold/core';

/** A reference price of a file, as a store takes it. */
export interface PriceRow {
  readonly token: string;
  /** Unix seconds. */
  readonly time: number;
  readonly usd_price: number | null;
}

/** What would become of prices in an empty store of this configuration. */
export async function checkPrices(config: Config, rows: readonly PriceRow[]): Promise<PricesResult> {
  const { address_format, quote_tokens } = config;
  const dex = await Swapfold.open({ storage: memory(), config: { address_format, quote_tokens } });
  return dex.prices.upsert(rows).finally(() => dex.close());
}
