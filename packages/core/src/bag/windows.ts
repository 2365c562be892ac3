import { profileWindows } from '../profiles/catalogue.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { windowSeconds } from '../time.ts';

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
} as const;

function specsOf(kind: ProfileKind): readonly WindowSpec[] {
  const counts: Readonly<Record<string, number>> = periodCounts[kind];
  return profileWindows[kind].map((name) => {
    const seconds = windowSeconds[name];
    const periods = counts[name]!;
    const period = seconds / periods;
    return { name, seconds, periods, period, ratioScale: Math.sqrt(kind === 'wallets' ? YEAR / period : periods) };
  });
}

/** The windows of wallet and token profiles, longest first. */
export const windowSpecs: Readonly<Record<ProfileKind, readonly WindowSpec[]>> = {
  tokens: specsOf('tokens'),
  wallets: specsOf('wallets'),
};
