import { engineNames } from '../files.ts';
import { type Part, roundsOf } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Milliseconds for which an import or a refresh may hold the event loop at most. */
export const HOLD = 30;

/** Every profile folded anew, beside part of the same in the engine's SQL; what else goes on meanwhile. */
export const refreshPart: Part = {
  what: 'every profile computed anew, and prices asked for meanwhile',
  needsStore: true,
  async run(context): Promise<Row[]> {
    const { engine, swaps, root } = context;
    const { result, memory } = await runTask('refreshFully', { engine, swaps, root, runs: roundsOf(context) });
    const row = { part: 'refresh', engine: engineNames[engine], memory, unit: 'ms' } as const;
    return [
      {
        ...row,
        operation: `full refresh of ${result.profiles.toLocaleString('en-US')} profiles`,
        ours: result.ours.median,
        baseline: result.baseline.median,
        what: 'SQL for 13 aggregates, distinct counts and risk ratios alone, 5 wallet and 6 token windows',
        target: engine === 'duckdb' ? { kind: 'most-ratio', ratio: 4 } : null,
        spread: result.ours.quartiles,
      },
      {
        ...row,
        operation: 'longest hold of the event loop during a full refresh',
        ours: result.hold,
        baseline: null,
        what: 'prices asked for every 20 ms meanwhile',
        target: { kind: 'most', ours: HOLD },
      },
      {
        ...row,
        operation: 'get-price, 1 token, during a full refresh',
        ours: result.price.median,
        baseline: null,
        what: 'a store that writes',
        target: null,
        spread: result.price.quartiles,
      },
    ];
  },
};
