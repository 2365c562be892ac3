import { existsSync } from 'node:fs';
import { engineNames, filesOf } from '../files.ts';
import type { Part } from '../part.ts';
import { prepareMarket, tell } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Larger files tell nothing new, and NDJSON takes 800 bytes a swap. */
const MOST_SWAPS = 1_000_000;

const formats = { csv: 'CSV', ndjson: 'NDJSON', dune: "Parquet in Dune's shape" } as const;

/** Other formats beside Parquet with our own columns, without the refresh, which is the same. */
export const formatsPart: Part = {
  what: "CSV, NDJSON and Parquet in Dune's shape beside Parquet with our own columns",
  needsStore: false,
  async run({ engine, swaps: all, root }): Promise<Row[]> {
    const swaps = Math.min(all, MOST_SWAPS);
    await prepareMarket({ swaps, root });
    if (!existsSync(filesOf(root, swaps).dune)) {
      tell('writing the market in other formats');
      await runTask('writeOtherFormats', { swaps, root });
    }
    const imported = async (format: 'parquet' | keyof typeof formats) => {
      const { result, memory } = await runTask('importStore', { ...of, format, refresh: false, keep: false });
      return { milliseconds: result.milliseconds, memory };
    };
    const of = { engine, swaps, root };
    const baseline = (await imported('parquet')).milliseconds;
    const rows: Row[] = [];
    for (const format of ['csv', 'ndjson', 'dune'] as const) {
      const { milliseconds, memory } = await imported(format);
      rows.push({
        part: 'formats',
        engine: engineNames[engine],
        operation: `import ${swaps.toLocaleString('en-US')} swaps of ${formats[format]}, no refresh`,
        unit: 'ms',
        ours: milliseconds,
        baseline,
        what: 'ours, of Parquet',
        target: { kind: 'most-ratio', ratio: 2 },
        memory,
      });
    }
    return rows;
  },
};
