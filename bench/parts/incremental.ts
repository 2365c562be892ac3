import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import { prepareStore } from '../prepare.ts';
import type { Row, Target } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Milliseconds at most. */
const MOST = {
  duckdb: { thousand: 1000, hundred: 250, known: 50 },
  sqlite: { thousand: 400, hundred: 250, known: 100 },
} as const;

/** What ten times the store may make of a block at most. */
const GROWTH = { duckdb: 1.8, sqlite: 1.5, clickhouse: 1.5 } as const;

/** Blocks of a thousand new swaps and of a hundred, at the size and at a tenth of it; a batch that is all known. */
export const incrementalPart: Part = {
  what: 'blocks of 1,000 and of 100 new swaps until a search sees them; a batch that is all known',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    const limits = isSmall ? { blocks: 5, hundreds: 10, seconds: 3 } : { blocks: 90, hundreds: 60, seconds: 120 };
    const tenth = Math.round(swaps / 10);
    await prepareStore({ engine, swaps: tenth, root });
    const small = (await runTask('arriveInBlocks', { engine, swaps: tenth, root, ...limits })).result;
    const { result, memory } = await runTask('arriveInBlocks', { engine, swaps, root, ...limits });
    const most = (block: keyof (typeof MOST)['duckdb']): Target | null =>
      engine === 'clickhouse' ? null : { kind: 'most', ours: MOST[engine][block] };
    const row = { part: 'incremental', engine: engineNames[engine], memory, unit: 'ms' } as const;
    const beside = `the same on a store of ${tenth.toLocaleString('en-US')} swaps`;
    const step = (name: 'ingest' | 'refresh' | 'search' | 'processor', operation: string): Row => ({
      ...row,
      operation,
      ours: result[name].median,
      baseline: small[name].median,
      what: beside,
      target: null,
      spread: result[name].quartiles,
    });
    return [
      {
        ...row,
        operation: '1,000 new swaps until a search sees them, p50',
        ours: result.batch.median,
        baseline: null,
        what: `${result.batch.runs} batches: ingest, refresh, search`,
        target: most('thousand'),
        spread: result.batch.quartiles,
      },
      {
        ...row,
        operation: '1,000 new swaps, ten times the store',
        ours: result.batch.median,
        baseline: small.batch.median,
        what: beside,
        target: { kind: 'most-ratio', ratio: GROWTH[engine] },
      },
      {
        ...row,
        operation: '1,000 new swaps, p99',
        ours: result.batch.p99,
        baseline: small.batch.p99,
        what: beside,
        target: null,
      },
      step('ingest', '1,000 new swaps: ingest alone'),
      step('refresh', '1,000 new swaps: refresh alone'),
      step('search', '1,000 new swaps: the search that sees them'),
      step('processor', '1,000 new swaps: processor time'),
      {
        ...row,
        operation: '100 new swaps until a search sees them, p50',
        ours: result.hundred.median,
        baseline: small.hundred.median,
        what: `${beside}; ${result.hundred.runs} batches after those`,
        target: most('hundred'),
        spread: result.hundred.quartiles,
      },
      {
        ...row,
        operation: '100 new swaps, p99',
        ours: result.hundred.p99,
        baseline: small.hundred.p99,
        what: beside,
        target: null,
      },
      {
        ...row,
        operation: 'refresh of all, once after the blocks',
        ours: result.aging,
        baseline: small.aging,
        what: `${beside}; ${result.blocks} blocks, ${small.blocks} there`,
        target: null,
      },
      {
        ...row,
        operation: '10,000 swaps that are all known',
        ours: result.known.ours.median,
        baseline: result.known.baseline.median,
        what: 'a look for their hashes alone',
        target: most('known'),
        spread: result.known.ours.quartiles,
      },
    ];
  },
};
