import { quoted, shortName, suggestion } from '../filter/names.ts';
import { showOperand } from '../filter/operand.ts';
import { isPlainObject } from '../filter/plain-object.ts';
import { type FilterContext, knownPaths, resolvePath } from '../filter/target.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { ColumnType } from '../records/columns.ts';
import type { Order } from '../storage/adapter.ts';
import { refusal } from './refusal.ts';

/** One sort key as callers write it. */
export interface SortKey {
  readonly field: string;
  /** Default `desc`. Missing values come last in both directions. */
  readonly direction?: 'asc' | 'desc';
}

/** A sort key as it is read: an order over a column, whose type says what a cursor may hold for it. */
export interface SortColumn extends Order {
  readonly type: ColumnType;
}

/** The order of a search without `sort` and without `query`. */
export const defaultSorts = {
  tokens: { field: 'metrics.1d.volume', direction: 'desc' },
  wallets: { field: 'metrics.7d.pnl', direction: 'desc' },
} as const satisfies Record<ProfileKind, SortKey>;

const MAX_SORT_KEYS = 4;

/** Reads a caller's `sort`: one key or up to four. */
export function parseSort(sort: unknown, context: FilterContext): SortColumn[] {
  const isList = Array.isArray(sort);
  const keys: readonly unknown[] = isList ? sort : [sort];
  if (keys.length === 0 || keys.length > MAX_SORT_KEYS) {
    throw refusal(
      'invalid-request',
      'sort',
      `"sort" takes one {field, direction} or an array of 1 to ${MAX_SORT_KEYS}, not ${showOperand(sort)}.`,
    );
  }
  return keys.map((key, i) => parseKey(key, isList ? `sort.${i}` : 'sort', context));
}

function parseKey(key: unknown, at: string, context: FilterContext): SortColumn {
  if (!isPlainObject(key))
    throw refusal('invalid-request', at, `"${at}" takes an object {field, direction}, not ${showOperand(key)}.`);
  for (const name of Object.keys(key)) {
    if (name === 'field' || name === 'direction') continue;
    const hint = suggestion(name, ['field', 'direction']);
    throw refusal('unknown-field', `${at}.${shortName(name)}`, `Unknown field ${quoted(name)} in ${at}.${hint}`);
  }
  const { field, direction = 'desc' } = key;
  if (typeof field !== 'string')
    throw refusal(
      'invalid-request',
      `${at}.field`,
      `"${at}.field" takes a field path such as "market.liquidity", not ${showOperand(field)}.`,
    );
  if (direction !== 'asc' && direction !== 'desc')
    throw refusal(
      'invalid-request',
      `${at}.direction`,
      `"${at}.direction" takes "asc" or "desc", not ${showOperand(direction)}.`,
    );
  const target = resolvePath(field, context.fields);
  if (target === undefined) {
    const hint = suggestion(field, knownPaths(context.fields)) || ' docs/search.md lists the fields.';
    throw refusal('unknown-field', `${at}.field`, `Unknown field ${quoted(field)} in ${at}.${hint}`);
  }
  if (target.type === 'boolean' || target.type === 'labels') {
    throw refusal(
      'invalid-request',
      `${at}.field`,
      `"${target.path}" (${target.type}) in ${at} has no order; sort by a number, a date or a text.`,
    );
  }
  const ascending = (direction === 'asc') !== target.isElapsed;
  return {
    column: target.column,
    direction: ascending ? 'asc' : 'desc',
    type: context.fields.get(target.column)!.column,
  };
}
