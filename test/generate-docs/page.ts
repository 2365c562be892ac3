import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The path of a page, or of what it is made of, below docs/. */
export function docsPath(name: string): string {
  return resolve(root, 'docs', name);
}

/** Writes the page where the generator `file` is what was run, and does nothing where it was imported. */
export function writeWhenRun(file: string, name: string, render: () => string): void {
  if (resolve(process.argv[1] ?? '') === file) writeFileSync(docsPath(name), render());
}

/** A Markdown table, aligned as the formatter aligns it; bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [first!, widths.map((width) => '-'.repeat(width)), ...rest].map(line).join('\n');
}

/** The anchor of a heading, as Markdown renderers make it. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
