import { type Part, rowMaker } from '../part.ts';
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
  async run(context): Promise<Row[]> {
    const { engine, swaps, root, isSmall } = context;
    const limits = isSmall ? { blocks: 5, hundreds: 10, seconds: 3 } : { blocks: 90, hundreds: 60, seconds: 120 };
    const tenth = Math.round(swaps / 10);
    await prepareStore({ ...context, swaps: tenth });
    const small = (await runTask('arriveInBlocks', { engine, swaps: tenth, root, ...limits })).result;
    const { result, memory } = await runTask('arriveInBlocks', { engine, swaps, root, ...limits });
    const most = (block: keyof (typeof MOST)['duckdb']): Target | null =>
      engine === 'clickhouse' ? null : { kind: 'most', ours: MOST[engine][block] };
    const row = rowMaker('incremental', engine, memory);
    const beside = `the same on a store of ${tenth.toLocaleString('en-US')} swaps`;
    const step = (name: 'ingest' | 'refresh' | 'search' | 'processor', operation: string): Row =>
      row(`1,000 new swaps: ${operation}`, result[name], beside, { baseline: small[name] });
    const { batch, hundred, known } = result;
    return [
      row('1,000 new swaps until a search sees them, p50', batch, `${batch.runs} batches: ingest, refresh, search`, {
        target: most('thousand'),
      }),
      row('1,000 new swaps, ten times the store', batch.median, beside, {
        baseline: small.batch,
        target: { kind: 'most-ratio', ratio: GROWTH[engine] },
      }),
      row('1,000 new swaps, p99', batch.p99, beside, { baseline: small.batch.p99 }),
      step('ingest', 'ingest alone'),
      step('refresh', 'refresh alone'),
      step('search', 'the search that sees them'),
      step('processor', 'processor time'),
      row('100 new swaps until a search sees them, p50', hundred, `${beside}; ${hundred.runs} batches after those`, {
        baseline: small.hundred,
        target: most('hundred'),
      }),
      row('100 new swaps, p99', hundred.p99, beside, { baseline: small.hundred.p99 }),
      row(
        'refresh of all, once after the blocks',
        result.aging,
        `${beside}; ${result.blocks} blocks, ${small.blocks} there`,
        { baseline: small.aging },
      ),
      row('10,000 swaps that are all known', known, 'a batch that the store has, whole', { target: most('known') }),
    ];
  },
};
