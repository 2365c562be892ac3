/**
 * Writes the figures of reports into docs/performance.md, and draws its chart:
 * `node --import tsx bench/report.ts bench/results/*.json`. The reports come from `npm run bench:full -- --json FILE`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { drawChart } from './chart.ts';
import { cellsOf, type Report, type Row, titles } from './row.ts';

const docs = resolve(import.meta.dirname, '../docs');
const [begin, end] = [
  '<!-- figures: bench/report.ts writes what stands between these lines -->',
  '<!-- end of figures -->',
];

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
if (reports.length === 0) throw new Error('Name the reports: node --import tsx bench/report.ts bench/results/*.json');
const page = readFileSync(`${docs}/performance.md`, 'utf8');
const [before, after] = [page.indexOf(begin), page.indexOf(end)];
if (before < 0 || after < before) throw new Error(`docs/performance.md lacks the lines ${begin} and ${end}.`);
writeFileSync(
  `${docs}/performance.md`,
  `${page.slice(0, before)}${begin}\n\n${figures(reports)}\n${page.slice(after)}`,
);
writeFileSync(`${docs}/performance.svg`, drawChart(reports));

/** A table for each engine, of its largest run. */
function figures(all: readonly Report[]): string {
  return ['DuckDB', 'SQLite', 'ClickHouse']
    .flatMap((engine) => {
      const found = all.flatMap((report) =>
        report.runs.filter((run) => run.engine === engine).map((run) => ({ report, run })),
      );
      const [largest] = found.sort((a, b) => b.run.swaps - a.run.swaps);
      return largest === undefined ? [] : [tableOf(largest.report, largest.run)];
    })
    .join('\n');
}

function tableOf(
  { machine, node, date, load }: Report,
  { engine, swaps, rows }: { engine: string; swaps: number; rows: readonly Row[] },
): string {
  const shown = titles
    .map((title, i) => ({ title, i }))
    .filter(({ title }) => title !== 'engine' && title !== 'quartiles');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `### ${engine}, ${swaps.toLocaleString('en-US')} swaps`,
    '',
    `${date}, ${machine}, Node ${node}, load average ${load.map((value) => value.toFixed(1)).join(' before and ')} after.`,
    '',
    line(shown.map(({ title }) => title)),
    line(shown.map(() => '---')),
    ...rows.map((row) => {
      const cells = cellsOf(row);
      return line(shown.map(({ i }) => cells[i]!));
    }),
    '',
  ].join('\n');
}
