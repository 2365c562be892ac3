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

/** Without the refresh, which is the same. */
export const formatsPart: Part = {
  what: "CSV, NDJSON and Parquet in Dune's shape beside Parquet with our own columns",
  needsStore: false,
  async run({ engine, swaps: all, root }) {
    const swaps = Math.min(all, MOST_SWAPS);
    await prepareMarket({ swaps, root });
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
    return rows;
  },
};
