import { type Part, rowMaker } from '../part.ts';
import { runTask } from '../run-task.ts';

/** Single calls in process, one at a time, about hundreds of wallets and tokens in turn. */
export const servingPart: Part = {
  what: 'single calls in process: profiles, prices, candles, lists, portfolios, an explanation',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }) {
    const limits = isSmall ? { runs: 100, seconds: 0.4 } : { runs: 400, seconds: 6 };
    const { result, memory } = await runTask('serve', { engine, swaps, root, ...limits });
    const row = rowMaker('serving', engine, memory);
    return [
      ...result.map(({ operation, ours, baseline, what, target }) => row(operation, ours, what, { baseline, target })),
      ...result.map(({ operation, again }) =>
        row(`asked again: ${operation}`, again, 'the same questions a second time'),
      ),
      ...result.map(({ operation, first, firstTarget }) =>
        row(`first call after opening: ${operation}`, first, 'the process and the engine know nothing yet', {
          target: firstTarget,
        }),
      ),
    ];
  },
};
