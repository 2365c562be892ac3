import { type ColumnData, type ColumnType, newColumn } from '@swapfold/core/engine';

/** Gathers rows into typed columns. */
export interface ColumnBuilder {
  readonly length: number;
  add(row: readonly unknown[]): void;
  /** The columns; no row is added after it. */
  take(): ColumnData[];
}

/** Rows that columns have room for at first. */
const FEW = 64;

/** `most`: rows that it is given at most; `atFirst`: those that it has room for before it grows. */
export function createColumnBuilder(types: readonly ColumnType[], most: number, atFirst = FEW): ColumnBuilder {
  let room = Math.min(atFirst, most);
  let length = 0;
  let columns = types.map((type) => newColumn(type, room) as ColumnData);
  const width = types.length;

  return {
    get length() {
      return length;
    },

    add(row) {
      if (length === room) {
        room = Math.min(room * 2, most);
        columns = columns.map((column) => grown(column, room));
      }
      for (let i = 0; i < width; i++) {
        const value = row[i];
        const column = columns[i]!;
        if (!isOf(types[i]!, value)) throw damaged(types[i]!, value);
        if (Array.isArray(column)) column[length] = value as string | null;
        else column[length] = value === null ? Number.NaN : (value as number);
      }
      length++;
    },

    take: () => (length === room ? columns : columns.map((column) => column.slice(0, length))),
  };
}

function grown(column: ColumnData, room: number): ColumnData {
  if (Array.isArray(column)) return column;
  const larger = column instanceof Int32Array ? new Int32Array(room) : new Float64Array(room);
  larger.set(column);
  return larger;
}

/** A column of SQLite takes values of any type, so that a damaged one is not always of its own. */
function isOf(type: ColumnType, value: unknown): boolean {
  if (typeof value === 'number') {
    if (type === 'double') return value - value === 0;
    if (type === 'id') return (value | 0) === value;
    return type === 'long' && Number.isInteger(value) && Math.abs(value) <= 2 ** 53;
  }
  return value === null ? type !== 'id' : type === 'text' && typeof value === 'string';
}

function damaged(type: ColumnType, value: unknown): Error {
  const found = value === null ? 'nothing' : typeof value === 'number' ? value : `a ${typeof value}`;
  return Object.assign(new Error(`a column of type ${type} holds ${found}`), { code: 'SQLITE_CORRUPT_VALUE' });
}
