import type { Candle, Swapfold, TokenProfile } from '@swapfold/core';
import { candleChart } from '../text/candle-chart.ts';
import { metricText } from '../text/metric.ts';
import { formatUsd } from '../text/numbers.ts';
import type { Palette } from '../text/palette.ts';
import { shownText } from '../text/shown-text.ts';

const HOUR = 3600;
const CHART_HEIGHT = 13;
const MARGIN = 14;

/** The token that most wallets traded in a day, the quote tokens aside. */
export async function hottestToken(dex: Swapfold): Promise<TokenProfile> {
  const quotes = dex.config.quote_tokens.map(({ address }) => address);
  const { data } = await dex.tokens.search({
    filter: { token_address: { $nin: quotes } },
    sort: { field: 'metrics.1d.makers_count', direction: 'desc' },
    limit: 1,
  });
  return data[0]!;
}

/** The last hourly candles, as many as the terminal is wide. */
export async function hourlyCandles(dex: Swapfold, token: string): Promise<readonly Candle[]> {
  const room = (process.stdout.columns ?? 80) - MARGIN;
  return dex.prices.candles({ token, interval: HOUR, count: Math.max(12, Math.min(room, 96)) });
}

export function tokenLines(token: TokenProfile, candles: readonly Candle[], palette: Palette): string[] {
  const { metadata, market, metrics } = token;
  const day = (['volume', 'trade_count', 'makers_count'] as const).map(
    (name) => `${name} ${metricText('tokens', name, metrics?.['1d']?.[name] ?? null)}`,
  );
  return [
    shownText([metadata?.symbol, metadata?.name, token.token_address].filter((part) => part != null).join('  ')),
    `price ${formatUsd(market?.price ?? null)}, market cap ${formatUsd(market?.market_cap ?? null)}; in a day: ${day.join(', ')}`,
    '',
    ...candleChart(candles, { height: CHART_HEIGHT, palette }),
  ];
}
