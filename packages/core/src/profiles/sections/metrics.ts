import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import { storedOfPositions } from '../../metrics/names.ts';
import { described, named } from '../../response.ts';
import type { FieldSource, ProfileKind } from '../fields.ts';
import { hasStored, nodeSchema, type ProfileNode } from '../tree.ts';
import { type FieldKindName, field, type Section } from './section.ts';

/** The metrics of a kind of profile, by window. */
export function metrics(kind: ProfileKind) {
  return {
    key: 'metrics',
    option: 'windows',
    fields(all) {
      const own = all
        .filter((metric) => metric.of.includes(kind))
        .map((metric) => ({
          path: metricPath(metric),
          ...field(kindOf(metric), sourceOf(kind, metric), meaningOf(metric)),
        }));
      return profileWindows[kind].flatMap((window) =>
        own.map((member) => ({ ...member, path: `metrics.${window}.${member.path}` })),
      );
    },
    queried: [],
    response: ([metrics]) => ({ metrics: windowsSchema(kind, metrics!) }),
  } as const satisfies Section;
}

const sourceOf = (kind: ProfileKind, metric: Metric): FieldSource =>
  kind === 'positions' && !(storedOfPositions as readonly string[]).includes(metricPath(metric)) ? 'query' : 'fold';

function kindOf({ unit, empty }: Metric): FieldKindName {
  if (unit === 'count') return empty === 0 ? 'count' : 'countOrNull';
  return unit === 'seconds' ? 'countOrNull' : 'number';
}

function meaningOf({ sentence, formula, unit }: Metric): string {
  return `${sentence} Formula: ${formula}. Unit: ${unit}.`;
}

const names = { tokens: 'TokenMetrics', wallets: 'WalletMetrics', positions: 'PositionMetrics' } as const;

/** Every window has the same metrics; those that are not stored only if the request names the window. */
function windowsSchema(kind: ProfileKind, metrics: ProfileNode): v.GenericSchema {
  const windows = metrics.of ?? [];
  const entries = (windows[0]?.of ?? []).map((node) => {
    const schema = nodeSchema(node);
    return [node.key, hasStored(node) ? schema : v.exactOptional(schema)];
  });
  const window = v.exactOptional(named(names[kind], v.strictObject(Object.fromEntries(entries))));
  return described(v.strictObject(Object.fromEntries(windows.map(({ key }) => [key, window]))), 'Metrics by window.');
}
