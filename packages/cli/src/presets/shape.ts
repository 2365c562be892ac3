import type { ReadColumn } from '../files/column-builder.ts';
import type { FileReject, TableBatch } from '../files/table-builder.ts';
import type { CompiledPreset } from './compile.ts';
import { reasonToPass } from './row-rules.ts';
import { rowsOfColumn, type Shaping, textsOf } from './shaping.ts';

/** What a batch of rows has become: columns of swaps, and the rows that are none. */
export type ShapedBatch = Pick<TableBatch, 'length' | 'columns' | 'rowNumbers' | 'rejects' | 'passed'>;

/** Makes the swaps of a batch. Columns that hold a field as it is are handed on, not copied, unless rows are left out. */
export function shapeBatch({ rules, steps }: CompiledPreset, table: TableBatch): ShapedBatch {
  const { length, columns, rowNumbers } = table;
  const isOut = new Uint8Array(length);
  const passed = new Map(table.passed);
  const rejects: FileReject[] = [];
  const shaping: Shaping = {
    length,
    columns,
    fault(row, field, reason) {
      if (isOut[row] === 1) return;
      isOut[row] = 1;
      rejects.push({ row: rowNumbers[row]!, field, reason });
    },
  };
  if (rules.length > 0) passRows(rules, shaping, isOut, passed);
  const made: Record<string, ReadColumn> = Object.assign({}, ...steps.map((step) => step(shaping)));
  const all = { length, columns: made, rowNumbers, rejects: table.rejects, passed };
  if (!isOut.includes(1)) return all;
  const rows = Uint32Array.from(isOut.keys()).filter((row) => isOut[row] === 0);
  return {
    length: rows.length,
    columns: Object.fromEntries(Object.entries(made).map(([name, column]) => [name, rowsOfColumn(column, rows)])),
    rowNumbers: Float64Array.from(rows, (row) => rowNumbers[row]!),
    rejects: [...table.rejects, ...rejects].sort((a, b) => a.row - b.row),
    passed,
  };
}

function passRows(
  rules: CompiledPreset['rules'],
  shaping: Shaping,
  isOut: Uint8Array,
  passed: Map<string, number>,
): void {
  const texts = new Map(rules.map(({ column }) => [column, textsOf(shaping, column)]));
  for (let row = 0; row < isOut.length; row++) {
    const reason = reasonToPass(rules, (column) => texts.get(column)!(row));
    if (reason === undefined) continue;
    isOut[row] = 1;
    passed.set(reason, (passed.get(reason) ?? 0) + 1);
  }
}
