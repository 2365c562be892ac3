import type { Bag } from '../bag/bag.ts';
import { type EntityPrints, type EntityTrades, noPrints } from '../bag/entity.ts';
import { WindowsFold } from '../bag/fold.ts';
import { bucketSeconds, type WindowSpec, windowSpecs } from '../bag/windows.ts';
import type { Yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import { readHistory } from './read.ts';
import type { TradeRows } from './trade-log.ts';
import { EntityCursor, type EntityScan } from './trades.ts';

/** One entity as a fold leaves it: what was read of it, and the bag of a window. */
export interface EntityFold {
  readonly trades: EntityTrades;
  readonly prints: EntityPrints;
  /** The trades as they are stored, oldest first. */
  readonly rows: readonly TradeRows[];
  readonly bag: Bag;
}

/**
 * Folds a window of the one entity of a scan: the bag is the one that its profile is made of, to the bit, as far as it is of what the scan
 * reads.
 */
export async function foldEntity(
  { reader, config }: Pick<FoldContext, 'reader' | 'config'>,
  scan: EntityScan,
  window: WindowSpec,
  pause: Yielder,
): Promise<EntityFold> {
  const { kind, asOf } = scan;
  const id = scan.ids[0]!;
  const history = await readHistory(reader, scan);
  const windows = windowSpecs[kind];
  const fold = new WindowsFold(windows, bucketSeconds[kind], config.wash);
  const trades = await new EntityCursor(scan, history.trades, history.facts).take(id, pause);
  const prints = history.prints.get(id) ?? noPrints;
  for (const _ of fold.steps(trades, prints, asOf)) await pause.yieldIfDue();
  return {
    trades,
    prints,
    rows: [...history.trades.runs.values()].flat(),
    bag: fold.bags[windows.indexOf(window)]!,
  };
}
