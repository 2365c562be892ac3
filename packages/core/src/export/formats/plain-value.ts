import { formatTime } from '../../time.ts';
import type { ExportBatch, ExportColumn, ExportValues } from '../column.ts';

/** A value as JSON has it in the interface. */
export type PlainValue = string | number | boolean | null | readonly string[];

/** Reads a column's values as the interface gives them, by row. */
export function plainValues({ name, type }: ExportColumn, { columns }: ExportBatch): (row: number) => PlainValue {
  const values = columns[name] as ExportValues;
  if (!(values instanceof Float64Array)) return (row) => values[row]!;
  const known = (read: (value: number) => PlainValue) => (row: number) =>
    Number.isNaN(values[row]!) ? null : read(values[row]!);
  if (type === 'date') return known(formatTime);
  return type === 'flag' ? known((value) => value === 1) : known((value) => value);
}
