import { shownText } from './shown-text.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Lines of a table whose columns stand under each other: a line of titles, a rule, a line a row. Cells may hold what strangers wrote. */
export function tableLines(columns: readonly Column[], given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(shownText));
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (columns[i]!.align === 'left' ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(line),
  ];
}
