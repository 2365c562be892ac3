import type { Bag } from '../../bag/bag.ts';
import { metricOfWallets, metricOfWalletsAlone, over } from '../declare.ts';
import {
  compounded,
  MIN_PERIODS,
  mean,
  ratio,
  scaled,
  sharpe,
  sortino,
  stability,
  volatility,
  weightedMean,
} from '../numbers.ts';
import { dayTrades, evenOdds, winAndLoss } from '../story.ts';

const MIN_DECIDED = 5;

const ruinTerms = ['wins', 'losses', 'winPnl', 'lossPnl', 'ruinP', 'ruinB', 'ruinU', 'ruinZ'] as const;

function ruin(bag: Pick<Bag, (typeof ruinTerms)[number]>): number | null {
  if (bag.wins + bag.losses < MIN_DECIDED) return null;
  if (bag.winPnl + bag.lossPnl <= 0) return 100;
  if (bag.losses === 0) return 0;
  return Math.exp(-bag.ruinU * bag.ruinZ) * 100;
}

/** A stability as a part of a score: 0 where the series has a mean that is not positive. */
function rewarded(stable: number | null, series: Float64Array): number | null {
  return stable === null ? null : mean(series) <= 0 ? 0 : stable;
}

function lacking(part: number | null): number | null {
  return part === null ? null : 1 - part;
}

const riskTerms = ['realised', 'returnsFall', 'periodRoi', 'activePeriods', ...ruinTerms] as const;

function riskOf(bag: Pick<Bag, (typeof riskTerms)[number]>): number | null {
  if (bag.realised === 0) return null;
  const winrate = ratio(bag.wins, bag.wins + bag.losses);
  const even = rewarded(stability(bag.periodRoi, bag.activePeriods), bag.periodRoi);
  return scaled(
    weightedMean([
      [bag.returnsFall / 100, 0.35],
      [scaled(ruin(bag), 0.01), 0.25],
      [lacking(even), 0.2],
      [lacking(winrate), 0.2],
    ]),
    100,
  );
}

const consistencyTerms = ['activePeriods', 'winningPeriods', 'periodPnl', 'periodWinrate'] as const;

function consistencyOf(bag: Pick<Bag, (typeof consistencyTerms)[number]>): number | null {
  if (bag.activePeriods < MIN_PERIODS) return null;
  const rated = bag.periodWinrate;
  return scaled(
    weightedMean([
      [ratio(bag.winningPeriods, bag.activePeriods), 0.4],
      [rewarded(stability(bag.periodPnl, bag.activePeriods), bag.periodPnl), 0.3],
      [rewarded(stability(rated, rated.length), rated), 0.3],
    ]),
    100,
  );
}

