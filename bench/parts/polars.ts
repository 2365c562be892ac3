import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import { loadPolars, polarsAdvice } from '../polars/polars.ts';
import { tell } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** DuckDB's stores only: the data frames are the same for both engines. */
export const polarsPart: Part = {
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    if (engine !== 'duckdb') return [];
    if (loadPolars() === undefined) {
      tell(`leaving out nodejs-polars, which is not installed: ${polarsAdvice}`);
      return [];
    }
    const limits = isSmall ? { runs: 50, seconds: 1 } : { runs: 200, seconds: 5 };
    const { result, memory } = await runTask('besidePolars', { swaps, root, ...limits });
    return result.map(
      ({ operation, ours, baseline }): Row => ({
        part: 'polars',
        engine: engineNames[engine],
        operation: `${operation}, beside polars`,
        unit: 'ms',
        ours: ours.median,
        baseline: baseline.median,
        what: 'nodejs-polars over data frames in memory',
        target: null,
        spread: ours.quartiles,
        memory,
      }),
    );
  },
};
