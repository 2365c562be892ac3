import { existsSync } from 'node:fs';
import { filesOf } from '../files.ts';
import { type Part, rowMaker } from '../part.ts';
import { prepareMarket, tell } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

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

/** Without the refresh, which is the same, and then with it beside the least that any store of the file takes. */
export const formatsPart: Part = {
  what: "CSV, NDJSON and Parquet in Dune's shape beside Parquet with our own columns",
  needsStore: false,
  async run(context) {
    const { engine, root } = context;
    const swaps = Math.min(context.swaps, MOST_SWAPS);
    await prepareMarket({ ...context, swaps });
    if (!existsSync(filesOf(root, swaps).dune)) {
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
    const { result, memory } = await runTask('importStore', { ...of, format: 'csv', refresh: true });
    const loaded = (await runTask('loadCsv', { swaps, root })).result;
    const row = rowMaker('formats', engine, memory);
    const operation = `import ${swaps.toLocaleString('en-US')} swaps of CSV and refresh`;
    const target = { kind: 'most-ratio', ratio: LOADED[engine] } as const;
    rows.push(row(operation, result.milliseconds, LOADING, { baseline: loaded, target }));
    return rows;
  },
};
