import { formatTime } from '@swapfold/core/host';
import { formatCompact } from '../text/numbers.ts';
import { shownText } from '../text/shown-text.ts';
import { tableLines } from '../text/table.ts';
import { flatRows } from './flat-rows.ts';

/** Wider than this, a table is read row by row. */
const MAX_WIDTH = 160;
const times: ReadonlySet<string> = new Set(['block_time', 'timestamp']);
/** Numbers that identify something, or count it, are shown whole. */
const whole = /(?:^|_)(?:slot|index|count)$/;

/** A table of any objects; one that is too wide for a terminal has a line a field, an object after the other. */
export function anyTable(objects: readonly object[], width = MAX_WIDTH): string[] {
  if (objects.length === 0) return ['Nothing.'];
  const { columns, rows } = flatRows(objects);
  const cells = rows.map((row) => columns.map(({ name }) => cellOf(name, row[name])));
  const titles = columns.map(({ name, type }) => ({
    title: name,
    align: type === 'number' && !times.has(name) ? 'right' : 'left',
  })) as Parameters<typeof tableLines>[0];
  const table = tableLines(titles, cells);
  if (table.every((line) => line.length <= width)) return table;
  const longest = Math.max(...columns.map(({ name }) => name.length));
  return cells.flatMap((row, i) => [
    ...(i === 0 ? [] : ['']),
    ...row.map((cell, at) => `${columns[at]!.name.padEnd(longest)}  ${cell}`),
  ]);
}

function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return formatCompact(null);
  if (typeof value === 'number') {
    if (times.has(name)) return formatTime(value);
    return whole.test(name) ? String(value) : formatCompact(value);
  }
  return shownText(Array.isArray(value) ? value.join(', ') : String(value));
}
