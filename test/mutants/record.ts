import type { Mutant } from './mutant.ts';

const tally = 'queries/wallets/tally.ts';

/** Mutants of the record of wallets. */
export const record: readonly Mutant[] = [
  {
    breaks: 'a loser that was sent away costs nothing',
    file: tally,
    find: 'lossIn(numbers, known(resultAtMark(numbers, awayLots, price, awayCost)))',
    replace: '0 * awayLots * awayCost * price',
    noticedBy: 'record',
  },
  {
    breaks: 'gains on paper make up for losses on paper',
    file: tally,
    find: "formula: 'realized_pnl + unrealized_losses + away_pnl',\n    of: ['realized_pnl', 'unrealized_losses', 'away_pnl'],",
    replace:
      "formula: 'realized_pnl + unrealized_pnl + away_pnl',\n    of: ['realized_pnl', 'unrealized_pnl', 'away_pnl'],",
    noticedBy: 'record',
  },
  {
    breaks: 'two trades of one day are two days',
    file: 'bag/lifetime.ts',
    find: 'Math.floor(time / DAY) > Math.floor(life.last / DAY)',
    replace: 'time > life.last',
    noticedBy: 'record',
  },
  {
    breaks: 'what a store has forgotten is no part of a lifetime',
    file: 'refresh/trades.ts',
    find: ', lifetime: carried!.lifetimeOf(id)',
    replace: '',
    noticedBy: 'record',
  },
  {
    breaks: 'a page by the floor ends with the wallets that realised the most',
    file: 'queries/wallets/rows.ts',
    find: 'if (!read.hasMore || ceiling < least)',
    replace: 'if (read.length !== 0)',
    noticedBy: 'record',
  },
];
