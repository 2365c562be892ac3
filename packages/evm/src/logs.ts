import { type Call, type Node, type NodeFailure, type Notices, pause } from '@swapfold/chain';
import { type Header, Inconsistent } from './blocks.ts';
import { bloomOf, bloomTest, coversBloom } from './bloom.ts';
import type { Log } from './event-kinds.ts';
import type { LogFilter } from './log-filter.ts';
import { hexOf, numberOf } from './words.ts';

/** Logs that one answer is to hold, roughly: some 4 MB of text. */
const AIM = 5000;
const FIRST_SIZE = 32;
/** Ranges answered in a row before a size that failed is tried again. */
const TRUST = 50;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/** Some nodes answer `null` for none. */
export const logsOf = (answer: readonly Log[] | null): readonly Log[] => answer ?? [];

/** Logs of a node, by ranges that adapt to what it gives. */
export class Logs {
  readonly #node: Node;
  readonly #filter: LogFilter;
  readonly #signal: AbortSignal;
  readonly #notices: Notices;
  readonly #mayHold: (bloom: string) => boolean;
  #size = FIRST_SIZE;
  #limit: number;
  readonly #most: number;
  #answered = 0;
  #hasReceipts = true;

  constructor(node: Node, of: { filter: LogFilter; most: number; signal: AbortSignal; notices: Notices }) {
    this.#node = node;
    this.#filter = of.filter;
    this.#mayHold = bloomTest(of.filter.topics, of.filter.address);
    this.#signal = of.signal;
    this.#notices = of.notices;
    this.#limit = of.most;
    this.#most = of.most;
  }

