import { searchColumns } from '../filter/search-columns.ts';
import type { ColumnType, Table } from '../records/columns.ts';
import { type EntityKind, hasColumn, isStored, type ProfileField } from './fields.ts';
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
export function profileTable(kind: EntityKind, fields: readonly ProfileField[]): Table {
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
    fixed: [addressField[kind]],
    derived: true,
  };
}

/**
 * The narrow table of the stored positions: one row a wallet and token, some three for ten swaps. `id` is the pair
 * (`records/chain-order.ts`), by which the positions of a wallet lie together, and lies beside the ids that it is made of. Fields that are
 * computed when they are asked for, and the next fold, need `lot_amount`, tokens in the open lots of known cost, and `matched_cost`, the cost
 * of what was sold; both in native tokens, too. `lot_amount_native` is null if it is `lot_amount`.
 */
export function positionTable(fields: readonly ProfileField[]): Table {
  const stored = fields.filter(isStored);
  return {
    name: 'position_profiles',
    columns: {
      id: 'long',
      wallet: 'id',
      token: 'id',
      fresh_until: 'long',
      lot_amount: 'double',
      matched_cost: 'double',
      lot_amount_native: 'double',
      matched_cost_native: 'double',
      ...Object.fromEntries(stored.map(({ path, column }) => [path, column])),
    },
    key: ['id'],
    indexes: [['id'], ['token']],
    fixed: ['wallet', 'token', 'wallet_address', 'token_address'],
    derived: true,
  };
}

/** Rows of positions once they are whole: what is stored, and what is computed when it is asked for. */
export function wholePositionTable(stored: Table, fields: readonly ProfileField[]): Table {
  const own = fields.filter(hasColumn);
  return {
    ...stored,
    columns: {
      ...stored.columns,
      ...Object.fromEntries(own.map(({ path, column }) => [path, column])),
      matched_labels: 'text',
      ...searchColumns([], own),
    },
  };
}
