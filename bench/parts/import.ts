import { engineNames } from '../files.ts';
import { type Part, roundsOf } from '../part.ts';
import { prepareMarket, preparePlain } from '../prepare.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';
import { summary } from '../timing.ts';

const MEMORY_MB = 4000;
const BYTES = 230;

/** What the baseline is. */
const loads = {
  sqlite: 'prepared inserts with dictionary ids and a unique hash, without reading the file',
  duckdb: 'insert ... select of the file, with dictionary ids and 64-bit hashes',
  clickhouse: 'insert ... select of the file into one table, with repeated texts as LowCardinality and 64-bit hashes',
} as const;

/** From a Parquet file to a refreshed store, beside the engine's own way to load the file. Leaves the store for the other parts. */
export const importPart: Part = {
  needsStore: false,
  async run(context): Promise<Row[]> {
    const { engine, swaps, root } = context;
    await prepareMarket({ swaps, root });
    const times: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
    const processor: Record<'ours' | 'baseline', number[]> = { ours: [], baseline: [] };
    let bytes = 0;
    let memory = 0;
    const sides = {
      ours: async () => {
        const { result, ...held } = await runTask('importStore', {
          engine,
          swaps,
          root,
          format: 'parquet',
          refresh: true,
          keep: true,
        });
        bytes = result.bytes;
        memory = Math.max(memory, held.memory);
        processor.ours.push(held.processor);
        return result.milliseconds;
      },
      baseline: async () => {
        const { result, ...held } = await runTask('loadPlain', { engine, swaps, root });
        processor.baseline.push(held.processor);
        return result;
      },
    };
    for (let i = 0; i < roundsOf(context); i++)
      for (const side of i % 2 === 0 ? (['baseline', 'ours'] as const) : (['ours', 'baseline'] as const))
        times[side].push(await sides[side]());
    const { result: rewritten } = await runTask('rewriteStore', { engine, swaps, root });
    await preparePlain({ engine, swaps, root });
    const [ours, baseline] = [summary(times.ours), summary(times.baseline)];
    const row = { part: 'import', engine: engineNames[engine], memory } as const;
    const what = loads[engine];
    return [
      {
        ...row,
        operation: 'import Parquet and refresh',
        unit: 'ms',
        ours: ours.median,
        baseline: baseline.median,
        what,
        target: { kind: 'most-ratio', ratio: engine === 'clickhouse' ? 4 : 3 },
        spread: ours.quartiles,
      },
      {
        ...row,
        operation: 'import and refresh, swaps a second',
        unit: 'rows/s',
        ours: (swaps / ours.median) * 1000,
        baseline: (swaps / baseline.median) * 1000,
        what,
        target: null,
      },
      {
        ...row,
        operation: 'import and refresh, processor time',
        unit: 'ms',
        ours: summary(processor.ours).median,
        baseline: summary(processor.baseline).median,
        what: 'the same, on all cores, which other work on the machine hardly changes; SQLite with the reading of the file',
        target: null,
      },
      ...(rewritten === null ? [] : [besideRewriting(row, ours.median, rewritten)]),
      {
        ...row,
        operation: 'store, bytes a swap, all tables',
        unit: 'bytes',
        ours: bytes / swaps,
        baseline: null,
        what: 'size of the closed store',
        target: engine === 'duckdb' ? { kind: 'most', ours: BYTES } : null,
      },
      {
        ...row,
        operation: 'import, peak memory',
        unit: 'MB',
        ours: memory,
        baseline: null,
        what: 'resident memory of the process that imports',
        target: engine === 'duckdb' ? { kind: 'most', ours: MEMORY_MB } : null,
      },
    ];
  },
};

function besideRewriting(row: Pick<Row, 'part' | 'engine' | 'memory'>, ours: number, rewritten: number): Row {
  return {
    ...row,
    operation: 'import and refresh, beside the rows of the store written alone',
    unit: 'ms',
    ours,
    baseline: rewritten,
    what: 'the engine writes every row of the store into empty tables of the same orders, from the store: the least that an import takes',
    target: null,
  };
}
