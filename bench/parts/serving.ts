import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Single calls in process, one at a time, about hundreds of wallets and tokens in turn. */
export const servingPart: Part = {
  what: 'single calls in process: profiles, prices, candles, lists, portfolios, an explanation',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    const limits = isSmall ? { runs: 100, seconds: 0.4 } : { runs: 400, seconds: 6 };
    const {
      result: { figures: result, yardsticks },
      memory,
    } = await runTask('serve', { engine, swaps, root, ...limits });
    const row = { part: 'serving', engine: engineNames[engine], memory, unit: 'ms' } as const;
    return [
      ...(['before', 'after'] as const).map(
        (when, i): Row => ({
          ...row,
          operation: `the machine, ${when}: four conditions over 200,000 rows of plain arrays, after 3 ms of sleep`,
          ours: yardsticks[i]!.median,
          baseline: null,
          what: 'no store: the least that a search has to do, and how fast the machine was',
          target: null,
          spread: yardsticks[i]!.quartiles,
        }),
      ),
      ...result.map(
        ({ operation, ours, baseline, what, target }): Row => ({
          ...row,
          operation,
          ours: ours.median,
          baseline: baseline.median,
          what,
          target,
          spread: ours.quartiles,
        }),
      ),
      ...result.map(
        ({ operation, again }): Row => ({
          ...row,
          operation: `asked again: ${operation}`,
          ours: again.median,
          baseline: null,
          what: 'the same questions a second time',
          target: null,
          spread: again.quartiles,
        }),
      ),
      ...result.map(
        ({ operation, first, firstTarget }): Row => ({
          ...row,
          operation: `first call after opening: ${operation}`,
          ours: first,
          baseline: null,
          what: 'the process and the engine know nothing yet',
          target: firstTarget,
        }),
      ),
    ];
  },
};
