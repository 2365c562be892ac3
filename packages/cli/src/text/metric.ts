import { builtInMetrics, type EntityKind, type Unit } from '@swapfold/core';
import { formatCompact, formatCount, formatDuration, formatPercent, formatUsd } from './numbers.ts';

/** A metric's value as its unit is read. */
export function metricText(kind: EntityKind, name: string, value: number | null): string {
  const metric = builtInMetrics.find((candidate) => candidate.name === name && candidate.of.includes(kind));
  return unitText(metric?.unit ?? 'ratio', value);
}

function unitText(unit: Unit, value: number | null): string {
  switch (unit) {
    case 'USD':
    case 'USD per token':
      return formatUsd(value);
    case 'percent':
      return formatPercent(value);
    case 'seconds':
      return formatDuration(value);
    case 'count':
      return value === null ? formatCompact(value) : formatCount(value);
    case 'count per day':
    case 'ratio':
    case 'score':
      return formatCompact(value);
  }
}
