import { type Part, rowMaker } from '../part.ts';
import { runTask } from '../run-task.ts';

/** What transfers cost beside swaps: a history of them at once, and some with each block. */
export const transfersPart: Part = {
  what: 'transfers beside swaps: a history of them at once, and twenty with each block of a hundred swaps',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }) {
    const blocks = isSmall ? 10 : 30;
    const { result, memory } = await runTask('storeTransfers', { engine, swaps, root, blocks });
    const { count, old, refresh, block, plain, bytes } = result;
    const row = rowMaker('transfers', engine, memory);
    const rates = rowMaker('transfers', engine, memory, 'rows/s');
    const sizes = rowMaker('transfers', engine, memory, 'bytes');
    return [
      rates(
        `${count.toLocaleString('en-US')} transfers of the time of the store`,
        (count / old) * 1000,
        'one call, without its refresh',
      ),
      row('the full refresh after them', refresh, 'all wallets that moved lots'),
      sizes('the store, a transfer', bytes, 'transfers, what they moved, and profiles'),
      row('block of 100 swaps with 20 transfers, refreshed', block, 'the same without transfers', { baseline: plain }),
    ];
  },
};
