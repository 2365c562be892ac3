import { signedWord, word } from './words.ts';

/** A log as a node gives it. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly blockTimestamp?: string | null;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

/** How pools of a kind make themselves known: the events of a swap and of a creation, and what their factory is asked. */
export interface EventKind {
  readonly version: 'v2' | 'v3';
  /** Of `Swap`. */
  readonly swapTopic: string;
  /** Words of data of `Swap`. */
  readonly swapWords: number;
  /** What the pool received of its first and second token, less what it gave. */
  readonly amounts: (data: string) => readonly [bigint, bigint];
  /** Of the creation event of a factory. */
  readonly createdTopic: string;
  /** Indexed fields and words of data of the creation event, and the word that holds the pool. */
  readonly created: { readonly topics: number; readonly words: number; readonly pool: number };
  /** Selector of the factory's function that gives the pool of two tokens, and whether it takes the pool's fee as well. */
  readonly poolOf: { readonly selector: string; readonly hasFee: boolean };
}

/**
 * The kinds of pools that are decoded. V2 tells what went in and out of each token, V3 the difference; both index sender and recipient.
 *
 * - V2: `Swap(address,uint256,uint256,uint256,uint256,address)`, `PairCreated(address,address,address,uint256)`, `getPair(address,address)`.
 * - V3: `Swap(address,address,int256,int256,uint160,uint128,int24)`, `PoolCreated(address,address,uint24,int24,address)`,
 *   `getPool(address,address,uint24)`.
 */
export const eventKinds: readonly EventKind[] = [
  {
    version: 'v2',
    swapTopic: '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
    swapWords: 4,
    amounts: (data) => [word(data, 0) - word(data, 2), word(data, 1) - word(data, 3)],
    createdTopic: '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
    created: { topics: 3, words: 2, pool: 0 },
    poolOf: { selector: '0xe6a43905', hasFee: false },
  },
  {
    version: 'v3',
    swapTopic: '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
    swapWords: 5,
    amounts: (data) => [signedWord(data, 0), signedWord(data, 1)],
    createdTopic: '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
    created: { topics: 4, words: 2, pool: 1 },
    poolOf: { selector: '0x1698ee82', hasFee: true },
  },
];

const bySwapTopic = new Map(eventKinds.map((kind) => [kind.swapTopic, kind]));
const byCreatedTopic = new Map(eventKinds.map((kind) => [kind.createdTopic, kind]));

/** The kind whose swap a log is by its first topic. */
export const swapKind = (log: Log): EventKind | undefined => bySwapTopic.get(log.topics[0]!);

/** The kind whose creation event a log is by its first topic. */
export const createdKind = (log: Log): EventKind | undefined => byCreatedTopic.get(log.topics[0]!);
