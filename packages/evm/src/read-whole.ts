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

function mendedBy(all: readonly Log[], block: number, found: readonly Log[]): readonly Log[] {
  const isOf = ({ blockNumber }: Log): boolean => numberOf(blockNumber) === block;
  const hash = all.find(isOf)?.blockHash;
  if (found.some(({ blockHash }) => blockHash !== hash)) throw new Inconsistent('A log of another block.');
  return [...all.filter((log) => !isOf(log)), ...found];
}
