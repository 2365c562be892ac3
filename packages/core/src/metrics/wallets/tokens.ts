import { metricOfWalletsAlone, over } from '../declare.ts';
import { ratio } from '../numbers.ts';
import { dayTrades, winAndLoss } from '../story.ts';

export const walletTokens = [
  metricOfWalletsAlone({
    name: 'avg_token_pnl',
    unit: 'USD',
    sentence: 'Mean result of a token.',
    formula: 'mean of pnl_p over P',
    terms: ['positionPnl', 'positions'],
    value: (bag) => ratio(bag.positionPnl, bag.positions),
    examples: [over(winAndLoss, -15, '(50 - 80) / 2'), over(dayTrades, 30, 'one token')],
  }),
  metricOfWalletsAlone({
    name: 'avg_token_roi',
    unit: 'percent',
    sentence: 'Mean return of a token.',
    formula: 'mean of pnl_p / cost_p x 100 over P',
    terms: ['positionRoiSum', 'positionRois'],
    value: (bag) => ratio(bag.positionRoiSum, bag.positionRois),
    examples: [over(winAndLoss, 5, '(50 - 40) / 2'), over(dayTrades, 6, '30 / 500')],
  }),
  metricOfWalletsAlone({
    name: 'token_hit_ratio',
    unit: 'ratio',
    sentence: 'Part of the tokens that brought a profit.',
    formula: '|p with pnl_p > 0| / position_count',
    terms: ['positionWins', 'positions'],
    value: (bag) => ratio(bag.positionWins, bag.positions),
    examples: [over(winAndLoss, 0.5, 'A of A and B')],
  }),
] as const;
