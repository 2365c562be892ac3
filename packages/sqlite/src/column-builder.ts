import { type ColumnData, type ColumnType, newColumn } from '@swapfold/core';

/** Gathers rows into typed columns. */
export interface ColumnBuilder {
  readonly length: number;
  add(row: readonly unknown[]): void;
  /** The columns so far; the builder is empty after it. */
  take(): ColumnData[];
}

export function createColumnBuilder(types: readonly ColumnType[], capacity: number): ColumnBuilder {
  let room = capacity;
  let length = 0;
  let columns = types.map((type) => newColumn(type, room) as ColumnData);
  const width = types.length;

  return {
    get length() {
      return length;
    },

    add(row) {
      if (length === room) {
        room *= 2;
        columns = columns.map((column) => grown(column, room));
      }
      for (let i = 0; i < width; i++) {
        const value = row[i];
        const column = columns[i]!;
        if (Array.isArray(column)) column[length] = value as string | null;
        else column[length] = value === null ? Number.NaN : (value as number);
      }
      length++;
    },

    take() {
      const taken = length === room ? columns : columns.map((column) => column.slice(0, length));
      columns = types.map((type) => newColumn(type, room) as ColumnData);
      length = 0;
      return taken;
    },
  };
}

function grown(column: ColumnData, room: number): ColumnData {
  if (Array.isArray(column)) return column;
  const larger = column instanceof Int32Array ? new Int32Array(room) : new Float64Array(room);
  larger.set(column);
  return larger;
}
