import { presets } from '@swapfold/core';
import { nameHeads, nameTails, protocolOf, tokenNames } from './names.ts';
import type { Settled } from './options.ts';
import { establishedPath, type Fate, launchPath, type Price } from './price-path.ts';
import { addressText, base58Text, Random } from './random.ts';

/** The quote tokens come first in every list of tokens. */
export const USDC = 0;
export const USDT = 1;
export const SOL = 2;
export const QUOTES = 3;

/** A token of the market: its registry facts, its price over time, and what becomes of it. */
export interface MarketAsset {
  readonly address: string;
  /** `null`: swaps do not tell it. */
  readonly symbol: string | null;
  readonly name: string;
  readonly decimals: number;
  readonly supply: number;
  readonly launchTime: number;
  readonly rugTime: number;
  readonly path: Price;
  /** Standing among the tokens: activity goes with 1 / rank. */
  readonly rank: number;
  /** Pools it trades in, places in `protocols`. */
  readonly pools: readonly number[];
  /** Wallet that launched it, -1 for those that were there before. */
  readonly creator: number;
  /** Whether the feed knows its price without a quote token on the other side. */
  readonly isPriced: boolean;
}

/** Prices of the established tokens, from a fraction of a cent to a bitcoin. */
const establishedStarts = [
  96_500, 3400, 0.92, 2.1, 0.000021, 0.38, 14.2, 0.0081, 187, 1.0007, 0.00000123, 41_000,
] as const;
const supplies = [1e9, 1e9, 1e9, 1e9, 1e9, 1e6, 21e6, 420.69e9, 1e12, 1e15] as const;

export function makeTokens(options: Settled): MarketAsset[] {
  const random = new Random(options.seed, 1);
  const span = Math.ceil(options.days * 86_400);
  const start = options.endTime - span;
  const established = Math.min(establishedStarts.length, Math.max(3, Math.floor(options.tokens / 6)));
  const ranks = shuffledRanks(random, options.tokens);
  const assets = quoteAssets(random, start, span);
  for (let i = 0; i < options.tokens; i++) {
    assets.push(
      i < established
        ? establishedAsset(random, { i, start, span, rank: ranks[i]! })
        : launchedAsset(random, { options, i, start, span, rank: ranks[i]! }),
    );
  }
  return assets;
}

export function quoteAssets(random: Random, start: number, span: number): MarketAsset[] {
  const shared = { launchTime: -Infinity, rugTime: Infinity, rank: 1, creator: -1, isPriced: true };
  const pools = [protocolOf.raydium, protocolOf.orca, protocolOf.meteora, protocolOf.clmm, protocolOf.phoenix];
  return presets.solana.quote_tokens.map((token) => ({
    ...shared,
    address: token.address,
    symbol: token.symbol,
    name: { USDC: 'USD Coin', USDT: 'Tether USD', SOL: 'Wrapped SOL' }[token.symbol],
    decimals: token.symbol === 'SOL' ? 9 : 6,
    supply: token.symbol === 'SOL' ? 590_000_000 : 8_000_000_000,
    path: establishedPath(random, {
      from: start,
      span,
      start: token.symbol === 'SOL' ? 150 : 1,
      deviation: token.symbol === 'SOL' ? 0.012 : 0.0001,
    }),
    pools,
  }));
}

function establishedAsset(random: Random, o: { i: number; start: number; span: number; rank: number }): MarketAsset {
  const price = establishedStarts[o.i]!;
  return {
    ...nameOf(random, o.i),
    address: addressText(random),
    decimals: price > 1000 ? 8 : 6,
    supply: 4e8 * (1 / price) * random.pareto(8),
    launchTime: -Infinity,
    rugTime: Infinity,
    path: establishedPath(random, {
      from: o.start,
      span: o.span,
      start: price,
      deviation: random.between(0.012, 0.03),
    }),
    rank: o.rank,
    pools: [protocolOf.raydium, protocolOf.orca, protocolOf.meteora],
    creator: -1,
    isPriced: true,
  };
}

function launchedAsset(
  random: Random,
  o: { options: Settled; i: number; start: number; span: number; rank: number },
): MarketAsset {
  const last = o.options.rush > 0 ? 0.9997 : 0.97;
  const launchTime = o.start + 60 + Math.floor((o.span - 60) * last * random.unit());
  const supply = random.pick(supplies);
  const fate = random.pick<Fate>(['rug', 'rug', 'rug', 'rug', 'fade', 'fade', 'fade', 'pump', 'pump', 'survivor']);
  const start = (random.between(4000, 9000) * random.pareto(50)) / supply;
  const { path, rugTime } = launchPath(random, {
    from: launchTime,
    span: o.options.endTime - launchTime + 1,
    start,
    fate,
  });
  const isPump = random.chance(0.7);
  return {
    ...nameOf(random, o.i),
    ...(o.i % 12 === 11 && { symbol: null }),
    address: isPump ? `${base58Text(random, 40)}pump` : addressText(random),
    decimals: supply > 1e12 ? 3 : 6,
    supply,
    launchTime,
    rugTime,
    path,
    rank: o.rank,
    pools: isPump
      ? [protocolOf.pumpFun, protocolOf.pumpAmm]
      : [protocolOf.raydium, protocolOf.meteora, protocolOf.orca],
    creator: random.below(o.options.wallets),
    isPriced: !random.chance(0.3),
  };
}

export function nameOf(random: Random, i: number): { symbol: string; name: string } {
  const known = tokenNames[i - 3];
  if (known !== undefined && i % 2 === 1) return { symbol: known[0], name: known[1] };
  const head = random.pick(nameHeads);
  const tail = random.pick(nameTails);
  const number = i > 60 && random.chance(0.5) ? String(random.below(1000)) : '';
  return {
    symbol: `${head.slice(0, 3)}${tail.slice(0, 4)}${number}`.toUpperCase(),
    name: `${head} ${tail}${number && ` ${number}`}`,
  };
}

function shuffledRanks(random: Random, n: number): number[] {
  const ranks = Array.from({ length: n }, (_, i) => i + 1);
  for (let i = n - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [ranks[i], ranks[k]] = [ranks[k]!, ranks[i]!];
  }
  return ranks;
}

/** The token that everyone trades in a surge or rush: an established one, so that it is there from the start; in a rush, that which rises most. */
export function busyToken({ rush, endTime }: Settled, assets: readonly MarketAsset[]): number {
  const surging = QUOTES + 2;
  if (rush === 0) return surging;
  const risen = ({ path }: MarketAsset): number => path.at(endTime) / path.at(endTime - 3600);
  let best = surging;
  for (const [token, asset] of assets.entries())
    if (token >= QUOTES && asset.creator < 0 && risen(asset) > risen(assets[best]!)) best = token;
  return best;
}
