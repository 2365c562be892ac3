import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import { described, named } from '../../response.ts';
import type { ProfileKind } from '../fields.ts';
import { nodeSchema, type ProfileNode } from '../tree.ts';
import { type FieldKindName, field, type Section } from './section.ts';

/** The metrics of a kind of profile, by window. */
export function metrics(kind: ProfileKind) {
  return {
    key: 'metrics',
    option: 'windows',
    fields(all) {
      const own = all
        .filter((metric) => metric.of.includes(kind))
        .map((metric) => ({ path: metricPath(metric), ...field(kindOf(metric), 'fold', meaningOf(metric)) }));
      return profileWindows[kind].flatMap((window) =>
        own.map((member) => ({ ...member, path: `metrics.${window}.${member.path}` })),
      );
    },
    queried: [],
    response: ([metrics]) => ({ metrics: windowsSchema(kind, metrics!) }),
  } as const satisfies Section;
}

function kindOf({ unit, empty }: Metric): FieldKindName {
  if (unit === 'count') return empty === 0 ? 'count' : 'countOrNull';
  return unit === 'seconds' ? 'countOrNull' : 'number';
}

function meaningOf({ sentence, formula, unit }: Metric): string {
  return `${sentence} Formula: ${formula}. Unit: ${unit}.`;
}

/** Every window has the same metrics. */
function windowsSchema(kind: ProfileKind, metrics: ProfileNode): v.GenericSchema {
  const windows = metrics.of ?? [];
  const name = kind === 'tokens' ? 'TokenMetrics' : 'WalletMetrics';
  const window = v.exactOptional(named(name, nodeSchema(windows[0]!)));
  return described(v.strictObject(Object.fromEntries(windows.map(({ key }) => [key, window]))), 'Metrics by window.');
}
