import { cellsOf, type Row, titles } from './row.ts';

const rightAligned = new Set(['ours', 'quartiles', 'baseline', 'ratio', 'target', 'memory']);

/** The rows as a table of text, in the order given. */
export function asTable(rows: readonly Row[]): string {
  const cells = [[...titles], ...rows.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          rightAligned.has(titles[column]!) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
