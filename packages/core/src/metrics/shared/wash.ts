import { extensionOfTokens, extensionOfWallets, extensionOfWalletsAlone, over } from '../declare.ts';
import { ratio } from '../numbers.ts';
import { madeMarket, washed, winAndLoss } from '../story.ts';

/** Part of a volume below which what is left of it is rounding. */
const ROUNDING = 1e-9;

const formula =
  'sum volume_p over the positions with at least 5 buys and 5 sells, |pnl_p| <= 0.002 x volume_p and a mean holding of at most 120 s';

export const wash = [
  extensionOfWallets({
    name: 'wash_volume',
    unit: 'USD',
    sentence: 'Volume of the positions that were bought and sold often, at once and for nothing.',
    formula,
    empty: 0,
    terms: ['washVolume'],
    value: (bag) => bag.washVolume,
    examples: [
      over(washed, 1000, 'ten trades of 100 in A; B was held for an hour'),
      over(madeMarket, 0, 'a result of 5 of 1,005 is more than 0.2 %'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'wash_share',
    unit: 'ratio',
    sentence: 'Wash volume against the volume.',
    formula: 'wash_volume / volume',
    terms: ['washVolume', 'buyVolume', 'sellVolume'],
    value: (bag) => ratio(bag.washVolume, bag.buyVolume + bag.sellVolume),
    examples: [over(washed, 1000 / 1400, '1,000 of A / (1,000 + 400 of B)'), over(winAndLoss, 0, 'none of it is wash')],
  }),
  extensionOfTokens({
    name: 'organic_volume',
    unit: 'USD',
    sentence: 'Volume without that of the positions that were bought and sold often, at once and for nothing.',
    formula: 'volume - the wash_volume of the positions of its wallets, 0 within 1e-9 of the volume',
    empty: 0,
    terms: ['buyVolume', 'sellVolume', 'washVolume'],
    value: (bag) => {
      const volume = bag.buyVolume + bag.sellVolume;
      const organic = volume - bag.washVolume;
      return organic <= ROUNDING * volume ? 0 : organic;
    },
    examples: [over(washed, 400, '1,400, less the 1,000 of wallet A')],
  }),
] as const;
