import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Single calls in process, one at a time, about hundreds of wallets and tokens in turn. */
export const servingPart: Part = {
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    const limits = isSmall ? { runs: 100, seconds: 0.4 } : { runs: 400, seconds: 6 };
    const { result, memory } = await runTask('serve', { engine, swaps, root, ...limits });
    const row = { part: 'serving', engine: engineNames[engine], memory, unit: 'ms' } as const;
    return [
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
        ({ operation, first }): Row => ({
          ...row,
          operation: `first call after opening: ${operation}`,
          ours: first,
          baseline: null,
          what: 'the process and the engine know nothing yet',
          target: null,
        }),
      ),
    ];
  },
};
