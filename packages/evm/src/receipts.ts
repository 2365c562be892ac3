import type { EventLog } from './event-log.ts';
import { feeOf, type PricedReceipt } from './fees.ts';
import { isWatched } from './trader-rules.ts';
import { numberOf } from './words.ts';

/** The receipt of a transaction, as a node gives it. */
export interface RawReceipt extends PricedReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly from: string;
  readonly to?: string | null;
  readonly logs?: readonly RawLog[] | null;
}

interface RawLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
}

/** What is known of a transaction. */
export interface TransactionFacts {
  readonly sender: string;
  /** What it paid the chain, in the smallest unit of the native token; `undefined` if nobody said. */
  readonly fee: bigint | undefined;
  /** The contract that the sender called; `undefined` if nobody said. */
  readonly called: () => string | undefined;
  /** What is seen at a glance; `undefined` if the transaction has other events than transfers, wraps and swaps, or nobody looked. */
  readonly glance?: Glance | undefined;
  /** The events that tell who traded, in their order. */
  readonly events: () => readonly EventLog[];
}

/** What a look at the text of a receipt shows: how many transfers it has, how many swaps, and what the sender gave and got of a token. */
export interface Glance {
  readonly transfers: number;
  readonly swaps: number;
  /** `undefined` if no transfer was the sender's. */
  readonly ofSender: (token: string) => { readonly gave: bigint | undefined; readonly got: bigint | undefined };
}

/** What is known of transactions of a block, by hash. */
export interface BlockTransactions {
  readonly blockHash: string | undefined;
  readonly transactions: Iterable<readonly [hash: string, facts: TransactionFacts]>;
}

/** What a receipt tells. */
export const factsOf = (receipt: RawReceipt): TransactionFacts => ({
  sender: receipt.from.toLowerCase(),
  fee: feeOf(receipt),
  called: () => receipt.to?.toLowerCase(),
  events: () => eventsOf(receipt),
});

/** Facts of a transaction of which no more is known than who sent it. */
export const sentBy = (sender: string): TransactionFacts => ({
  sender: sender.toLowerCase(),
  fee: undefined,
  called: () => undefined,
  events: () => [],
});

/** The events of a receipt that tell who traded. */
export const eventsOf = ({ logs }: Pick<RawReceipt, 'logs'>): EventLog[] =>
  (logs ?? []).filter(({ topics }) => isWatched(topics[0])).map(eventOf);

/** What the receipts of a block tell, which are parsed. */
export const transactionsOf = (receipts: readonly RawReceipt[]): BlockTransactions => ({
  blockHash: receipts[0]?.blockHash,
  transactions: receipts.map((receipt) => [receipt.transactionHash, factsOf(receipt)]),
});

const eventOf = ({ address, topics, data, logIndex }: RawLog): EventLog => ({
  at: numberOf(logIndex),
  address: address.toLowerCase(),
  topics: topics.map((topic) => topic.toLowerCase()),
  data: data.toLowerCase(),
});
