import { SwapfoldError } from '../errors.ts';
import type { Metric } from './metric.ts';
import { activity } from './shared/activity.ts';
import { native } from './shared/native.ts';
import { results } from './shared/results.ts';
import { roiDistribution } from './shared/roi-distribution.ts';
import { series } from './shared/series.ts';
import { wash } from './shared/wash.ts';
import { tokenPrice } from './tokens/price.ts';
import { tokenResults } from './tokens/results.ts';
import { tokenWallets } from './tokens/wallets.ts';
import { walletEntries } from './wallets/entries.ts';
import { walletLuck } from './wallets/luck.ts';
import { walletResults } from './wallets/results.ts';
import { walletRisk } from './wallets/risk.ts';
import { walletTime } from './wallets/time.ts';
import { walletTokens } from './wallets/tokens.ts';

/** Every metric of the interface and the extensions beside them: one declaration each, and nothing else anywhere. */
const declared = [
  ...activity,
  ...results,
  ...series,
  ...walletResults,
  ...walletTokens,
  ...walletTime,
  ...walletRisk,
  ...tokenResults,
  ...tokenWallets,
  ...tokenPrice,
  ...roiDistribution,
  ...walletEntries,
  ...walletLuck,
  ...native,
  ...wash,
] as const satisfies readonly Metric[];

/** The declarations with their literal names: what the types of answers and filters derive from. */
export type BuiltInMetric = (typeof declared)[number];

/** Every metric of the interface and its few extensions: one declaration each, and nothing else anywhere. */
export const builtInMetrics: readonly Metric[] = declared;

/** The built-in metrics and an embedder's own. Errors: `invalid-config` for a name that is taken. */
export function allMetrics(own: readonly Metric[]): readonly Metric[] {
  const metrics = [...builtInMetrics, ...own];
  const seen = new Set<string>();
  for (const metric of metrics) {
    for (const of of metric.of) {
      const key = `${of} ${metric.group ?? ''} ${metric.name}`;
      if (seen.has(key))
        throw new SwapfoldError(
          'invalid-config',
          `The metric "${metric.name}" of ${of} is declared twice; give yours another name.`,
        );
      seen.add(key);
    }
  }
  return metrics;
}