export const walletRisk = [
  metricOfWalletsAlone({
    name: 'time_weighted_roi',
    unit: 'percent',
    sentence: 'Return of the periods compounded.',
    formula: '(product of (1 + roi_j / 100) - 1) x 100',
    empty: 0,
    terms: ['periodRoi'],
    value: (bag) => compounded(bag.periodRoi),
    examples: [
      over(winAndLoss, -10, '1.5 x 0.6 = 0.9'),
      over(dayTrades, 28.304, '1.1 x 1.2 x 0.9 x 1.2 x 0.9 = 1.28304'),
    ],
  }),
  metricOfWallets({
    name: 'winrate_volatility',
    unit: 'percent',
    sentence: 'How much the win rate of a period scatters, in points.',
    formula: 'volatility of winrate_j',
    terms: ['periodWinrate'],
    value: (bag) => volatility(bag.periodWinrate, bag.periodWinrate.length),
    examples: [
      over(dayTrades, Math.sqrt(3000), '100 100 0 100 0: (3 x 40^2 + 2 x 60^2) / 4, root'),
      over(winAndLoss, null, '2 periods are too few'),
    ],
  }),
  metricOfWallets({
    name: 'winrate_stability',
    unit: 'ratio',
    sentence: 'How even the win rate of the periods is, 0 to 1.',
    formula: '|mean| / (|mean| + volatility) of winrate_j',
    terms: ['periodWinrate'],
    value: (bag) => stability(bag.periodWinrate, bag.periodWinrate.length),
    examples: [
      over(dayTrades, 60 / (60 + Math.sqrt(3000)), 'mean 60 against the volatility'),
      over(winAndLoss, null, '2 periods are too few'),
    ],
  }),
  metricOfWallets({
    name: 'sharpe_ratio',
    unit: 'ratio',
    sentence: 'Mean return of a period against its scatter, annualised, risk-free rate 0.',
    formula: 'mean(roi_j) / volatility(roi_j) x sqrt(365 d / h)',
    terms: ['periodRoi', 'activePeriods', 'ratioScale'],
    value: (bag) => sharpe(bag.periodRoi, bag.activePeriods, bag.ratioScale),
    examples: [
      over(
        dayTrades,
        (30 / 7 / Math.sqrt(6800 / 42)) * Math.sqrt(365),
        'mean 30 / 7, volatility as roi_volatility, periods of a day',
      ),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
    source: 'Sharpe (1994)',
  }),
  metricOfWallets({
    name: 'sortino_ratio',
    unit: 'ratio',
    sentence: 'Mean return of a period against its downside, annualised, target 0.',
    formula: 'mean(roi_j) / sqrt(mean(min(roi_j, 0)^2)) x sqrt(365 d / h)',
    terms: ['periodRoi', 'activePeriods', 'ratioScale'],
    value: (bag) => sortino(bag.periodRoi, bag.activePeriods, bag.ratioScale),
    examples: [
      over(dayTrades, (30 / 7 / Math.sqrt(200 / 7)) * Math.sqrt(365), 'two days of -10 in seven'),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
    source: 'Sortino & Price (1994)',
  }),
  metricOfWallets({
    name: 'max_drawdown',
    unit: 'percent',
    sentence: 'Largest fall of the compounded returns from their peak.',
    formula: 'max(1 - E_j / running peak) x 100, E_0 = 1, E_j = E_(j-1) x (1 + roi_j / 100)',
    empty: 0,
    terms: ['periodRoi', 'returnsFall'],
    value: (bag) => bag.returnsFall,
    examples: [over(winAndLoss, 40, '1.5 to 0.9'), over(dayTrades, 10, '1.32 to 1.188, 1.4256 to 1.28304')],
    source: 'empyrical (Apache-2.0), max_drawdown',
  }),
  metricOfWallets({
    name: 'risk_of_ruin',
    unit: 'percent',
    sentence: 'Chance that an unending run of such sells ever loses one average stake.',
    formula:
      'exp(-U z) x 100, U = min(1e6, max(1, mean cost / |mean loss|)), z > 0 the root of p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, p = winrate / 100, b = win_loss_size_ratio; null with fewer than 5 wins and losses together, else 100 where win_pnl + loss_pnl <= 0, else 0 without a loss',
    terms: ruinTerms,
    value: ruin,
    examples: [
      over(evenOdds, 100 * 1.5 ** -10, 'p = 0.6, b = 1: z = ln 1.5; U = 100 / 10'),
      over(winAndLoss, null, 'fewer than 5 decided sells'),
    ],
    source: 'Cramer-Lundberg; Feller, vol. 2, ch. XII',
  }),
  metricOfWallets({
    name: 'risk_score',
    unit: 'score',
    sentence: 'How risky the trading is, 0 (safe) to 100.',
    formula:
      '100 x weighted mean of max_drawdown / 100 (0.35), risk_of_ruin / 100 (0.25), 1 - roi_stability (0.20), 1 - winrate / 100 (0.20); a part that is null drops out with its weight, roi_stability counts as 0 where the mean of roi_j is <= 0; null without a realised sell',
    terms: riskTerms,
    value: riskOf,
    examples: [
      over(
        evenOdds,
        100 * (0.35 * 0.109 + 0.25 * 1.5 ** -10 + 0.2 * (1 - 10 / 7 / (10 / 7 + Math.sqrt(3400 / 42))) + 0.2 * 0.4),
        'fall 10.9 (1.21 to 1.07811), ruin 1.5^-10, roi 0 10 10 -10 10 -10 0, winrate 60',
      ),
      over(
        winAndLoss,
        100 * ((0.35 * 0.4 + 0.2 * 0.5) / 0.55),
        'ruin and stability are undefined and drop out with their weights',
      ),
    ],
  }),
  metricOfWallets({
    name: 'consistency_score',
    unit: 'score',
    sentence: 'How reliably the periods bring a profit, 0 to 100.',
    formula:
      '100 x weighted mean of the share of periods with pnl_j > 0 among those with a realised sell (0.4), pnl_stability (0.3), winrate_stability (0.3); a part that is null drops out with its weight, a stability counts as 0 where the mean of its series is <= 0; null with fewer than 3 periods that hold a realised sell',
    terms: consistencyTerms,
    value: consistencyOf,
    examples: [
      over(
        dayTrades,
        100 * (0.4 * 0.6 + 0.3 * (30 / 7 / (30 / 7 + Math.sqrt(6800 / 42))) + 0.3 * (60 / (60 + Math.sqrt(3000)))),
        '3 of 5 periods win',
      ),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
  }),
] as const;
