import { SwapfoldError } from '../errors.ts';
import { didYouMean, show } from '../nearest.ts';
import type { ExportThing } from './thing.ts';
import { candles } from './things/candles.ts';
import { portfolio } from './things/portfolio.ts';
import { positions } from './things/positions.ts';
import { profiles } from './things/profiles.ts';
import { swaps } from './things/swaps.ts';
import { trades } from './things/trades.ts';

/** A new thing is a file beside these, and a row here. */
const things = { swaps, trades, positions, profiles, candles, portfolio } as const satisfies Readonly<
  Record<string, ExportThing>
>;

/** One of `exportNames`. */
export type ExportName = keyof typeof things;

/** What can be exported. */
export const exportNames = Object.keys(things) as readonly ExportName[];

/** The declaration of that name. Errors: `invalid-input`, with the nearest name. */
export function exportThing(name: string): ExportThing {
  const found: ExportThing | undefined = Object.hasOwn(things, name) ? things[name as ExportName] : undefined;
  if (found !== undefined) return found;
  const hint = didYouMean(String(name), [...exportNames]) || ` Known are: ${exportNames.join(', ')}.`;
  throw new SwapfoldError('invalid-input', `There is nothing to export by the name of ${show(name)}.${hint}`);
}
