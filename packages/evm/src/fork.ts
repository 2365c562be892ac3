import { SwapfoldError } from '@swapfold/core';
import type { Blocks, Header } from './blocks.ts';
import type { BlockId, Trail } from './trail.ts';

/**
 * The newest remembered block that the node's chain still has.
 *
 * - Shape: `undefined` if that is the newest one of all that the node could have: nothing has changed, or the node lags.
 * - Errors: `source-failed` if it has none of them.
 */
export async function findFork(blocks: Blocks, trail: Trail, head: Header): Promise<BlockId | undefined> {
  const remembered = trail.newestFirst.filter(({ number }) => number <= head.number);
  const [newest] = remembered;
  if (newest === undefined) return undefined;
  const [now] = await blocks.headers([newest.number]);
  if (now === undefined || now.hash === newest.hash) return undefined;
  const headers = await blocks.headers(remembered.map(({ number }) => number));
  const at = remembered.findIndex(({ hash }, i) => headers[i]?.hash === hash);
  if (at >= 0) return at === 0 ? undefined : remembered[at];
  const oldest = remembered.at(-1)!;
  throw new SwapfoldError(
    'source-failed',
    `The node's chain has another block ${oldest.number} than the one that was read, and every later one differs too: a reorganisation deeper than what is remembered, or another chain of the same id. Nothing was changed; roll back by hand to a block that both have, or follow into another store.`,
  );
}
