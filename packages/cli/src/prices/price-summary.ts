import type { Config, PricesResult } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { countLines, faultLines } from '../importing/summary.ts';
import { formatCount } from '../text/numbers.ts';
import type { GatheredPrices, LocatedReject } from './gather-prices.ts';
import type { PriceRow } from './stored-prices.ts';

/** Rejects that are shown, and files that were passed over. */
const SHOWN = 5;

/** What became of the rows of all files. */
export interface ImportedPrices {
  readonly gathered: GatheredPrices;
  readonly outcome: Pick<PricesResult, 'stored' | 'removed' | 'warnings'>;
  readonly accepted: readonly PriceRow[];
  readonly rejects: readonly LocatedReject[];
}

/** Joins what the files and the store refused. */
export function importedPrices(gathered: GatheredPrices, outcome: PricesResult): ImportedPrices {
  const refused = new Set(outcome.rejects.map(({ row }) => row));
  const late = outcome.rejects.map(({ row, field, reason }) => ({ field, reason, ...gathered.origins[row]! }));
  const place = new Map(gathered.files.map((file, i) => [file, i]));
  const rejects = [...gathered.rejects, ...late].sort(
    (a, b) => place.get(a.file)! - place.get(b.file)! || a.row - b.row,
  );
  return { gathered, outcome, accepted: gathered.prices.filter((_, i) => !refused.has(i)), rejects };
}

/** What an import of prices tells at its end. */
export function priceSummary({ gathered, outcome, accepted, rejects }: ImportedPrices, config: Config): string[] {
  const { rows, files, shapes, passed, passedFiles } = gathered;
  const passedCount = [...passed.values()].reduce((sum, count) => sum + count, 0);
  const times = new Set(accepted.map(({ token, time }) => `${token} ${time}`)).size;
  const repeated = accepted.length - times;
  const restFiles = passedFiles.length - SHOWN;
  return [
    `Read ${formatCount(rows)} rows of ${files.length === 1 ? 'one file' : `${files.length} files`}: ${[...shapes].join(', ')}.`,
    ...countLines([
      ['stored', outcome.stored],
      ['removed', outcome.removed],
      ['unchanged', times - outcome.stored - outcome.removed],
      ...(repeated > 0 ? [['repeated', repeated] as const] : []),
      ['rejected', rejects.length],
      ...(passedCount > 0 ? [['passed over', passedCount] as const] : []),
    ]),
    ...[...passed].map(([reason, count]) => `Passed over ${formatCount(count)}: ${reason}.`),
    ...passedFiles.slice(0, SHOWN).map((file) => `Passed over ${file}: it is no file of prices that is known.`),
    ...(restFiles > 0 ? [`Passed over ${formatCount(restFiles)} more files.`] : []),
    ...tokenLines(accepted, config),
    ...warningLines(outcome.warnings, config),
    ...faultLines('Rejected', rejects.slice(0, SHOWN), rejects.length),
  ];
}

/** The prices that swaps of their hour contradict, if any. */
function warningLines(warnings: PricesResult['warnings'], { quote_tokens: quotes, print_factor }: Config): string[] {
  if (warnings.length === 0) return [];
  const symbolOf = (token: string): string => quotes.find(({ address }) => address === token)?.symbol ?? token;
  const rest = warnings.length - SHOWN;
  return [
    `Warning: ${warnings.length === 1 ? 'one price is' : `${formatCount(warnings.length)} prices are`} more than ${print_factor} times off what swaps of the same hour say. Stored all the same; remove a price with an empty usd_price:`,
    ...warnings
      .slice(0, SHOWN)
      .map(
        ({ token, time, usd_price, swaps_say }) =>
          `  ${symbolOf(token)} at ${formatTime(time)}: ${usd_price}, and swaps say ${swaps_say}`,
      ),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}

/** How many prices of which token, from when to when. Of two of one token and time the later counts. */
function tokenLines(accepted: readonly PriceRow[], { quote_tokens: quotes }: Config): string[] {
  const times = new Map<string, Map<number, boolean>>();
  for (const { token, time, usd_price } of accepted) {
    if (!times.has(token)) times.set(token, new Map());
    times.get(token)!.set(time, usd_price !== null);
  }
  return [...times].flatMap(([token, byTime]) => {
    let [count, first, last] = [0, Number.POSITIVE_INFINITY, 0];
    for (const [time, isPrice] of byTime) {
      if (!isPrice) continue;
      count++;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    if (count === 0) return [];
    const symbol = quotes.find(({ address }) => address === token)?.symbol ?? token;
    if (count === 1) return [`${symbol}: one price of ${formatTime(first)}.`];
    return [`${symbol}: ${formatCount(count)} prices from ${formatTime(first)} to ${formatTime(last)}.`];
  });
}
