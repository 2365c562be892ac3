import * as v from 'valibot';

/**
 * Thresholds of the rules of launches (docs/reference/launches.md).
 *
 * - `sniper_seconds`, `sniper_blocks`: the span of a launch, after its second and its block.
 * - `bundle_wallets`: so many wallets side by side are a bundle.
 * - `block_seconds`: how long blocks of the chain take at most, as a rule; `null` if it is not known.
 * - `insider_share`: percent of the supply that an insider got at least. `insider_steps`: from whom, counted from the dev or a bundler.
 * - `activity_wallets`, `activity_seconds`: what makes the first swap of a token without a creation time a launch.
 */
export interface LaunchRules {
  readonly sniper_seconds: number;
  readonly sniper_blocks: number;
  readonly bundle_wallets: number;
  readonly block_seconds: number | null;
  readonly insider_share: number;
  readonly insider_steps: number;
  readonly activity_wallets: number;
  readonly activity_seconds: number;
}

export const defaultLaunch: Omit<LaunchRules, 'block_seconds'> = {
  sniper_seconds: 5,
  sniper_blocks: 1,
  bundle_wallets: 4,
  insider_share: 0.1,
  insider_steps: 2,
  activity_wallets: 5,
  activity_seconds: 3600,
};

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0, 'expected a number above 0'));

/** The field `launch` of a configuration. */
export const launchRules = v.strictObject({
  sniper_seconds: v.optional(whole(0, 3600), defaultLaunch.sniper_seconds),
  sniper_blocks: v.optional(whole(0, 1000), defaultLaunch.sniper_blocks),
  bundle_wallets: v.optional(whole(2, 1000), defaultLaunch.bundle_wallets),
  block_seconds: v.optional(v.nullable(positive)),
  insider_share: v.optional(v.pipe(positive, v.maxValue(100)), defaultLaunch.insider_share),
  insider_steps: v.optional(whole(1, 5), defaultLaunch.insider_steps),
  activity_wallets: v.optional(whole(1, 1000), defaultLaunch.activity_wallets),
  activity_seconds: v.optional(whole(1, 86_400), defaultLaunch.activity_seconds),
});
