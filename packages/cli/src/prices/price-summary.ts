import type { Config } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import type { ImportSummary } from '@swapfold/files';
import { countLines, rejectLines } from '../importing/summary.ts';
import { formatCount } from '../text/numbers.ts';

/** Warnings that are shown, and files that were passed over. */
const SHOWN = 5;

/** What an import of prices tells at its end. */
export function priceSummary(summary: ImportSummary, config: Config): string[] {
  const { rows, files, presets, counts, rejected, passed, reasons, passed_files, prices, warnings } = summary;
  const restFiles = passed_files.length - SHOWN;
  const shown = Object.entries(counts).filter(([name, count]) => name !== 'repeated' || count > 0);
  return [
    `Read ${formatCount(rows)} rows of ${files === 1 ? 'one file' : `${files} files`}: ${[...presets].join(', ')}.`,
    ...countLines([...shown, ['rejected', rejected], ...(passed > 0 ? [['passed over', passed] as const] : [])]),
    ...[...reasons].map(([reason, count]) => `Passed over ${formatCount(count)}: ${reason}.`),
    ...passed_files.slice(0, SHOWN).map(({ file }) => `Passed over ${file}: it is no file of prices that is known.`),
    ...(restFiles > 0 ? [`Passed over ${formatCount(restFiles)} more files.`] : []),
    ...tokenLines(prices, config),
    ...warningLines(warnings, config),
    ...rejectLines(summary),
  ];
}

/** The prices that swaps of their hour contradict, if any. */
function warningLines(warnings: ImportSummary['warnings'], { quote_tokens: quotes, print_factor }: Config): string[] {
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
function tokenLines(prices: ImportSummary['prices'], { quote_tokens: quotes }: Config): string[] {
  const times = new Map<string, Map<number, boolean>>();
  for (const { token, time, usd_price } of prices) {
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
