import { extensionOfAll, extensionOfWallets, extensionOfWalletsAlone, over } from '../declare.ts';
import { percent } from '../numbers.ts';
import { cameBack, overSell, unknownValue, washed, winAndLoss } from '../story.ts';

export const moved = [
  extensionOfWallets({
    name: 'unmatched_proceeds',
    unit: 'USD',
    sentence: 'Value of what was sold without a known cost: beyond the lots, and from lots of unknown cost.',
    formula: 'sum of usd_amount - proceeds over S of known value, proceeds 0 if nothing of a sell has a cost',
    terms: ['unmatched'],
    isSum: true,
    value: (bag) => bag.unmatched,
    examples: [
      over(overSell, 450, '30 of 40 tokens have no cost: 600 x 30/40'),
      over(unknownValue, 0, 'the sell of unknown value stays out; the other has a lot'),
      over(winAndLoss, 0, 'all that was sold had been bought'),
    ],
  }),
  extensionOfAll({
    name: 'unmatched_share',
    unit: 'percent',
    sentence: 'Part of the value of the sells that has no known cost: no profit figure has it.',
    formula: 'unmatched_proceeds / sell_volume x 100',
    terms: ['unmatched', 'sellVolume'],
    value: (bag) => percent(bag.unmatched, bag.sellVolume),
    examples: [over(overSell, 75, '450 / 600'), over(winAndLoss, 0, 'all that was sold had been bought')],
  }),
  extensionOfWalletsAlone({
    name: 'quick_share',
    unit: 'percent',
    sentence:
      'Part of the value of the sells that was sold within a minute after it was bought: results that nobody can follow.',
    formula:
      'sum over S of the value of what was bought at most 60 s before, each sell taking the newest buys of its token that no sell took, / sell_volume x 100',
    terms: ['quickProceeds', 'sellVolume'],
    value: (bag) => percent(bag.quickProceeds, bag.sellVolume),
    examples: [
      over(washed, (500 / 700) * 100, '500 of A after a minute / (500 + 200 of B, held for an hour)'),
      over(winAndLoss, 0, 'all was held for longer'),
    ],
  }),
  extensionOfWallets({
    name: 'away_cost',
    unit: 'USD',
    sentence: 'Cost of the lots that left the wallet, without a sell, since the trade before each trade.',
    formula: 'sum over T of the known cost of the lots of the token that left since its trade before',
    terms: ['awayCost'],
    isSum: true,
    value: (bag) => bag.awayCost,
    examples: [
      over(cameBack, 80, '8 of the 10 tokens that cost 100 left before the first sell'),
      over(winAndLoss, 0, 'nothing left but by sells'),
    ],
  }),
  extensionOfWallets({
    name: 'returned_cost',
    unit: 'USD',
    sentence: 'Cost of the lots that came back to the wallet since the trade before each trade.',
    formula: 'sum over T of the known cost of the lots of the token that came back since its trade before',
    terms: ['returnedCost'],
    isSum: true,
    value: (bag) => bag.returnedCost,
    examples: [
      over(cameBack, 50, '5 of the tokens that were away, which cost 10 each, came back before the second sell'),
      over(winAndLoss, 0, 'nothing came back'),
    ],
  }),
] as const;
