import { type Part, roundsOf, rowMaker } from '../part.ts';
import { prepareMarket, preparePlain } from '../prepare.ts';
import { runTask } from '../run-task.ts';
import { summary } from '../timing.ts';
import { HOLD } from './refresh.ts';

/** What an import and the refresh may be at most, as a multiple of the rows of the finished store written alone. */
const RATIO = { duckdb: 4.5, clickhouse: 2.5, sqlite: 2 } as const;

/** What else is asked of DuckDB: ten million swaps in 130 s, of 180 s of processor time. */
const LEAST_RATE = 10_000_000 / 130;
const PROCESSOR_MS = 180_000 / 10_000_000;
const MEMORY_MB = 3000;
const BYTES = 400;

/** What the baseline is. */
const writing = {
  sqlite: 'prepared inserts of every row of the store into empty tables, then their indexes, without reading the rows',
  duckdb: 'the engine copies every row of the store into empty tables of the same row groups, from the store',
  clickhouse: 'the engine writes every row of the store into empty tables of the same orders, from the store',
} as const;

/** From a Parquet file to a refreshed store, beside the rows of that store written alone. Leaves the store for the other parts. */
export const importPart: Part = {
  what: 'from a Parquet file to a refreshed store: time, memory, bytes, the longest hold of the event loop',
  needsStore: false,
  async run(context) {
    const { engine, swaps, root } = context;
    await prepareMarket(context);
    const [times, processor, holds]: [number[], number[], number[]] = [[], [], []];
    let bytes = 0;
    let memory = 0;
    for (let i = 0; i < roundsOf(context); i++) {
      const task = { engine, swaps, root, format: 'parquet', refresh: true, keep: true } as const;
      const { result, ...held } = await runTask('importStore', task);
      bytes = result.bytes;
      memory = Math.max(memory, held.memory);
      times.push(result.milliseconds);
      processor.push(held.processor);
      holds.push(result.hold);
    }
    const { result: written } = await runTask('rewriteStore', { engine, swaps, root });
    await preparePlain({ engine, swaps, root });
    const [first, warm] = written;
    const ours = summary(times);
    const row = rowMaker('import', engine, memory);
    const what = `${writing[engine]}: the least that an import takes (warm; ${(first / 1000).toFixed(1)} s the first time)`;
    const only = <T>(target: T): T | null => (engine === 'duckdb' ? target : null);
    return [
      row('import Parquet and refresh', ours, what, {
        baseline: warm,
        target: { kind: 'most-ratio', ratio: RATIO[engine] },
      }),
      row('import and refresh, swaps a second', (swaps / ours.median) * 1000, 'the same', {
        unit: 'rows/s',
        target: only({ kind: 'least', ours: LEAST_RATE }),
      }),
      row(
        'import and refresh, processor time',
        summary(processor).median,
        'the same, on all cores, which other work on the machine hardly changes',
        { target: only({ kind: 'most', ours: PROCESSOR_MS * swaps }) },
      ),
      row(
        'longest hold of the event loop during an import and refresh',
        Math.max(...holds),
        'the process that imports',
        { target: { kind: 'most', ours: HOLD } },
      ),
      row('store, bytes a swap, all tables', bytes / swaps, 'size of the closed store, free blocks included', {
        unit: 'bytes',
        target: only({ kind: 'most', ours: BYTES }),
      }),
      row('import, peak memory', memory, 'resident memory of the process that imports', {
        unit: 'MB',
        target: only({ kind: 'most', ours: MEMORY_MB }),
      }),
    ];
  },
};
