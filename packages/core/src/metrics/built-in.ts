import { SwapfoldError } from '../errors.ts';
import { checkNames, type Metric, metricPath } from './metric.ts';
import { activity } from './shared/activity.ts';
import { moved } from './shared/moved.ts';
import { native, wash } from './shared/native.ts';
import { results, tokenSells, walletSells } from './shared/results.ts';
import { roiDistribution, series } from './shared/series.ts';
import { tokenPrice, tokenWallets } from './tokens/results.ts';
import { walletEntries, walletLuck } from './wallets/luck.ts';
import { walletResults, walletTokens } from './wallets/results.ts';
import { walletRisk } from './wallets/risk.ts';
import { walletTime } from './wallets/time.ts';

/** Every metric of the interface and the extensions beside them: one declaration each, and nothing else anywhere. */
const declared = [
  ...activity,
  ...results,
  ...series,
  ...walletSells,
  ...walletResults,
  ...walletTokens,
  ...walletTime,
  ...walletRisk,
  ...tokenSells,
  ...tokenWallets,
  ...tokenPrice,
  ...roiDistribution,
  ...walletEntries,
  ...walletLuck,
  ...native,
  ...wash,
  ...moved,
] as const satisfies readonly Metric[];

/** The declarations with their literal names: what the types of answers and filters derive from. */
export type BuiltInMetric = (typeof declared)[number];

/** Every metric of the interface and its few extensions: one declaration each, and nothing else anywhere. */
export const builtInMetrics: readonly Metric[] = declared;

/** The built-in metrics and an embedder's own. Errors: `invalid-config` for a name that is taken, or is none. */
export function allMetrics(own: readonly Metric[]): readonly Metric[] {
  const metrics = [...builtInMetrics, ...own];
  const seen = new Set<string>();
  const groups = new Set<string>();
  for (const metric of metrics) {
    // What a store remembers was taken once.
    if (!metric.isStoredOnly) checkNames(metric);
    for (const of of metric.of) {
      if (metric.group !== undefined) groups.add(`${of} ${metric.group}`);
      const key = `${of} ${metricPath(metric)}`;
      if (seen.has(key))
        throw new SwapfoldError(
          'invalid-config',
          `The metric "${metric.name}" of ${of} is declared twice; give yours another name.`,
        );
      seen.add(key);
    }
  }
  for (const key of groups)
    if (seen.has(key)) {
      const [of, name] = key.split(' ');
      const message = `Metrics of ${of} cannot be called "${name}" and be in a group "${name}"; give yours another name.`;
      throw new SwapfoldError('invalid-config', message);
    }
  return metrics;
}
