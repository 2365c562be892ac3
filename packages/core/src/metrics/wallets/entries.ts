import { EARLY_ENTRY } from '../../bag/bag.ts';
import { extensionOfWalletsAlone, over } from '../declare.ts';
import { ratio } from '../numbers.ts';
import { dayTrades, entries } from '../story.ts';

export const walletEntries = [
  extensionOfWalletsAlone({
    name: 'entry_count',
    unit: 'count',
    sentence: 'Buys that open a position in a token whose creation is known.',
    formula: '|E|',
    terms: ['entries'],
    isSum: true,
    value: (bag) => bag.entries,
    examples: [
      over(entries, 3, 'A twice and B; the creation of C is unknown, that of D said to be later'),
      over(entries, 0, 'the buy of B is 3 d old to the second: before the window', { window: '3d' }),
      over(dayTrades, 0, 'no creation is known'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'avg_entry_delay',
    unit: 'seconds',
    sentence: "Mean time from a token's creation to the buys that open a position in it, where known.",
    formula: 'mean of block_time - created_at over E',
    terms: ['entryDelay', 'entries'],
    value: (bag) => ratio(bag.entryDelay, bag.entries),
    examples: [over(entries, 28_828, '(12 + 86412 + 60) / 3'), over(dayTrades, null, 'no creation is known')],
  }),
  extensionOfWalletsAlone({
    name: 'early_entry_ratio',
    unit: 'ratio',
    sentence: `Part of the entries that came within ${EARLY_ENTRY} seconds of the token's creation.`,
    formula: `|e in E with block_time - created_at <= ${EARLY_ENTRY}| / entry_count`,
    terms: ['earlyEntries', 'entries'],
    value: (bag) => ratio(bag.earlyEntries, bag.entries),
    examples: [over(entries, 2 / 3, '12 s and 60 s of three'), over(dayTrades, null, 'no creation is known')],
  }),
] as const;
