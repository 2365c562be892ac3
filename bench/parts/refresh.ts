import { type Part, roundsOf, rowMaker } from '../part.ts';
import { runTask } from '../run-task.ts';

/** Milliseconds for which an import or a refresh may hold the event loop at most. */
export const HOLD = 30;

/** Every profile folded anew, beside part of the same in the engine's SQL; what else goes on meanwhile. */
export const refreshPart: Part = {
  what: 'every profile computed anew, and prices asked for meanwhile',
  needsStore: true,
  async run(context) {
    const { engine, swaps, root } = context;
    const { result, memory } = await runTask('refreshFully', { engine, swaps, root, runs: roundsOf(context) });
    const row = rowMaker('refresh', engine, memory);
    const { profiles, ours, baseline, hold, price } = result;
    return [
      row(
        `full refresh of ${profiles.toLocaleString('en-US')} profiles`,
        ours,
        'SQL for 13 aggregates, distinct counts and risk ratios alone, 5 wallet and 6 token windows',
        { baseline, target: engine === 'duckdb' ? { kind: 'most-ratio', ratio: 4 } : null },
      ),
      row('longest hold of the event loop during a full refresh', hold, 'prices asked for every 20 ms meanwhile', {
        target: { kind: 'most', ours: HOLD },
      }),
      row('get-price, 1 token, during a full refresh', price, 'a store that writes'),
    ];
  },
};
