import type { Bag } from '../../bag/bag.ts';
import { extensionOfAll, extensionOfTokens, extensionOfWallets, extensionOfWalletsAlone, over } from '../declare.ts';
import { percent, ratio } from '../numbers.ts';
import {
  feesPaid,
  feesPaidBare,
  feesStale,
  feesUnpriced,
  forNative,
  madeMarket,
  throughNative,
  unknownValue,
  washed,
  winAndLoss,
} from '../story.ts';

const feeTerms = ['fees', 'unpricedFees', 'bareFees', 'bareUnpricedFees'] as const;

function feesOf(bag: Pick<Bag, (typeof feeTerms)[number]>): number | null {
  return bag.unpricedFees + bag.bareUnpricedFees > 0 ? null : bag.fees + bag.bareFees;
}

export const native = [
  extensionOfAll({
    name: 'unvalued_trade_count',
    unit: 'count',
    sentence: 'Trades whose value in USD is unknown: they are in no sum of USD.',
    formula: '|t in T without a usd_amount|',
    terms: ['unvalued'],
    isSum: true,
    value: (bag) => bag.unvalued,
    examples: [
      over(unknownValue, 1, 'the first of the two sells'),
      over(forNative, 2, 'the native token has no price'),
      over(winAndLoss, 0, 'all have a value'),
    ],
  }),
  extensionOfAll({
    name: 'volume_native',
    unit: 'native',
    sentence: 'Value of the trades in the native token.',
    formula: 'sum native_amount over T, where known',
    terms: ['nativeVolume'],
    isSum: true,
    value: (bag) => bag.nativeVolume,
    examples: [over(forNative, 4, '1 + 3')],
  }),
  extensionOfWallets({
    name: 'pnl_native',
    unit: 'native',
    sentence: 'Profit in the native token, which no dollar is needed for.',
    formula: 'sum pnl_native over the sells that have one',
    terms: ['nativePnl'],
    isSum: true,
    value: (bag) => bag.nativePnl,
    examples: [
      over(forNative, 2, 'bought for 1, sold for 3'),
      over(throughNative, 4, 'A bought for 1, sold for 5 that buy B in the same transaction'),
      over(winAndLoss, 0, 'no native price and no native token'),
    ],
  }),
  extensionOfWallets({
    name: 'roi_native',
    unit: 'percent',
    sentence: 'Return in the native token on what the sold tokens cost in it.',
    formula: 'pnl_native / sum cost_native x 100',
    terms: ['nativePnl', 'nativeCost'],
    value: (bag) => percent(bag.nativePnl, bag.nativeCost),
    examples: [over(forNative, 200, '2 / 1'), over(winAndLoss, null, 'nothing has a cost in the native token')],
  }),
  extensionOfWallets({
    name: 'fees_native',
    unit: 'native',
    sentence:
      'What the wallet paid the chain for its trades, and for transactions that left none, in the native token.',
    formula: 'sum fee_native over T and the transactions of the wallet without a trade, where known',
    terms: ['feesNative', 'bareFeesNative'],
    isSum: true,
    value: (bag) => bag.feesNative + bag.bareFeesNative,
    examples: [
      over(feesPaid, 0.75, '0.25 + 0.5; the third trade says nothing'),
      over(feesPaidBare, 0.375, '0.25 for the trade, 0.125 for the round trip, which is of no position'),
      over(winAndLoss, 0, 'the feed gives no fees'),
    ],
  }),
  extensionOfWallets({
    name: 'fees',
    unit: 'USD',
    sentence:
      'What the wallet paid the chain for its trades, and for transactions that left none; null while a fee came before the first native price.',
    formula: 'sum fee_native x native price over T and the transactions of the wallet without a trade',
    terms: feeTerms,
    isSum: true,
    value: feesOf,
    examples: [
      over(feesPaid, 30, '0.25 x 40 + 0.5 x 40'),
      over(feesPaidBare, 15, '(0.25 + 0.125) x 40'),
      over(feesUnpriced, null, 'the native token never had a price'),
      over(winAndLoss, 0, 'the feed gives no fees'),
    ],
  }),
  extensionOfWallets({
    name: 'stale_fee_count',
    unit: 'count',
    sentence:
      'Fees that are worth a native price older than reference_max_age, counted once for each trade that bears one.',
    formula: '|fees of T and of the transactions of the wallet without a trade at a stale native price|',
    terms: ['staleFees', 'bareStaleFees'],
    isSum: true,
    value: (bag) => bag.staleFees + bag.bareStaleFees,
    examples: [
      over(feesStale, 2, 'priced 37 and 38 days before, with a reference_max_age of 3,000,000 s'),
      over(feesPaid, 0, 'priced less than 30 days before'),
    ],
  }),
  extensionOfWallets({
    name: 'net_pnl',
    unit: 'USD',
    sentence: 'Profit less what the wallet paid the chain for its trades.',
    formula: 'pnl - fees',
    terms: ['pnl', ...feeTerms],
    isSum: true,
    value: (bag) => {
      const fees = feesOf(bag);
      return fees === null ? null : bag.pnl - fees;
    },
    examples: [
      over(feesPaid, 20, '150 - 100 less fees of 30'),
      over(feesUnpriced, null, 'the fees have no value'),
      over(winAndLoss, -30, '50 - 80, without fees'),
    ],
  }),
] as const;

const formula =
  'sum of the volumes of round trips, sold at most 120 s after they were bought for a result of -3 % to 0.2 % of their volume, in the positions with 5 such buys and 5 such sells';

export const wash = [
  extensionOfWallets({
    name: 'wash_volume',
    unit: 'USD',
    sentence: 'Volume that was bought and sold often, at once and for nothing.',
    formula,
    empty: 0,
    terms: ['washVolume'],
    value: (bag) => bag.washVolume,
    examples: [
      over(washed, 1000, 'ten trades of 100 in A; B was held for an hour'),
      over(madeMarket, 0, 'results of 1 of 201 are more than 0.2 %'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'wash_share',
    unit: 'ratio',
    sentence: 'Wash volume against the volume.',
    formula: 'wash_volume / volume; in the native token if most trades have no value in USD',
    terms: [
      'washVolume',
      'buyVolume',
      'sellVolume',
      'unvalued',
      'buysKnown',
      'sellsKnown',
      'washVolumeNative',
      'nativeVolume',
    ],
    value: (bag) =>
      bag.unvalued > bag.buysKnown + bag.sellsKnown
        ? ratio(bag.washVolumeNative, bag.nativeVolume)
        : ratio(bag.washVolume, bag.buyVolume + bag.sellVolume),
    examples: [over(washed, 1000 / 1400, '1,000 of A / (1,000 + 400 of B)'), over(winAndLoss, 0, 'none of it is wash')],
  }),
  extensionOfTokens({
    name: 'organic_volume',
    unit: 'USD',
    sentence: 'Volume without what was bought and sold often, at once and for nothing.',
    formula: 'volume - the wash_volume of the positions of its wallets',
    empty: 0,
    terms: ['buyVolume', 'sellVolume', 'washVolume'],
    value: (bag) => bag.buyVolume + bag.sellVolume - bag.washVolume,
    examples: [over(washed, 400, '1,400, less the 1,000 of wallet A')],
  }),
] as const;
