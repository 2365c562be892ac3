import { type Call, type Node, NodeFailure, type Notices } from '@swapfold/chain';
import { type BlockSenders, type RawReceipt, scanReceipts, sendersOf } from './receipts.ts';
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

/** A block that swaps are wanted of. */
export interface Wanted {
  readonly number: number;
  readonly hash: string;
  /** Whether the time of its swaps is known without it. */
  readonly hasTime: boolean;
  /** Hashes of the transactions that swaps are of, by index. */
  readonly transactions: ReadonlyMap<number, string>;
}

/** What swaps need of their blocks. */
export interface BlockFacts {
  /** Who sent a transaction, by its hash. */
  readonly senders: ReadonlyMap<string, string>;
  /** Times by hash of block, of those without. */
  readonly times: ReadonlyMap<string, number>;
}

/** Blocks of a node. */
export class Blocks {
  readonly #node: Node;
  readonly #notices: Notices;
  #hasReceipts = true;

  constructor(node: Node, notices: Notices) {
    this.#node = node;
    this.#notices = notices;
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
   * Senders of transactions and times of blocks: by the receipts of a block, which know no time, or by the block with its transactions.
   *
   * - Errors: `Inconsistent` if the node has another block of that number, or none.
   */
  async facts(wanted: readonly Wanted[], needsSenders: boolean): Promise<BlockFacts> {
    const senders = new Map<string, string>();
    const times = new Map<string, number>();
    const byReceipts = wanted.filter(({ hasTime }) => hasTime && needsSenders && this.#hasReceipts);
    const others = wanted.filter((block) => !byReceipts.includes(block) && (needsSenders || !block.hasTime));
    const lacking = await this.#addReceipts(byReceipts, senders);
    await this.#addBlocks([...others, ...lacking], needsSenders, { senders, times });
    return { senders, times };
  }

  /** Shape: the blocks that have to be asked otherwise, because the node has no receipts of blocks. */
  async #addReceipts(wanted: readonly Wanted[], senders: Map<string, string>): Promise<readonly Wanted[]> {
    const calls = wanted.map(({ number, transactions }): Call => {
      const read = (json: Buffer): BlockSenders | undefined => scanReceipts(json, transactions);
      return ['eth_getBlockReceipts', [hexOf(number)], read];
    });
    const outcomes = await this.#node.ask<BlockSenders | readonly RawReceipt[] | null>(calls);
    const lacking: Wanted[] = [];
    for (const [i, { failure, value }] of outcomes.entries()) {
      if (failure?.kind === 'unsupported' || failure?.kind === 'too-much') {
        lacking.push(wanted[i]!);
        continue;
      }
      if (failure !== undefined) throw failure;
      const read = value !== null && 'senders' in value ? value : sendersOf(value ?? []);
      if (read.blockHash !== wanted[i]!.hash)
        throw new Inconsistent(`The node has another block ${wanted[i]!.number} than its logs are of.`);
      for (const [hash, sender] of read.senders) senders.set(hash, sender);
    }
    if (outcomes.some(({ failure }) => failure?.kind === 'unsupported')) {
      this.#hasReceipts = false;
      this.#notices.say('receipts', 'The node has no eth_getBlockReceipts: senders are read from whole blocks.');
    }
    return lacking;
  }

  async #addBlocks(
    wanted: readonly Wanted[],
    needsSenders: boolean,
    { senders, times }: { readonly senders: Map<string, string>; readonly times: Map<string, number> },
  ): Promise<void> {
    const calls = wanted.map(({ hash }): Call => ['eth_getBlockByHash', [hash, needsSenders]]);
    for (const [i, block] of (await this.#node.all<RawBlock | null>(calls)).entries()) {
      if (block === null) throw new Inconsistent(`The node does not have block ${wanted[i]!.number} any more.`);
      times.set(block.hash, numberOf(block.timestamp));
      if (needsSenders) for (const { hash, from } of block.transactions) senders.set(hash, from.toLowerCase());
    }
  }
}

/** Whether a failure may be one of a node that lags, or of a chain that has changed. */
export const isInconsistent = (error: unknown): boolean =>
  error instanceof Inconsistent || (error instanceof NodeFailure && error.kind === 'unknown-block');

function headerOf({ number, hash, parentHash, logsBloom }: RawBlock): Header {
  return { number: numberOf(number), hash, parentHash, bloom: logsBloom ?? '0x' };
}
