import type { Bag } from '../src/bag/bag.ts';
import type { EntityPrints, EntityTrades } from '../src/bag/entity.ts';
import { WindowsFold } from '../src/bag/fold.ts';
import { bucketSeconds, type WindowSpec } from '../src/bag/windows.ts';
import { defaultWash } from '../src/config.ts';

/** Folds one window at once: see `WindowsFold`. */
export function foldBag(trades: EntityTrades, prints: EntityPrints, window: WindowSpec, asOf: number): Bag {
  const fold = new WindowsFold([window], bucketSeconds.wallets, defaultWash);
  for (const _ of fold.steps(trades, prints, asOf));
  return fold.bags[0]!;
}
