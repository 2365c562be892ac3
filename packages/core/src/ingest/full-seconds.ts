import { firstSeqAt, lastSeqAt, MAX_SWAPS_A_SECOND, rankOf } from '../records/chain-order.ts';
import { swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import { fullSecond } from './chain-keys.ts';
import type { Reject } from './result.ts';
import type { ValidSwaps } from './valid-swaps.ts';

/** Those of the new swaps that find room in their second, the first of the input first; the others are rejected. */
export async function swapsWithRoom(
  reader: Reader,
  { blockTime, rows }: ValidSwaps,
  fresh: Uint32Array,
  reject: (reject: Reject) => void,
): Promise<Uint32Array> {
  const room = new Map<number, number>();
  for (const i of fresh) room.set(blockTime[i]!, MAX_SWAPS_A_SECOND);
  for (const time of room.keys()) {
    const last = await reader.max(swapsTable, 'seq', between('seq', firstSeqAt(time), lastSeqAt(time)));
    if (last !== null) room.set(time, MAX_SWAPS_A_SECOND - 1 - rankOf(last));
  }
  return fresh.filter((i) => {
    const time = blockTime[i]!;
    const left = room.get(time)!;
    room.set(time, left - 1);
    if (left <= 0) reject({ row: rows[i]!, field: 'block_time', reason: fullSecond(time) });
    return left > 0;
  });
}
