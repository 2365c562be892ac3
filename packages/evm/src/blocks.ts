import { type Call, type Node, NodeFailure, type Notices } from '@swapfold/chain';
import {
  type BlockTransactions,
  factsOf,
  type RawReceipt,
  sentBy,
  type TransactionFacts,
  transactionsOf,
} from './receipts.ts';
import { scanReceipts, watchedLogs } from './scan-receipts.ts';
import type { SwapCount } from './swap-count.ts';
import { hexOf, numberOf } from './words.ts';

/** A block without its transactions. */
export interface Header {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** What its logs could be, `0x` if the node does not say. */
  readonly bloom: string;
}

interface RawBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly logsBloom?: string | null;
  readonly transactions: readonly { readonly hash: string; readonly from: string }[];
}

/** Answers that do not fit each other: the chain has changed between two calls, or two nodes answer behind one address. */
export class Inconsistent extends Error {}

/** The receipts of a block hold more swaps than its logs. */
export class LacksLogs extends Inconsistent {
  readonly block: number;

  constructor(block: number) {
    super(`The node gives fewer logs of block ${block} than its receipts hold.`);
    this.block = block;
  }
}

/** A block that swaps are wanted of. */
export interface Wanted {
  readonly number: number;
  readonly hash: string;
  /** Whether the time of its swaps is known without it. */
  readonly hasTime: boolean;
  /** Hashes of the transactions that swaps are of, by index. */
  readonly transactions: ReadonlyMap<number, string>;
  /** Swap events that its logs have, those that are none of a pool included. */
  readonly swaps: number;
}

/** What swaps need of their blocks. */
export interface BlockFacts {
  /** What is known of a transaction, by its hash. */
  readonly transactions: ReadonlyMap<string, TransactionFacts>;
  /** Times by hash of block, of those without. */
  readonly times: ReadonlyMap<string, number>;
}

/** What is needed beside times: nothing, who sent the transactions, or their events and fees as well. */
export type Need = 'times' | 'senders' | 'events';

interface Facts {
  readonly transactions: Map<string, TransactionFacts>;
  readonly times: Map<string, number>;
}

interface CountedTransactions extends BlockTransactions {
  /** Swap events in all receipts of the block. */
  readonly swaps: number;
}

/** Blocks of a node. */
export class Blocks {
  readonly #node: Node;
  readonly #notices: Notices;
  readonly #swapCount: SwapCount;
  #hasReceipts = true;

  constructor(node: Node, of: { readonly notices: Notices; readonly swapCount: SwapCount }) {
    this.#node = node;
    this.#notices = of.notices;
    this.#swapCount = of.swapCount;
  }

  /** The newest block. */
  async latest(): Promise<Header> {
    const block = await this.#node.call<RawBlock | null>('eth_getBlockByNumber', 'latest', false);
    if (block === null) throw new Inconsistent('The node has no newest block.');
    return headerOf(block);
  }

  /** Headers by number, `undefined` of those that the node does not have. */
  async headers(numbers: readonly number[]): Promise<(Header | undefined)[]> {
    const calls = numbers.map((number): Call => ['eth_getBlockByNumber', [hexOf(number), false]]);
    const outcomes = await this.#node.ask<RawBlock | null>(calls);
    return outcomes.map(({ failure, value: block }, i) => {
      if (failure !== undefined && failure.kind !== 'unknown-block') throw failure;
      if (block === null || block === undefined) return undefined;
      const header = headerOf(block);
      if (header.number !== numbers[i]) throw new Inconsistent(`Asked for block ${numbers[i]}, got ${header.number}.`);
      return header;
    });
  }

