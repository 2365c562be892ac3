import { feeOf, type PricedReceipt } from './fees.ts';
import { isWatched } from './trader-rules.ts';
import { numberOf } from './words.ts';

/** An event of a transaction that tells who traded, addresses and data in lower case. */
export interface EventLog {
  /** The number of the log in its block. */
  readonly at: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The receipt of a transaction, as a node gives it. */
export interface RawReceipt extends PricedReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly from: string;
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
  /** Those that tell who traded, in their order. */
  readonly events: readonly EventLog[];
}

/** What is known of transactions of a block, by hash. */
export interface BlockTransactions {
  readonly blockHash: string | undefined;
  readonly transactions: Iterable<readonly [hash: string, facts: TransactionFacts]>;
}

/** What a receipt tells. */
export function factsOf(receipt: RawReceipt): TransactionFacts {
  return {
    sender: receipt.from.toLowerCase(),
    fee: feeOf(receipt),
    events: (receipt.logs ?? []).filter(({ topics }) => isWatched(topics[0])).map(eventOf),
  };
}

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
