import { NO_SWAP } from '../ingest/dirty.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import type { StoredEntities } from './stored.ts';

/**
 * What the newest swap of each entity says; entities without one are absent, or `NaN`. It is what is `known` of the stored profile,
 * else what the newest of the swaps since the first that changed says, and only where there is none of them, of all.
 */
export async function newestOf(
  ids: Int32Array,
  stored: StoredEntities | undefined,
  known: (stored: StoredEntities, id: number) => number | undefined,
  ask: (ids: Int32Array, from: number) => Promise<ReadonlyMap<number, number>>,
): Promise<ReadonlyMap<number, number>> {
  if (stored === undefined) return ask(ids, 0);
  const newest = new Map<number, number>();
  let since = NO_SWAP;
  for (const id of ids) {
    const same = known(stored, id);
    if (same === undefined) since = Math.min(since, stored.since(id));
    else newest.set(id, same);
  }
  for (const from of since < NO_SWAP ? [firstSeqAt(since), 0] : [0]) {
    const unknown = ids.filter((id) => !newest.has(id));
    if (unknown.length > 0) for (const [id, value] of await ask(unknown, from)) newest.set(id, value);
  }
  return newest;
}
