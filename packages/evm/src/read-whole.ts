import { Inconsistent, LacksLogs } from './blocks.ts';
import type { Log } from './event-kinds.ts';
import type { Reading } from './pieces.ts';
import type { ReadSwaps } from './swap-reader.ts';
import { numberOf } from './words.ts';

/**
 * The swaps of logs. If the receipts of a block, which are read for its senders, hold more swaps than its logs, the logs are taken from them.
 *
 * - Errors: those of `SwapReader.read`.
 */
export async function readWhole(
  { logs, reader }: Reading,
  given: readonly Log[],
  block: number | undefined,
): Promise<ReadSwaps> {
  const mended = new Set<number>();
  for (let all = given; ; ) {
    try {
      return await reader.read(all, block);
    } catch (error) {
      if (!(error instanceof LacksLogs) || mended.has(error.block)) throw error;
      mended.add(error.block);
      all = await mendedBy(all, error.block, await logs.ofReceipts(error.block));
    }
  }
}

/** Errors: `Inconsistent` if the receipts are of another block, or hold no more than the logs, as those that were read before did. */
function mendedBy(all: readonly Log[], block: number, found: readonly Log[]): readonly Log[] {
  const own = all.filter(({ blockNumber }) => numberOf(blockNumber) === block);
  if (found.some(({ blockHash }) => blockHash !== own[0]!.blockHash)) throw new Inconsistent('A log of another block.');
  if (found.length <= own.length)
    throw new Inconsistent(`The node's receipts of block ${block} hold fewer logs than they did before.`);
  return [...all.filter((log) => !own.includes(log)), ...found];
}
