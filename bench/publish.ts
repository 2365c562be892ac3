import { cellsOf, isMet, publishedRuns, type Report, type Row, ratioOf, titleOf, titles } from './row.ts';

/** The engines of the page, in its order, each with the file of its whole table in `bench/results`. */
const engines = [
  { engine: 'DuckDB', file: 'duckdb.md' },
  { engine: 'SQLite', file: 'sqlite.md' },
  { engine: 'ClickHouse', file: 'clickhouse.md' },
] as const;

/** What the page shows, by how the operations begin. */
const headlines = [
  'import Parquet and refresh',
  'store, bytes a swap, all tables',
  'import, peak memory',
  'full refresh of',
  'longest hold of the event loop during a full refresh',
  '1,000 new swaps until a search sees them, p50',
  '100 new swaps until a search sees them, p50',
  'profile search: 4 conditions, sort, count, 20 full profiles',
  'get-profile of a wallet',
  'get-price, 1 token',
  'candles of the hottest token, 1 h x 30 d',
  'get-trades of a wallet, page and count',
  'portfolio of a wallet with up to 1,000 tokens',
  'position search: state and pnl of all positions',
  'first call after opening: profile search: 4 conditions, sort, count, 20 full profiles',
  'HTTP get-price, 1 token, 64 connections',
] as const;

interface Largest {
  readonly engine: string;
  readonly file: string;
  readonly report: Report;
  readonly run: Report['runs'][number];
}

/** What reports are published as: the figures of the page, and the whole table of each engine by its file. */
export interface Published {
  readonly figures: string;
  readonly tables: ReadonlyMap<string, string>;
}

/**
 * The largest run of each engine, as Markdown. A report of a run whose machine was disturbed is refused unless `allowDisturbed`, and then says so.
 */
export function publish(reports: readonly Report[], allowDisturbed = false): Published {
  for (const { date, disturbed = [] } of allowDisturbed ? [] : reports)
    if (disturbed.length > 0)
      throw new Error(
        `The machine was disturbed in a run of ${date}: ${disturbed.join('; ')}. Measure again, or publish it with --disturbed.`,
      );
  const shown = engines.flatMap(({ engine, file }): Largest[] => {
    const found = publishedRuns(reports, engine).map((found) => ({ engine, file, ...found }));
    return found.sort((a, b) => b.run.swaps - a.run.swaps).slice(0, 1);
  });
  return {
    figures: headlineTable(shown),
    tables: new Map(shown.map((largest) => [largest.file, wholeTable(largest)])),
  };
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function headlineTable(shown: readonly Largest[]): string {
  const rows = headlines.flatMap((name) => {
    // A name that ends in "of" goes on with a number.
    const isNamed = ({ operation }: Row) => (name.endsWith(' of') ? operation.startsWith(name) : operation === name);
    const cells = shown.map(({ run }) => cellOf(run.rows.find(isNamed)));
    return cells.every((cell) => cell === '') ? [] : [line([name.replace(/ of$/, ''), ...cells])];
  });
  return [
    line(['operation', ...shown.map(({ file, run }) => `[${titleOf(run)}](../../bench/results/${file})`)]),
    line(['---', ...shown.map(() => '---')]),
    ...rows,
    '',
  ].join('\n');
}

/** Our figure, its ratio to the baseline, and what is asked of it. */
function cellOf(row: Row | undefined): string {
  if (row === undefined) return '';
  const cells = cellsOf(row);
  const [ours, target] = [cells[titles.indexOf('ours')]!, cells[titles.indexOf('target')]!];
  const ratio = ratioOf(row);
  const met = isMet(row);
  return [
    ours,
    ...(ratio === null ? [] : [`(${ratio.toFixed(2)}x)`]),
    ...(met === null ? [] : [met ? `met ${target}` : `**missed** ${target}`]),
  ].join(' ');
}

/** The engine is in the heading; quartiles are in the reports. */
const whole = titles
  .map((title, i) => ({ title, i }))
  .filter(({ title }) => title !== 'engine' && title !== 'quartiles');

function wholeTable({ report, run }: Largest): string {
  const { date, machine, node, load, disturbed = [] } = report;
  return [
    `# ${titleOf(run)}`,
    '',
    'Written by bench/write-reports.ts: see [performance](../../docs/internals/performance.md).',
    '',
    `${date}, ${machine}, Node ${node}, load average ${load.map((value) => value.toFixed(1)).join(' before and ')} after.`,
    ...(disturbed.length === 0 ? [] : ['', `**The machine was disturbed**: ${disturbed.join('; ')}.`]),
    '',
    line(whole.map((column) => column.title)),
    line(whole.map(() => '---')),
    ...run.rows.map((row) => {
      const cells = cellsOf(row);
      return line(whole.map(({ i }) => cells[i]!));
    }),
    '',
  ].join('\n');
}

const [begin, end] = [
  '<!-- figures: bench/write-reports.ts writes what stands between these lines -->',
  '<!-- end of figures -->',
];

/** A page with its figures in place of those that it had. */
export function putFigures(page: string, figures: string): string {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`The page lacks the lines ${begin} and ${end}.`);
  return `${page.slice(0, before)}${begin}\n\n${figures}\n${page.slice(after)}`;
}
