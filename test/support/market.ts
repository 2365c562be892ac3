import { type ConfigInput, columnsToObjects, type SwapInput } from '@swapfold/core';
import { generateMarket, type MarketOptions } from '@swapfold/testing';

/** A generated market as swap objects, with its registries and configuration. */
export function smallMarket(options: MarketOptions): {
  swaps: SwapInput[];
  config: ConfigInput;
  market: ReturnType<typeof generateMarket>;
} {
  const market = generateMarket(options);
  const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
  return { swaps, config: market.config, market };
}