  /**
   * Facts of transactions and times of blocks: by the receipts of a block, which know no time; if the node has none, senders by the block with
   * its transactions, and events by the receipts of the transactions.
   *
   * - Errors: `Inconsistent` if the node has another block of that number, or none; `LacksLogs`.
   */
  async facts(wanted: readonly Wanted[], need: Need): Promise<BlockFacts> {
    const facts: Facts = { transactions: new Map(), times: new Map() };
    // A block that is asked for its time has the senders as well.
    const byReceipts = need === 'times' ? [] : wanted.filter(({ hasTime }) => need === 'events' || hasTime);
    const lacking = this.#hasReceipts ? await this.#addReceipts(byReceipts, need, facts) : byReceipts;
    if (need === 'events') await this.#addOneByOne(lacking, facts);
    const byBlocks = need === 'senders' ? wanted.filter((block) => !block.hasTime || lacking.includes(block)) : wanted;
    await this.#addBlocks(
      byBlocks.filter(({ hasTime }) => need === 'senders' || !hasTime),
      need === 'senders',
      facts,
    );
    return facts;
  }

  /** Shape: the blocks that have to be asked otherwise, because the node has no receipts of blocks. */
  async #addReceipts(wanted: readonly Wanted[], need: Need, facts: Facts): Promise<readonly Wanted[]> {
    const calls = wanted.map(({ number, transactions }): Call => {
      const read = (json: Buffer): CountedTransactions | undefined => {
        const text = json.toString('latin1');
        const watched = watchedLogs(text);
        const scanned = scanReceipts(text, transactions, watched);
        return scanned && { ...scanned, swaps: this.#swapCount.inText(text, watched) };
      };
      return ['eth_getBlockReceipts', [hexOf(number)], read];
    });
    const outcomes = await this.#node.ask<CountedTransactions | readonly RawReceipt[] | null>(calls);
    const lacking: Wanted[] = [];
    for (const [i, { failure, value }] of outcomes.entries()) {
      if (failure?.kind === 'unsupported' || failure?.kind === 'too-much') {
        lacking.push(wanted[i]!);
        continue;
      }
      if (failure !== undefined) throw failure;
      const read = value !== null && 'transactions' in value ? value : this.#counted(value ?? []);
      if (read.blockHash !== wanted[i]!.hash)
        throw new Inconsistent(`The node has another block ${wanted[i]!.number} than its logs are of.`);
      if (read.swaps > wanted[i]!.swaps) throw new LacksLogs(wanted[i]!.number);
      for (const [hash, of] of read.transactions) facts.transactions.set(hash, of);
    }
    if (outcomes.some(({ failure }) => failure?.kind === 'unsupported')) {
      this.#hasReceipts = false;
      const instead = need === 'events' ? 'receipts are read one by one' : 'senders are read from whole blocks';
      this.#notices.say('receipts', `The node has no eth_getBlockReceipts: ${instead}.`);
    }
    return lacking;
  }

  #counted(receipts: readonly RawReceipt[]): CountedTransactions {
    return { ...transactionsOf(receipts), swaps: this.#swapCount.in(receipts) };
  }

  async #addOneByOne(wanted: readonly Wanted[], facts: Facts): Promise<void> {
    const asked = wanted.flatMap((block) =>
      [...block.transactions.values()].map((transaction) => ({ block, transaction })),
    );
    const calls = asked.map(({ transaction }): Call => ['eth_getTransactionReceipt', [transaction]]);
    for (const [i, receipt] of (await this.#node.all<RawReceipt | null>(calls)).entries()) {
      const { block, transaction } = asked[i]!;
      if (receipt?.blockHash !== block.hash)
        throw new Inconsistent(`The node does not have a transaction of block ${block.number} any more.`);
      facts.transactions.set(transaction, factsOf(receipt));
    }
  }

  async #addBlocks(wanted: readonly Wanted[], needsSenders: boolean, facts: Facts): Promise<void> {
    const calls = wanted.map(({ hash }): Call => ['eth_getBlockByHash', [hash, needsSenders]]);
    for (const [i, block] of (await this.#node.all<RawBlock | null>(calls)).entries()) {
      if (block === null) throw new Inconsistent(`The node does not have block ${wanted[i]!.number} any more.`);
      facts.times.set(block.hash, numberOf(block.timestamp));
      if (!needsSenders) continue;
      for (const { hash, from } of block.transactions) facts.transactions.set(hash, sentBy(from));
    }
  }
}

/** Whether a failure may be one of a node that lags, or of a chain that has changed. */
export const isInconsistent = (error: unknown): boolean =>
  error instanceof Inconsistent || (error instanceof NodeFailure && error.kind === 'unknown-block');

function headerOf({ number, hash, parentHash, logsBloom }: RawBlock): Header {
  return { number: numberOf(number), hash, parentHash, bloom: logsBloom ?? '0x' };
}
