import type { Metric } from '@swapfold/core';
import { builtInMetrics, type EntityKind } from '@swapfold/core/host';
import { formatCompact, formatCount, formatDuration, formatNative, formatPercent, formatUsd } from './numbers.ts';

/** The built-in metric of this name. */
export function findMetric(kind: EntityKind, name: string): Metric | undefined {
  return builtInMetrics.find((candidate) => candidate.name === name && candidate.of.includes(kind));
}

/** A metric's value as its unit is read. `native`: the symbol of the native token. */
export function metricText(kind: EntityKind, name: string, value: number | null, native = ''): string {
  return unitText(findMetric(kind, name)?.unit ?? 'ratio', value, native);
}

/** A value as its unit is read; one of a unit that no metric has, such as tokens, by its digits alone. */
export function unitText(unit: string, value: number | null, native: string): string {
  switch (unit) {
    case 'USD':
      // What rounding leaves of sums.
      return formatUsd(value !== null && Math.abs(value) < 1e-6 ? 0 : value);
    case 'USD per token':
      return formatUsd(value);
    case 'native':
      return formatNative(value, native);
    case 'percent':
      return formatPercent(value);
    case 'seconds':
      return formatDuration(value);
    case 'count':
      return value === null ? formatCompact(value) : formatCount(value);
    default:
      return formatCompact(value);
  }
}
