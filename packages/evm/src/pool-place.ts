import { type EventKind, isManaged, type Log } from './event-kinds.ts';
import { numberOf } from './words.ts';

/** Where a swap happened. */
export interface PoolPlace {
  readonly key: string;
  /** The contract that told of it. */
  readonly contract: string;
  /** Of a manager's pool. */
  readonly id: string | undefined;
  /** Kinds that it may be of. */
  readonly kinds: readonly EventKind[];
  /** The block of the swap. */
  readonly block: number;
}

/** The place of the pool that a swap is of. */
export function placeOf(log: Log, kinds: readonly EventKind[]): PoolPlace {
  const contract = log.address.toLowerCase();
  const block = numberOf(log.blockNumber);
  if (!isManaged(kinds[0]!)) return { key: contract, contract, id: undefined, kinds, block };
  const id = log.topics[1]!.toLowerCase();
  return { key: `${contract}/${id}`, contract, id, kinds, block };
}
