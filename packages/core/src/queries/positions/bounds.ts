import type { Metric } from '../../metrics/metric.ts';
import { profileFields } from '../../profiles/sections/sections.ts';
import { hasColumn, isStored } from '../../records/profile-fields.ts';
import { isFoldedColumn } from './complete.ts';

/**
 * Most positions that are completed to be searched: for columns that follow from the price of a token and the stored row, and for those whose
 * computation reads trades or swaps.
 */
export const MOST_CANDIDATES = { priced: 200_000, folded: 20_000 } as const;

/** Fields of positions that no table has, and how many positions may be left to filter or sort by one of them. */
export interface ComputedFields {
  readonly most: number;
  readonly fields: readonly string[];
}

/** The fields of positions that are computed when they are asked for, by how many positions may be left to filter or sort by one. */
export function computedPositionFields(metrics: readonly Metric[]): readonly ComputedFields[] {
  const paths = profileFields('positions', metrics)
    .filter((field) => hasColumn(field) && !isStored(field) && field.type !== 'labels')
    .map(({ path }) => path);
  return [
    { most: MOST_CANDIDATES.priced, fields: paths.filter((path) => !isFoldedColumn(path)) },
    { most: MOST_CANDIDATES.folded, fields: paths.filter(isFoldedColumn) },
  ];
}
