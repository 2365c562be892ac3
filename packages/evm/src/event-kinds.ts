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

/** What a pool says of itself beside its tokens, which its factory has to be asked with. */
export type PoolField = 'fee' | 'stable' | 'tickSpacing';

/** How pools of a kind make themselves known: the events of a swap and of a creation, and what their factory is asked. */
export interface EventKind {
  readonly name: KindName;
  /** Of `Swap`. */
  readonly swapTopic: string;
  /** Words of data of `Swap`. */
  readonly swapWords: number;
  /** What the pool received of its first and second token, less what it gave. */
  readonly amounts: (data: string) => readonly [bigint, bigint];
  /** Of the creation event of a factory or a manager. */
  readonly createdTopic: string;
  /** Topics and words of data of the creation event, the topic of its first token, and the word of the pool; a manager's pool is its first topic. */
  readonly created: {
    readonly topics: number;
    readonly words: number;
    readonly token0: number;
    readonly pool: number | 'id';
  };
  /** Selector of the factory's function that gives the pool of two tokens, and what it takes as well; a manager has none. */
  readonly poolOf?: { readonly selector: string; readonly with?: PoolField };
}

const inAndOut = (data: string): [bigint, bigint] => [word(data, 0) - word(data, 2), word(data, 1) - word(data, 3)];
const received = (data: string): [bigint, bigint] => [signedWord(data, 0), signedWord(data, 1)];
/** A manager tells what the swapper received. */
const swapperReceived = (data: string): [bigint, bigint] => [-signedWord(data, 0), -signedWord(data, 1)];

const v2Swap = {
  swapTopic: '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
  swapWords: 4,
  amounts: inAndOut,
} as const;
const v3Swap = {
  swapTopic: '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  swapWords: 5,
  amounts: received,
} as const;
const v3Created = {
  createdTopic: '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
  created: { topics: 4, words: 2, token0: 1, pool: 1 },
  poolOf: { selector: '0x1698ee82', with: 'fee' },
} as const;
const algebraCreated = {
  createdTopic: '0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db',
  created: { topics: 3, words: 1, token0: 1, pool: 0 },
  poolOf: { selector: '0xd9a641e1' },
} as const;

/** A kind of pools, by the events that they and their factory or manager emit: docs/guides/chain.md lists what is of each. */
export type KindName =
  | 'v2'
  | 'solidly'
  | 'velodrome-v2'
  | 'v3'
  | 'slipstream'
  | 'algebra'
  | 'algebra-integral'
  | 'pancakeswap-v3'
  | 'v4'
  | 'pancakeswap-infinity';

/**
 * The kinds of pools that are decoded, a row each. Kinds that share the event of a swap differ in what their factory says and is asked.
 *
 * packages/evm/test/event-kinds.test.ts has the signature of each topic and selector.
 */
export const eventKinds: readonly EventKind[] = [
  {
    name: 'v2',
    ...v2Swap,
    createdTopic: '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
    created: { topics: 3, words: 2, token0: 1, pool: 0 },
    poolOf: { selector: '0xe6a43905' },
  },
  {
    name: 'solidly',
    ...v2Swap,
    createdTopic: '0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9',
    created: { topics: 3, words: 3, token0: 1, pool: 1 },
    poolOf: { selector: '0x6801cc30', with: 'stable' },
  },
  {
    name: 'velodrome-v2',
    swapTopic: '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b',
    swapWords: 4,
    amounts: inAndOut,
    createdTopic: '0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e',
    created: { topics: 4, words: 2, token0: 1, pool: 0 },
    poolOf: { selector: '0x79bc57d5', with: 'stable' },
  },
  { name: 'v3', ...v3Swap, ...v3Created },
  {
    name: 'slipstream',
    ...v3Swap,
    createdTopic: '0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2',
    created: { topics: 4, words: 1, token0: 1, pool: 0 },
    poolOf: { selector: '0x28af8d0b', with: 'tickSpacing' },
  },
  { name: 'algebra', ...v3Swap, ...algebraCreated },
  {
    name: 'algebra-integral',
    swapTopic: '0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79',
    swapWords: 7,
    amounts: received,
    ...algebraCreated,
  },
  {
    name: 'pancakeswap-v3',
    swapTopic: '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
    swapWords: 7,
    amounts: received,
    ...v3Created,
  },
  {
    name: 'v4',
    swapTopic: '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f',
    swapWords: 6,
    amounts: swapperReceived,
    createdTopic: '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438',
    created: { topics: 4, words: 5, token0: 2, pool: 'id' },
  },
  {
    name: 'pancakeswap-infinity',
    swapTopic: '0x04206ad2b7c0f463bff3dd4f33c5735b0f2957a351e4f79763a4fa9e775dd237',
    swapWords: 7,
    amounts: swapperReceived,
    createdTopic: '0x426cc62fe6a33a40ba2788c2c87a9c34ee4582b95bc9fa5a7bb7ae70b750b99c',
    created: { topics: 4, words: 5, token0: 2, pool: 'id' },
  },
];

/** Whether the pools of a kind lie in one contract, which tells them apart by an id. */
export const isManaged = (kind: EventKind): boolean => kind.created.pool === 'id';

function grouped(topicOf: (kind: EventKind) => string): ReadonlyMap<string, readonly EventKind[]> {
  const groups = new Map<string, EventKind[]>();
  for (const kind of eventKinds) groups.set(topicOf(kind), [...(groups.get(topicOf(kind)) ?? []), kind]);
  return groups;
}

const bySwapTopic = grouped((kind) => kind.swapTopic);
const byCreatedTopic = grouped((kind) => kind.createdTopic);

/** The kinds whose swap a log is by its first topic; they read it alike. */
export const swapKinds = (log: Log): readonly EventKind[] | undefined => swapKindsOf(log.topics[0]!);

/** The kinds whose swaps begin with a topic. */
export const swapKindsOf = (topic: string): readonly EventKind[] | undefined => bySwapTopic.get(topic);

/** The kinds whose creation event a log is by its first topic; they read it alike. */
export const createdKinds = (log: Log): readonly EventKind[] | undefined => byCreatedTopic.get(log.topics[0]!);
