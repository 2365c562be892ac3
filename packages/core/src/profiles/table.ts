import { searchColumns } from '../filter/search-columns.ts';
import type { ColumnType, Table } from '../records/columns.ts';
import { isStored, type ProfileField, type ProfileKind } from './fields.ts';
import { addressField } from './sections/base.ts';
import { queryFields } from './sections/sections.ts';

/**
 * What a fold leaves for the next one: the as-of time it was made for, and the open cost of the entity at the start of the longest
 * window (a sum of two doubles, and the number of positions in it).
 */
export const resumeColumns = {
  folded_as_of: 'long',
  cost_sum: 'double',
  cost_low: 'double',
  cost_positions: 'long',
} as const;

/**
 * The wide table of the stored profiles: one row an entity, one column a field, named by its path, and what text is searched by.
 * `fresh_until` is the last as-of time that the row holds for.
 */
export function profileTable(kind: ProfileKind, fields: readonly ProfileField[]): Table {
  const columns: Record<string, ColumnType> = {
    id: 'id',
    fresh_until: 'long',
    ...resumeColumns,
    matched_labels: 'text',
  };
  const stored = fields.filter(isStored);
  for (const field of stored) columns[field.path] = field.column;
  return {
    name: kind === 'tokens' ? 'token_profiles' : 'wallet_profiles',
    columns: { ...columns, ...searchColumns(queryFields[kind], stored) },
    key: ['id'],
    indexes: [[addressField[kind]], ['fresh_until']],
    derived: true,
  };
}
