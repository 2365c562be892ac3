import type { EventLog } from './event-log.ts';
import { feeOf, type PricedReceipt } from './fees.ts';
import { type AccountFlows, Flows, noFlows } from './flows.ts';
import { isWatched, TRANSFER } from './trader-rules.ts';
import { numberOf } from './words.ts';

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
  /** Whether it has no other events that tell who traded than transfers. */
  readonly isPlain: boolean;
  /** What the sender gave and got. */
  readonly own: AccountFlows;
  /** The events that tell who traded, in their order. */
  readonly events: () => readonly EventLog[];
}

/** What is known of transactions of a block, by hash. */
export interface BlockTransactions {
  readonly blockHash: string | undefined;
  readonly transactions: Iterable<readonly [hash: string, facts: TransactionFacts]>;
}

/** What a receipt tells. */
export function factsOf(receipt: RawReceipt): TransactionFacts {
  const sender = receipt.from.toLowerCase();
  const events = eventsOf(receipt);
  return {
    sender,
    fee: feeOf(receipt),
    isPlain: events.every(({ topics }) => topics[0] === TRANSFER),
    own: new Flows(events).of(sender),
    events: () => events,
  };
}

/** Facts of a transaction of which no more is known than who sent it. */
export const sentBy = (sender: string): TransactionFacts => ({
  sender: sender.toLowerCase(),
  fee: undefined,
  isPlain: true,
  own: noFlows,
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
