import { type BlockId, Trail } from '@swapfold/chain';
import { SwapfoldError } from '@swapfold/core';
import { type Blocks, type Header, Inconsistent } from './blocks.ts';

/** Blocks that are looked at first: most reorganisations are not deeper, and the header of a block holds the hashes of its transactions. */
const FIRST_LOOK = 4;

/**
 * The newest remembered block that the node's chain still has.
 *
 * - Shape: `undefined` if that is the newest one of all that the node could have: nothing has changed, or the node lags.
 * - Errors: `source-failed` if it has none of them; `Inconsistent` if the blocks above it are of two branches.
 */
export async function findFork(blocks: Blocks, trail: Trail, head: Header): Promise<BlockId | undefined> {
  const remembered = trail.newestFirst.filter(({ number }) => number <= head.number);
  const [newest] = remembered;
  if (newest === undefined) return undefined;
  const [now] = await blocks.headers([newest.number]);
  if (now === undefined || now.hash === newest.hash) return undefined;
  const headers: (Header | undefined)[] = [];
  for (const some of [remembered.slice(0, FIRST_LOOK), remembered.slice(FIRST_LOOK)]) {
    headers.push(...(await blocks.headers(some.map(({ number }) => number))));
    const at = remembered.findIndex((block, i) => Trail.isStart(block) || headers[i]?.hash === block.hash);
    if (at < 0) continue;
    if (at === 0) return undefined;
    requireBranch([head, ...headers.slice(0, at + 1)]);
    return remembered[at];
  }
  const oldest = remembered.at(-1)!;
  throw new SwapfoldError(
    'source-failed',
    `The node's chain has another block ${oldest.number} than the one that was read, and every later one differs too: a reorganisation deeper than what is remembered, or another chain of the same id. Nothing was changed; roll back by hand to a block that both have, or follow into another store.`,
  );
}

/** Two nodes behind one address may answer in turns. Errors: `Inconsistent` if blocks next to each other, the newest first, are of two branches. */
function requireBranch(headers: readonly (Header | undefined)[]): void {
  for (const [i, header] of headers.entries()) {
    const below = headers[i + 1];
    if (header === undefined || below === undefined) continue;
    const isOne =
      header.number === below.number
        ? header.hash === below.hash
        : header.number !== below.number + 1 || header.parentHash === below.hash;
    if (!isOne) throw new Inconsistent(`Blocks ${below.number} and ${header.number} are of two branches.`);
  }
}
