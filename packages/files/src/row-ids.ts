import { hash } from 'node:crypto';
import type { SwapColumns } from '@swapfold/core';
import { type RowKind, rowKinds } from './row-kinds.ts';

/** The order in which the first version took the fields: another would give the rows of a file other ids. What came later follows. */
const firstFields: readonly string[] = [
  'wallet',
  'token_in',
  'token_out',
  'swap_index',
  'block_time',
  'token_amount_in',
  'token_amount_out',
  'protocol',
  'token_symbol_in',
  'token_symbol_out',
  'block_slot',
  'tx_index',
];
const contentFields = Object.fromEntries(
  Object.values(rowKinds).map(({ rows, fields }) => {
    const names = Object.keys(fields);
    const first = firstFields.filter((name) => names.includes(name));
    return [rows, [...first, ...names.filter((name) => name !== 'tx_hash' && !first.includes(name))]];
  }),
);

/**
 * A transaction hash for row `row`, from what it says: `row:` and the SHA-256 of its fields in hex.
 *
 * The same row has the same id in every format, with fractions of seconds or without. Swaps that agree in every field are one: nothing in them tells a repeat from
 * a second, equal swap, and importing a file twice must not double it.
 */
export function rowId(columns: Partial<SwapColumns['columns']>, row: number, { rows }: Pick<RowKind, 'rows'>): string {
  let content = '';
  for (const name of contentFields[rows]!) {
    const value = valueAt(columns, name, row);
    if (value !== '') content += `${name}=${value}\n`;
  }
  return `row:${hash('sha256', content, 'hex')}`;
}

function valueAt(columns: Partial<SwapColumns['columns']>, name: string, row: number): string {
  const column = columns[name as keyof typeof columns];
  if (column === undefined) return '';
  if (column instanceof Float64Array || column instanceof Int32Array)
    return Number.isNaN(column[row]) ? '' : String(name === 'block_time' ? Math.floor(column[row]!) : column[row]);
  const text = 'ids' in column ? column.dictionary[column.ids[row]!] : column[row];
  return text == null ? '' : JSON.stringify(text);
}
