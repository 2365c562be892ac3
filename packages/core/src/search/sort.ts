import type { Fault } from '../faults.ts';
import { noteUnknown, quoted } from '../filter/names.ts';
import { type FilterContext, fieldHint, isPlainObject, resolvePath, showOperand } from '../filter/reading.ts';
import type { ColumnType } from '../records/columns.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type { Order } from '../storage/adapter.ts';

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
  positions: { field: 'metrics.7d.pnl', direction: 'desc' },
} as const satisfies Record<ProfileKind, SortKey>;

const MAX_SORT_KEYS = 4;

/** Reads a caller's `sort`: one key or up to four. Keys at fault are noted and left out. */
export function parseSort(sort: unknown, context: FilterContext, faults: Fault[]): SortColumn[] {
  const isList = Array.isArray(sort);
  const keys: readonly unknown[] = isList ? sort : [sort];
  if (keys.length === 0 || keys.length > MAX_SORT_KEYS) {
    const message = `"sort" takes one {field, direction} or an array of 1 to ${MAX_SORT_KEYS}, not ${showOperand(sort)}.`;
    faults.push({ code: 'invalid-request', path: 'sort', message });
    return [];
  }
  return keys.flatMap((key, i) => parseKey(key, isList ? `sort.${i}` : 'sort', context, faults) ?? []);
}

const keyNames = ['field', 'direction'];

function parseKey(key: unknown, at: string, context: FilterContext, faults: Fault[]): SortColumn | undefined {
  const note = (path: string, message: string): void => void faults.push({ code: 'invalid-request', path, message });
  if (!isPlainObject(key)) {
    note(at, `"${at}" takes an object {field, direction}, not ${showOperand(key)}.`);
    return undefined;
  }
  noteUnknown(key, keyNames, at, faults);
  const { field, direction = 'desc' } = key;
  if (direction !== 'asc' && direction !== 'desc')
    note(`${at}.direction`, `"${at}.direction" takes "asc" or "desc", not ${showOperand(direction)}.`);
  if (typeof field !== 'string') {
    const example = 'a field path such as "market.liquidity"';
    const fault = field === undefined ? `is required: ${example}` : `takes ${example}, not ${showOperand(field)}`;
    note(`${at}.field`, `"${at}.field" ${fault}.`);
    return undefined;
  }
  const target = resolvePath(field, context.fields);
  if (target === undefined) {
    const message = `Unknown field ${quoted(field)} in ${at}.${fieldHint(field, context.fields)}`;
    faults.push({ code: 'unknown-field', path: `${at}.field`, message });
    return undefined;
  }
  if (target.type === 'boolean' || target.type === 'labels') {
    const message = `"${target.path}" (${target.type}) in ${at} has no order; sort by a number, a date or a text.`;
    note(`${at}.field`, message);
    return undefined;
  }
  const ascending = (direction === 'asc') !== target.isElapsed;
  return {
    column: target.column,
    direction: ascending ? 'asc' : 'desc',
    type: context.fields.get(target.column)!.column,
  };
}
