import type { Config, StoreInfo, Swapfold } from '@swapfold/core';
import { note, print } from '../output.ts';
import { formatCount, formatPercent } from '../text/numbers.ts';

/** The share of swaps without a value from which on a command warns of them. */
const MOST_UNVALUED = 0.01;

/** How far a feed may differ from a stable leg to be believed. */
const BELIEVED = 0.05;

/** The share of trades with gaps from which on a command warns of a feed that fills in balances. */
const MANY_GAPS = 0.25;

/** Percent of the sells without a cost that a summary tells of. */
const LEAST_UNMATCHED = 0.05;

type Valued = Pick<StoreInfo, 'swaps' | 'valuation'>;

/** Tells, after an import, how many swaps of the store are contradicted, and warns if many have no value. Returns what the store holds. */
export async function tellValuation(dex: Swapfold): Promise<StoreInfo> {
  const info = await dex.info();
  const told = [...contradictedLines(info), ...stableFeedLines(info), ...ledgerLines(info)];
  if (told.length > 0) print(told.join('\n'));
  const warning = [...gapWarning(info), ...unvaluedWarning(info, dex.config)];
  if (warning.length > 0) note(warning.join('\n'));
  return info;
}

/** How many swaps are worth something else than their feed says, if any. */
export function contradictedLines({ valuation: { contradicted } }: Valued): string[] {
  if (contradicted === 0) return [];
  return [
    `Contradicted in the store: ${swapCount(contradicted)}. A quote token says that they are worth something else than their feed says; its value counts.`,
  ];
}

/** What came and went beside the swaps of the store, and how much was sold that has no cost, if any. */
export function ledgerLines({ ledger }: Pick<StoreInfo, 'ledger'>): string[] {
  const { trades_with_gaps: gaps, contradicted_balances: contradicted, unmatched_share: share } = ledger;
  return [
    ...(gaps === 0
      ? []
      : [`Gaps in the store: before ${tradeCount(gaps)} tokens came or went that no swap or transfer explains.`]),
    ...(contradicted === 0
      ? []
      : [
          `Balances that cannot be: those of ${tradeCount(contradicted)} count as not reported. If a feed fills in zeros, import it with --balances ignore.`,
        ]),
    ...(share === null || share < LEAST_UNMATCHED
      ? []
      : [`Sold without a known cost: ${formatPercent(share)} of the value of all sells. No profit has it.`]),
  ];
}

/** A warning if many balances deny those before them, as those of a feed do that fills in zeros, and what helps. */
export function gapWarning({ ledger, trades }: Pick<StoreInfo, 'ledger' | 'trades'>): string[] {
  const { trades_with_gaps: gaps } = ledger;
  if (gaps <= trades * MANY_GAPS) return [];
  return [
    `Warning: of ${formatPercent((gaps / trades) * 100)} of the trades the balance before denies the balance after the trade before.`,
    '  If a feed fills in zeros where it knows no balance, import it with --balances ignore into a new store.',
    '  If the wallets move tokens without swaps, import their transfers: swapfold import transfers FILE --db ...',
  ];
}

/** The stable tokens that feeds value otherwise by more than a feed is believed, and what helps. */
export function stableFeedLines({ valuation: { stable_feeds } }: Pick<Valued, 'valuation'>): string[] {
  return stable_feeds
    .filter(({ median }) => Math.abs(median - 1) > BELIEVED)
    .map(
      ({ symbol, swaps, median }) =>
        `Feeds say ${formatPercent(median * 100)} of what ${symbol} says, the median of its newest ${swapCount(swaps)} with a feed; ${symbol} counts. If it lost its peg, import its prices: swapfold import prices FILE --token ${symbol} --db ...`,
    );
}

/** What `swapfold info` says of feeds beside stable tokens. */
export function stableFeedText({ valuation: { stable_feeds } }: Pick<Valued, 'valuation'>): string {
  if (stable_feeds.length === 0) return 'none';
  return stable_feeds
    .map(({ symbol, median }) => {
      const advice = Math.abs(median - 1) > BELIEVED ? ` (if it lost its peg, import prices of ${symbol})` : '';
      return `${formatPercent(median * 100)} of what ${symbol} says${advice}`;
    })
    .join('; ');
}

/** A warning if more than one in a hundred swaps have no value: how many, which token has no price, and what helps. */
export function unvaluedWarning(
  { swaps, valuation: { unvalued, unpriced } }: Valued,
  { quote_tokens: quotes }: Pick<Config, 'quote_tokens'>,
): string[] {
  if (unvalued <= swaps * MOST_UNVALUED) return [];
  const share = formatPercent((unvalued / swaps) * 100);
  const first = `Warning: ${formatCount(unvalued)} of ${swapCount(swaps)} (${share}) have no value in USD; sums in USD leave them out.`;
  const [most] = unpriced;
  if (most === undefined)
    return [
      first,
      '  No quote token is in them. Name the tokens that others are quoted in as "quote_tokens" in the configuration, or give usd_amount_in or usd_amount_out.',
    ];
  const symbols = unpriced.map(({ symbol }) => symbol).join(' and ');
  const native = quotes.find(
    (quote) => quote.kind === 'native' && unpriced.some(({ token }) => token === quote.address),
  );
  const stable = quotes.find(({ kind }) => kind === 'stable');
  return [
    first,
    ...unpriced.map(({ symbol, swaps: count }) => `  ${symbol} has no price in ${formatCount(count)} of them.`),
    `  Import prices of ${symbols}: swapfold import prices FILE --token ${most.symbol} --db ...`,
    ...(native === undefined || stable === undefined
      ? []
      : [`  Or import swaps of ${native.symbol} against a stable token, such as ${stable.symbol}.`]),
  ];
}

/** What `swapfold info` says of the swaps without a value. */
export function unvaluedText({ valuation: { unvalued, unpriced } }: Valued): string {
  const of = unpriced.map(({ symbol, swaps }) => `${symbol} has no price in ${formatCount(swaps)}`);
  return [swapCount(unvalued), ...of].join('; ');
}

export function tradeCount(count: number): string {
  return count === 1 ? 'one trade' : `${formatCount(count)} trades`;
}

export function swapCount(count: number): string {
  return count === 1 ? 'one swap' : `${formatCount(count)} swaps`;
}
