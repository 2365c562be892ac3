import { eventKinds, type KindName, type Log } from './event-kinds.ts';
import { hexOf } from './words.ts';

/** A manager's pool whose event takes, or took, more questions than a reader waits for. */
export interface SearchedPool {
  readonly manager: string;
  readonly kind: KindName;
  readonly id: string;
  /** The first block with swaps of it that are not stored; `null` if there is none. */
  unread: number | null;
  /** The block from which the search goes on, downwards; -1 if all are searched. */
  next: number;
  /** Topics of its tokens and block of its event; `null` if that has not been found. */
  made: { readonly tokens: readonly [string, string]; readonly block: number } | null;
}

/** Pools that a place in the store remembers at most, and that are searched for at once: a place has to be small. */
export const MOST_SEARCHED = 2000;

export const searchedKey = ({ manager, id }: SearchedPool): string => `${manager}/${id}`;

/** The event of a pool that was found, as a log; of the fields that say nothing of its tokens, none is as it was. */
export function createdLog({ manager, kind, id, made }: SearchedPool): Log {
  const { createdTopic, created } = eventKinds.find(({ name }) => name === kind)!;
  return {
    address: manager,
    topics: [createdTopic, id, ...made!.tokens],
    data: `0x${'0'.repeat(64 * created.words)}`,
    ...{
      blockHash: '',
      blockNumber: hexOf(made!.block),
      transactionHash: '',
      transactionIndex: '0x0',
      logIndex: '0x0',
    },
  };
}

type Row = readonly [string, string, string, number | null, number, (readonly [string, string, number])?];

/** Pools as a place in the store has them. */
export const toRows = (pools: readonly SearchedPool[]): readonly Row[] =>
  pools.map(({ manager, kind, id, unread, next, made }) => {
    const row = [manager, kind, id, unread, next] as const;
    return made === null ? row : [...row, [...made.tokens, made.block]];
  });

/** Pools of a place in the store; none of one of a version that did not keep them. */
export function searchedIn(place: string): SearchedPool[] {
  const { pools = [] } = JSON.parse(place) as { readonly pools?: readonly Row[] };
  return pools.flatMap(([manager, name, id, unread, next, made]) => {
    const kind = eventKinds.find((each) => each.name === name)?.name;
    if (kind === undefined) return [];
    const of = made === undefined ? null : { tokens: [made[0], made[1]] as const, block: made[2] };
    return { manager, kind, id, unread, next, made: of };
  });
}
