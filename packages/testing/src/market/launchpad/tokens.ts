import { protocolOf } from '../names.ts';
import type { Settled } from '../options.ts';
import { base58Text, Random } from '../random.ts';
import { type MarketAsset, nameOf, quoteAssets, SOL } from '../tokens.ts';
import { FIRST_PRICE } from './curves.ts';
import type { LaunchpadWallets } from './wallets.ts';

/** One token in so many leaves its bonding curve. */
const GRADUATES = 100;

/** Share of the launches whose creator has launched none before. */
const NEW_CREATORS = 0.37;

/** A token of a launchpad, or a quote token. */
export interface LaunchpadAsset extends MarketAsset {
  readonly isGraduate: boolean;
}

/** Quote tokens, and then the launched ones in the order of their launches, which lie evenly over the period. */
export function makeLaunchpadTokens(options: Settled, wallets: LaunchpadWallets): LaunchpadAsset[] {
  const random = new Random(options.seed, 1);
  const span = Math.ceil(options.days * 86_400);
  const start = options.endTime - span;
  const assets: LaunchpadAsset[] = quoteAssets(random, start, span).map((asset) => ({ ...asset, isGraduate: false }));
  const sol = assets[SOL]!.path;
  const graduate = random.below(GRADUATES);
  let creators = 0;
  for (let i = 0; i < options.tokens; i++) {
    const isNew = creators === 0 || (creators < wallets.creators && random.chance(NEW_CREATORS));
    const creator = wallets.firstCreator + (isNew ? creators++ : random.below(creators));
    assets.push({
      ...nameOf(random, i),
      ...(i % 12 === 11 && { symbol: null }),
      address: `${base58Text(random, 40)}pump`,
      decimals: 6,
      supply: 1e9,
      launchTime: start + Math.floor((span * (i + random.unit())) / options.tokens),
      rugTime: Infinity,
      path: { at: (time) => FIRST_PRICE * sol.at(time) },
      rank: i + 1,
      pools: [protocolOf.pumpFun, protocolOf.pumpAmm],
      creator,
      isPriced: false,
      isGraduate: i % GRADUATES === graduate,
    });
  }
  return assets;
}
