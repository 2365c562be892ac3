import type { ColumnName, Table } from '../records/columns.ts';
import { directions, positionStates, swapTypes } from './trade.ts';
import { valuedByWords } from './value.ts';

/** The words that codes stand for, by the name of the column in the tables of swaps, trades and transfers, and by code. */
export const codeWords: Readonly<Record<string, readonly (string | null)[]>> = {
  swap_type: swapTypes,
  direction: directions,
  position_state: positionStates,
  valued_by: valuedByWords,
  includes_swaps: ['false', 'true'],
};

/** The columns of one of these tables that hold ids of texts. */
export function textColumns<T extends Table>({ columns }: T): readonly ColumnName<T>[] {
  return Object.keys(columns).filter((name) => columns[name] === 'id' && name !== 'tx' && !(name in codeWords));
}
