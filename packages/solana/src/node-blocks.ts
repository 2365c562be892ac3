import { type Call, type Node, type NodeFailure, type Notices, type Outcome, pause } from '@swapfold/chain';
import { SwapfoldError } from '@swapfold/core';
import type { SolanaBlock, SolanaTransaction } from './raw.ts';

/** How far the chain has to have agreed on a block until it is read. */
export type Commitment = 'confirmed' | 'finalized';

/** A block of a slot, or that the slot has none, or that the node does not have it yet. */
export type SlotAnswer = { readonly block: SolanaBlock } | 'skipped' | 'missing';

/** A transaction that an address is part of. */
export interface Signature {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly blockTime?: number | null;
}

/** Transactions of an address that one call lists. */
export const PAGE = 1000;

/** How often the node is asked again for what it should have soon, and milliseconds between. */
const [TRIES, BETWEEN] = [4, 500];

/** Slots behind a range of which one has a block: leaders have four in a row. */
const BEHIND = 32;

/** Blocks and transactions of a node. */
export class NodeBlocks {
  readonly #node: Node;
  readonly #notices: Notices;
  readonly #commitment: Commitment;
  readonly #signal: AbortSignal;
  /** The transactions of the slot that was asked for last. */
  #listed: { readonly slot: number; readonly signatures: readonly string[] } | undefined;
  /** The latest version of transactions that is asked for. */
  #version = 0;
  /** The newest slot that the node has told of: a node behind it, of those that share an address, would leave out what it does not know. */
  #seen = 0;

  constructor(
    node: Node,
    of: { readonly notices: Notices; readonly commitment: Commitment; readonly signal: AbortSignal },
  ) {
    this.#node = node;
    this.#signal = of.signal;
    this.#notices = of.notices;
    this.#commitment = of.commitment;
  }

  /** Calls that the node takes at once, as far as is known. */
  get atOnce(): number {
    return this.#node.size;
  }

  async genesis(): Promise<string> {
    return this.#node.call<string>('getGenesisHash');
  }

  /** The newest slot. */
  async newest(): Promise<number> {
    const slot = await this.#node.call<number>('getSlot', { commitment: this.#commitment });
    this.#seen = Math.max(this.#seen, slot);
    return slot;
  }

  /**
   * A block whose time the node does not know yet is asked for it some times more, and then as good as not there: until the slot is final, and the
   * node still does not say it.
   */
  async block(slot: number): Promise<SlotAnswer> {
    const answer = await this.#blockOf(slot, 'full');
    if (!(answer instanceof Object) || answer.block.blockTime !== null) return answer;
    for (let tries = 0; tries < TRIES; tries++) {
      const { value: blockTime } = await this.#node.attempt<number | null>('getBlockTime', slot);
      if (typeof blockTime === 'number') {
        this.#notices.over('time', 'The node has the times of blocks again.');
        return { block: { ...answer.block, blockTime } };
      }
      await pause(BETWEEN, this.#signal);
    }
    if (await this.isFinal(slot)) return answer;
    this.#notices.say('time', `The node does not have the time of the block of slot ${slot}: it is asked again.`);
    return 'missing';
  }

  /** Whether the chain cannot change a slot any more. */
  async isFinal(slot: number): Promise<boolean> {
    return slot <= (await this.#node.call<number>('getSlot', { commitment: 'finalized' }));
  }

  /** The parent of the first block behind a slot that the node has, at most some slots further; `undefined` if it has none of them. */
  async parentBehind(slot: number): Promise<number | undefined> {
    const last = Math.min(slot + BEHIND, await this.newest());
    for (let at = slot + 1; at <= last; at++) {
      const answer = await this.#blockOf(at, 'none');
      if (answer instanceof Object) return answer.block.parentSlot;
    }
    return undefined;
  }

  /** Whether the chain has dropped a transaction that the node listed: its slot is final, and the node knows of no such transaction. */
  async isDropped({ signature, slot }: Signature): Promise<boolean> {
    if (!(await this.isFinal(slot))) return false;
    const { value } = await this.#node.attempt<{ value: readonly (object | null)[] }>(
      'getSignatureStatuses',
      [signature],
      {
        searchTransactionHistory: true,
      },
    );
    return value?.value?.[0] === null;
  }

  /** The hash of the block of a slot; `undefined` if there is none. One that the node does not have yet is asked for some times more. */
  async hashOf(slot: number): Promise<string | undefined> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#blockOf(slot, 'none');
      if (answer instanceof Object) return answer.block.blockhash;
      if (answer === 'skipped' || tries === TRIES) return undefined;
      await pause(BETWEEN, this.#signal);
    }
  }

