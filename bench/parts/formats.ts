import { existsSync } from 'node:fs';
import { engineNames, filesOf } from '../files.ts';
import type { Part } from '../part.ts';
import { prepareMarket, tell } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Larger files tell nothing new, and NDJSON takes 800 bytes a swap. */
const MOST_SWAPS = 1_000_000;

/** CSV and NDJSON beside Parquet, without the refresh, which is the same. */
export const formatsPart: Part = {
  needsStore: false,
  async run({ engine, swaps: all, root }): Promise<Row[]> {
    const swaps = Math.min(all, MOST_SWAPS);
    await prepareMarket({ swaps, root });
    if (!existsSync(filesOf(root, swaps).ndjson)) {
      tell('writing the market as CSV and NDJSON');
      await runTask('writeOtherFormats', { swaps, root });
    }
    const times = { parquet: 0, csv: 0, ndjson: 0 };
    const memory = { csv: 0, ndjson: 0, parquet: 0 };
    const formats = ['parquet', 'csv', 'ndjson'] as const;
    for (const format of formats) {
      const task = { engine, swaps, root, format, refresh: false, keep: false };
      const { result, memory: held } = await runTask('importStore', task);
      times[format] = result.milliseconds;
      memory[format] = held;
    }
    return (['csv', 'ndjson'] as const).map((format) => {
      return {
        part: 'formats',
        engine: engineNames[engine],
        operation: `import ${swaps.toLocaleString('en-US')} swaps of ${format === 'csv' ? 'CSV' : 'NDJSON'}, no refresh`,
        unit: 'ms',
        ours: times[format],
        baseline: times.parquet,
        what: 'ours, of Parquet',
        target: { kind: 'most-ratio', ratio: 2 },
        memory: memory[format],
      };
    });
  },
};
