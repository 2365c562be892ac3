import { companionColumns } from '../filter/companions.ts';
import type { ColumnType, Table } from '../records/columns.ts';
import { addressField } from './catalogue.ts';
import type { ProfileField, ProfileKind } from './fields.ts';

/** The wide table of the stored profiles: one row an entity, one column a field, named by its path, and what text is searched by. */
export function profileTable(kind: ProfileKind, fields: readonly ProfileField[]): Table {
  const columns: Record<string, ColumnType> = { id: 'id', fresh_until: 'long', matched_labels: 'text' };
  for (const field of fields) columns[field.path] = field.column;
  return {
    name: kind === 'tokens' ? 'token_profiles' : 'wallet_profiles',
    columns: { ...columns, ...companionColumns(kind, fields) },
    key: ['id'],
    indexes: [[addressField[kind]], ['fresh_until']],
    derived: true,
  };
}
