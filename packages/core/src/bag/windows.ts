import type { EntityKind } from '../records/profile-fields.ts';
import { windowSeconds } from '../time.ts';

/** Windows of the profiles, longest first, as they stand on the wire. */
export const profileWindows = {
  tokens: ['7d', '1d', '6h', '1h', '5m', '1m'],
  wallets: ['30d', '14d', '7d', '3d', '1d'],
  positions: ['30d', '14d', '7d', '3d', '1d'],
} as const;

/** A window and the equal periods that it is cut into; both end at the as-of time. */
export interface WindowSpec {
  readonly name: keyof typeof windowSeconds;
  readonly seconds: number;
  readonly periods: number;
  readonly period: number;
  /** What mean / deviation of the period series is multiplied by: annualised for wallets, per window for tokens. */
  readonly ratioScale: number;
}

const YEAR = 365 * 86_400;

const periodCounts = {
  wallets: { '30d': 30, '14d': 14, '7d': 7, '3d': 24, '1d': 24 },
  tokens: { '7d': 28, '1d': 24, '6h': 12, '1h': 12, '5m': 10, '1m': 12 },
} as const satisfies { readonly [K in EntityKind]: Readonly<Record<(typeof profileWindows)[K][number], number>> };

function specsOf(kind: EntityKind): readonly WindowSpec[] {
  const counts: Readonly<Record<string, number>> = periodCounts[kind];
  return profileWindows[kind].map((name) => {
    const seconds = windowSeconds[name];
    const periods = counts[name]!;
    const period = seconds / periods;
    return { name, seconds, periods, period, ratioScale: Math.sqrt(kind === 'wallets' ? YEAR / period : periods) };
  });
}

/** The windows of wallet and token profiles, longest first. */
export const windowSpecs: Readonly<Record<EntityKind, readonly WindowSpec[]>> = {
  tokens: specsOf('tokens'),
  wallets: specsOf('wallets'),
};

/**
 * Seconds of a bucket. What the trades of a bucket add up to stays when windows move on, since buckets lie where time puts them: an hour of a
 * bot, five minutes of a token that trades a million times a day.
 */
export const bucketSeconds: Readonly<Record<EntityKind, number>> = { tokens: 300, wallets: 3600 };
