import { existsSync } from 'node:fs';
import { filesOf } from '../files.ts';
import { TIMES_BACK } from '../market.ts';
import { type Part, rowMaker } from '../part.ts';
import { prepareMarket, tell } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';
import type { ImportTask } from '../tasks/import-store.ts';

/** Larger files tell nothing new, and NDJSON takes 800 bytes a swap. */
const MOST_SWAPS = 1_000_000;

const formats = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['dune', "Parquet in Dune's shape"],
] as const;

/** What an import and refresh may be at most, as a multiple of the file loaded alone. */
const LOADED = { duckdb: 4.5, sqlite: 6, clickhouse: 6 } as const;
const LOADING = 'DuckDB loads the same CSV into a table of its own columns, with an index of its wallets';

/** Transactions of an import that is out of order, as one of a million swaps has. */
const BATCHES = 4;

/** A file that goes back in time beside the same rows in order, in transactions of as many rows. */
async function outOfOrder(of: Omit<ImportTask, 'format'>): Promise<Row> {
  const baseline = (await runTask('importStore', { ...of, format: 'parquet' })).result.milliseconds;
  const { result, memory } = await runTask('importStore', { ...of, format: 'slices' });
  const operation = `import ${of.swaps.toLocaleString('en-US')} swaps that go back in time ${TIMES_BACK} times, no refresh`;
  const target = { kind: 'most-ratio', ratio: 1.2 } as const;
  return rowMaker('formats', of.engine, memory)(operation, result.milliseconds, 'ours, of the same rows in order', {
    baseline,
    target,
  });
}

/** Without the refresh, which is the same, and then with it beside the least that any store of the file takes. */
export const formatsPart: Part = {
  what: "CSV, NDJSON, Parquet in Dune's shape and a file out of order beside Parquet with our own columns",
  needsStore: false,
  async run(context) {
    const { engine, root } = context;
    const swaps = Math.min(context.swaps, MOST_SWAPS);
    await prepareMarket({ ...context, swaps });
    // Written last.
    if (!existsSync(filesOf(root, swaps).slices)) {
      tell('writing the market in other formats');
      await runTask('writeOtherFormats', { swaps, root });
    }
    const of = { engine, swaps, root, refresh: false, keep: false };
    const baseline = (await runTask('importStore', { ...of, format: 'parquet' })).result.milliseconds;
    const rows: Row[] = [];
    for (const [format, name] of formats) {
      const { result, memory } = await runTask('importStore', { ...of, format });
      const operation = `import ${swaps.toLocaleString('en-US')} swaps of ${name}, no refresh`;
      const target = { kind: 'most-ratio', ratio: 2 } as const;
      const row = rowMaker('formats', engine, memory);
      rows.push(row(operation, result.milliseconds, 'ours, of Parquet', { baseline, target }));
    }
    rows.push(await outOfOrder({ ...of, batch: Math.ceil(swaps / BATCHES) }));
    const { result, memory } = await runTask('importStore', { ...of, format: 'csv', refresh: true });
    const loaded = (await runTask('loadCsv', { swaps, root })).result;
    const row = rowMaker('formats', engine, memory);
    const operation = `import ${swaps.toLocaleString('en-US')} swaps of CSV and refresh`;
    const target = { kind: 'most-ratio', ratio: LOADED[engine] } as const;
    rows.push(row(operation, result.milliseconds, LOADING, { baseline: loaded, target }));
    return rows;
  },
};