  /** Blocks that the next range should have. */
  get size(): number {
    return Math.min(this.#size, this.#limit);
  }

  /** Whether a block may hold such logs, by its bloom. */
  mayHold({ bloom }: Header): boolean {
    return this.#mayHold(bloom);
  }

  /**
   * Logs of blocks, each by its hash: a node that does not have one says so. Some nodes give none of a block whose logs they do not have yet: if
   * the bloom of the block may hold such logs, they are asked for once more, and then its receipts say.
   *
   * - Errors: `Inconsistent` for a log of another block; a `NodeFailure` of kind `unknown-block`.
   */
  async ofBlocks(blocks: readonly Header[]): Promise<Log[]> {
    const logs = await this.#ask(blocks);
    const doubtful = blocks.filter((block, i) => logs[i]!.length === 0 && this.mayHold(block));
    const again = doubtful.length === 0 ? [] : await this.#ask(doubtful);
    for (const [i, block] of doubtful.entries())
      if (again[i]!.length === 0) again[i] = (await this.missing(block)) ?? [];
    return [...logs, ...again].flat();
  }

  /**
   * Logs of a block of which the node gave none, although its bloom may hold some: those of its receipts.
   *
   * - Shape: `undefined` if the block has none.
   * - Errors: `Inconsistent` if the receipts do not hold yet what the bloom says.
   */
  async missing(block: Header): Promise<Log[] | undefined> {
    if (!this.mayHold(block)) return undefined;
    const all = await this.#allOf(block);
    const logs = (all ?? []).filter((log) => this.#isWanted(log));
    return logs.length === 0 ? undefined : logs;
  }

  /** All logs of a block, by its receipts, or by a question without a filter. Shape: `undefined` if the node gives neither. */
  async #allOf({ number, hash, bloom }: Header): Promise<readonly Log[] | undefined> {
    const lacking = new Inconsistent(`The node gives fewer logs of block ${number} than the bloom of the block says.`);
    if (this.#hasReceipts) {
      const [answer] = await this.#node.ask<readonly BloomedReceipt[] | null>([
        ['eth_getBlockReceipts', [hexOf(number)]],
      ]);
      const { failure, value } = answer!;
      if (failure === undefined) {
        const receipts = value ?? [];
        if (receipts.some(({ blockHash }) => blockHash !== hash) || !isWhole(receipts, bloom)) throw lacking;
        return receipts.flatMap(({ logs }) => logs);
      }
      if (failure.kind !== 'unsupported' && failure.kind !== 'too-much') throw failure;
      this.#hasReceipts = failure.kind === 'too-much';
    }
    const [answer] = await this.#node.ask<readonly Log[] | null>([['eth_getLogs', [{ blockHash: hash }]]]);
    if (answer!.failure !== undefined) return undefined;
    const logs = logsOf(answer!.value);
    if (!coversBloom(bloomOf(logs), BigInt(bloom))) throw lacking;
    return logs;
  }

  #isWanted({ topics: of, address: by }: Log): boolean {
    const { address, topics } = this.#filter;
    const hasTopics = topics.every((values, i) => values.includes(of[i]?.toLowerCase() ?? ''));
    return hasTopics && (address?.includes(by.toLowerCase()) ?? true);
  }

  async #ask(blocks: readonly Header[]): Promise<(readonly Log[])[]> {
    const calls = blocks.map(({ hash }): Call => ['eth_getLogs', [{ ...this.#filter, blockHash: hash }]]);
    const outcomes = await this.#node.ask<readonly Log[] | null>(calls);
    const logs: (readonly Log[])[] = [];
    for (const [i, { value, failure }] of outcomes.entries())
      logs.push(failure === undefined ? logsOf(value!) : await this.#ofReceipts(blocks[i]!.number, failure));
    for (const [i, of] of logs.entries())
      if (of.some(({ blockHash }) => blockHash !== blocks[i]!.hash)) throw new Inconsistent('A log of another block.');
    return logs;
  }

  /** Logs of a block that has more than the node gives at once: of its receipts. Errors: the failure, if it is another one, or the node gives no receipts. */
  async #ofReceipts(block: number, failure: NodeFailure): Promise<readonly Log[]> {
    if (failure.kind !== 'too-much') throw failure;
    return this.ofReceipts(block, failure);
  }

  /** Logs of a block by its receipts. Errors: `Inconsistent` if there are none; `failure`, if the node cannot give any. */
  async ofReceipts(block: number, failure?: NodeFailure): Promise<readonly Log[]> {
    const call: Call = ['eth_getBlockReceipts', [hexOf(block)]];
    const [answer] = await this.#node.ask<readonly { readonly logs: readonly Log[] }[] | null>([call]);
    if (answer!.failure !== undefined)
      throw answer!.failure.kind === 'unsupported' ? (failure ?? answer!.failure) : answer!.failure;
    const receipts = answer!.value;
    if (receipts === null) throw new Inconsistent(`The node has no receipts of block ${block}.`);
    return receipts.flatMap(({ logs }) => logs).filter((log) => this.#isWanted(log));
  }

  /**
   * Logs of a range of blocks. If the node gives no answer to it, those that follow are shorter, and its halves are to be asked for.
   *
   * - Shape: `undefined` for a range that is to be halved, which has several blocks.
   * - Errors: `Inconsistent` if the node does not have the blocks; a `NodeFailure` that a shorter range does not mend.
   */
  async ofRange(from: number, to: number): Promise<Log[] | undefined> {
    let wait = FIRST_WAIT;
    for (;;) {
      const range = { ...this.#filter, fromBlock: hexOf(from), toBlock: hexOf(to) };
      const { failure, value } = await this.#node.attempt<readonly Log[] | null>('eth_getLogs', range);
      if (failure === undefined) {
        const logs = logsOf(value);
        this.#grow(to - from + 1, logs.length);
        return requireRange(logs, from, to);
      }
      if (failure.kind === 'unknown-block') throw new Inconsistent(failure.message);
      if (failure.kind === 'unsupported' || failure.kind === 'reverted') throw failure;
      if (failure.kind === 'too-much' && from === to) return [...(await this.#ofReceipts(from, failure))];
      if (failure.kind !== 'too-much') {
        this.#notices.say('node', `The node does not answer: ${failure.message}`);
        await pause(Math.max(wait, failure.retryAfter ?? 0), this.#signal);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
      if (from === to) continue;
      this.cut(to - from + 1);
      return undefined;
    }
  }

  #grow(blocks: number, logs: number): void {
    this.#notices.over('node', 'The node answers again.');
    if (++this.#answered >= TRUST && this.#limit < this.#most) {
      this.#limit = Math.min(this.#most, 2 * this.#limit);
      this.#answered = 0;
    }
    const fit = Math.floor((blocks * AIM) / Math.max(1, logs));
    this.#size = Math.max(1, Math.min(fit, 4 * Math.max(blocks, this.#size)));
  }

  /** Makes the ranges that follow shorter than one of so many blocks. */
  cut(blocks: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, Math.floor(blocks / 2)));
    this.#answered = 0;
  }
}

interface BloomedReceipt {
  readonly blockHash: string;
  readonly logs: readonly Log[];
  readonly logsBloom?: string | null;
}

/** Whether receipts hold all that the bloom of their block says, by their own blooms; `true` if they have none. */
function isWhole(receipts: readonly BloomedReceipt[], bloom: string): boolean {
  if (receipts.some(({ logsBloom }) => typeof logsBloom !== 'string')) return true;
  const all = receipts.reduce((sum, { logsBloom }) => sum | BigInt(logsBloom!), 0n);
  return coversBloom(all, BigInt(bloom));
}

function requireRange(logs: readonly Log[], from: number, to: number): Log[] {
  for (const { blockNumber } of logs) {
    const number = numberOf(blockNumber);
    if (!(number >= from && number <= to))
      throw new Inconsistent(`A log of block ${number}, outside ${from} to ${to}.`);
  }
  return [...logs];
}