  /** The place of a transaction in its block, which older nodes do not say of one; `undefined` if the node does not have the block. */
  async indexOf({ slot, transaction: { signatures } }: SolanaTransaction): Promise<number | undefined> {
    if (this.#listed?.slot !== slot) {
      const answer = await this.#blockOf(slot, 'signatures').catch(() => undefined);
      this.#listed = { slot, signatures: answer instanceof Object ? (answer.block.signatures ?? []) : [] };
    }
    const index = this.#listed.signatures.indexOf(signatures[0]!);
    return index < 0 ? undefined : index;
  }

  async #blockOf(slot: number, transactionDetails: 'full' | 'signatures' | 'none'): Promise<SlotAnswer> {
    const of = { encoding: 'json', transactionDetails, rewards: false, commitment: this.#commitment };
    const { failure, value } = await this.#ask<SolanaBlock | null>('getBlock', slot, of);
    if (failure === undefined) return value === null ? 'missing' : { block: value };
    if (failure.kind === 'skipped') return 'skipped';
    if (failure.kind === 'unknown-block') return 'missing';
    if (failure.kind === 'reverted')
      throw new SwapfoldError(
        'source-failed',
        `The node does not have slot ${slot} any more: ${failure.message} Begin at a later slot, or give an archive node.`,
      );
    throw failure;
  }

  /** Shape: `null` if the node does not have it. */
  async transaction(signature: string): Promise<SolanaTransaction | null> {
    const of = { encoding: 'json', commitment: this.#commitment };
    const { failure, value } = await this.#ask<SolanaTransaction | null>('getTransaction', signature, of);
    if (failure !== undefined) throw failure;
    return value;
  }

  /**
   * Transactions of an address, the newest first: those before one, down to another. A node that does not have these yet is waited for: of one
   * that it does not know it lists nothing, or everything.
   */
  async signatures(address: string, before: string | null, until: string | null): Promise<readonly Signature[]> {
    if (this.#seen === 0) await this.newest();
    for (;;) {
      const of = { limit: PAGE, commitment: this.#commitment, minContextSlot: this.#seen };
      const range = { ...(before !== null && { before }), ...(until !== null && { until }) };
      const call: Call = ['getSignaturesForAddress', [address, { ...of, ...range }]];
      const [{ value, failure }] = (await this.#node.ask<readonly Signature[]>([call])) as [Outcome<Signature[]>];
      if (failure === undefined) {
        this.#notices.over('behind', 'The node has caught up.');
        this.#seen = Math.max(this.#seen, value[0]?.slot ?? 0);
        return value;
      }
      if (failure.kind !== 'unknown-block') throw failure;
      this.#notices.say('behind', `The node is behind slot ${this.#seen}, which another one has told of.`);
      await pause(BETWEEN, this.#signal);
    }
  }

  /** Data of accounts, `undefined` of those that are not there; at most a hundred. */
  async accounts(addresses: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
    const { value } = await this.#node.call<{ value: readonly ({ data: readonly [string, string] } | null)[] }>(
      'getMultipleAccounts',
      addresses,
      { encoding: 'base64', commitment: this.#commitment },
    );
    return addresses.map((_, i) => {
      const account = value[i];
      return account ? Buffer.from(account.data[0], 'base64') : undefined;
    });
  }

  /** A node refuses transactions of a later version than is asked for, and names it: it is asked for that one. */
  async #ask<T>(method: string, what: unknown, of: object): Promise<{ failure?: NodeFailure | undefined; value: T }> {
    for (;;) {
      const asked = this.#version;
      const call: Call = [method, [what, { ...of, maxSupportedTransactionVersion: asked }]];
      const [outcome] = await this.#node.ask<T>([call]);
      const { failure } = outcome!;
      if (failure === undefined) return { value: outcome!.value as T };
      const version = failure.kind === 'unsupported' ? Number(/version \((\d+)\)/i.exec(failure.message)?.[1]) : 0;
      if (!(version > asked)) return { failure, value: null as T };
      this.#version = Math.max(version, this.#version);
      this.#notices.say(
        'version',
        `The chain has transactions of version ${version}, which are asked for from now on.`,
      );
    }
  }
}
