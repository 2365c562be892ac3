import { type Node, type Notices, pause } from '@swapfold/chain';
import { eventKinds, type Log } from './event-kinds.ts';
import { logsOf } from './logs.ts';
import type { PoolPlace } from './pool-place.ts';
import { createdLog, MOST_SEARCHED, type SearchedPool, searchedKey } from './searched-pools.ts';
import { hexOf } from './words.ts';

/** Ids that one question holds at most. */
const IDS = 100;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** Ranges answered in a row before longer ones are tried. */
const TRUST = 10;
/** Questions that a reader waits for; a search that takes more goes on beside it, and the store remembers how far it is. */
const QUICK = 32;

interface Open {
  readonly key: string;
  readonly pool: SearchedPool;
  readonly from: number;
  asked: number;
  /** Whether nobody waits for it any more. */
  isLeft: boolean;
  /** Tenths of its blocks of which the notices have told. */
  told: number;
  readonly waiting: Promise<void>;
  readonly wake: () => void;
}

/** What became of a pool: the event that made it, `null` if there is none. */
export interface Found {
  readonly key: string;
  readonly log: Log | null;
}

/**
 * Finds the events by which managers said what tokens their pools have, of pools that were made before the blocks that are read: from the first
 * swap that was seen back to the first block, because pools that trade are young more often than old.
 *
 * A node with short ranges may be asked ten thousands of times. A reader waits for the first questions alone, and `ready` has what comes later.
 */
export class InitializeSearch {
  readonly #node: Node;
  readonly #signal: AbortSignal;
  readonly #notices: Notices;
  readonly #open = new Map<string, Open>();
  /** By key: pools that took long, found or not. */
  readonly #kept = new Map<string, SearchedPool>();
  readonly #settled = new Map<string, Log | null>();
  #ready: SearchedPool[] = [];
  /** Blocks that the node takes in one question, as far as is known: all of them. */
  #most = Number.POSITIVE_INFINITY;
  #answered = 0;
  #wait = FIRST_WAIT;
  #isRunning = false;
  #error: unknown;

  constructor(node: Node, of: { readonly signal: AbortSignal; readonly notices: Notices }) {
    this.#node = node;
    this.#signal = of.signal;
    this.#notices = of.notices;
  }

  /** Takes up what a place in the store remembers. Shape: pools that need no search any more. */
  resume(pools: readonly SearchedPool[]): readonly SearchedPool[] {
    for (const pool of pools) {
      const key = searchedKey(pool);
      if (pool.made !== null || pool.next < 0) {
        this.#kept.set(key, pool);
        if (pool.unread !== null) this.#ready.push(pool);
      } else this.#put(key, { ...pool }, true);
    }
    void this.#run();
    return [...this.#kept.values()];
  }

  /** What a place in the store is to remember: all that are searched for or unread, and the newest of the others. */
  get pools(): readonly SearchedPool[] {
    const kept = [...this.#kept.values()];
    const due = [
      ...kept.filter(({ unread }) => unread !== null),
      ...[...this.#open.values()].flatMap(({ isLeft, pool }) => (isLeft ? pool : [])),
    ];
    const room = Math.max(0, MOST_SEARCHED - due.length);
    const rest = kept.filter(({ unread }) => unread === null);
    return [...rest.slice(Math.max(0, rest.length - room)), ...due];
  }

  /** Whether pools are searched for beside the reader. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Pools that were found, or found to be nowhere, after a reader had left them, until they are `done`. Errors: what ended the search. */
  get ready(): readonly SearchedPool[] {
    if (this.#error !== undefined) throw this.#error;
    return this.#ready;
  }

  done(pool: SearchedPool): void {
    this.#ready = this.#ready.filter((each) => each !== pool);
  }

  /** Forgets pools that were first seen, or made, at a block or later. */
  forgetFrom(block: number): void {
    const isGone = ({ unread, made }: SearchedPool): boolean => (unread ?? made?.block ?? 0) >= block;
    for (const [key, pool] of this.#kept) if (isGone(pool)) this.#kept.delete(key);
    for (const [key, { pool }] of this.#open) if (isGone(pool)) this.#open.delete(key);
    this.#ready = this.#ready.filter((pool) => !isGone(pool));
  }

  /** Looks for the events of pools. Shape: what became of those that took a few questions; the others are still searched for. */
  async find(places: readonly PoolPlace[]): Promise<readonly Found[]> {
    const waiting: Promise<void>[] = [];
    const keys: string[] = [];
    const known: Found[] = [];
    for (const { key, contract, id, kinds, block } of places) {
      const kept = this.#kept.get(key);
      // Until its swaps are read, it is unknown to all readers.
      if (kept !== undefined && kept.unread === null)
        known.push({ key, log: kept.made === null ? null : createdLog(kept) });
      if (kept !== undefined || (!this.#open.has(key) && this.#open.size >= MOST_SEARCHED)) continue;
      const pool = { manager: contract, kind: kinds[0]!.name, id: id!, unread: block, next: block, made: null };
      const open = this.#open.get(key) ?? this.#put(key, pool, false);
      open.pool.unread = Math.min(open.pool.unread!, block);
      if (open.isLeft) continue;
      keys.push(key);
      waiting.push(open.waiting);
    }
    void this.#run();
    await Promise.all(waiting);
    this.#signal.throwIfAborted();
    if (this.#error !== undefined) throw this.#error;
    const settled = keys.flatMap((key) => {
      const log = this.#settled.get(key);
      return log === undefined ? [] : { key, log };
    });
    return [...known, ...settled];
  }

  #put(key: string, pool: SearchedPool, isLeft: boolean): Open {
    let wake = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const open: Open = { key, pool, from: pool.next, asked: 0, isLeft, told: 0, waiting, wake };
    this.#settled.delete(key);
    this.#open.set(key, open);
    return open;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#open.size > 0) await this.#step();
    } catch (error) {
      if (!this.#signal.aborted) this.#error = error;
    } finally {
      this.#isRunning = false;
      for (const { wake } of this.#open.values()) wake();
    }
  }

  /** Asks for one range: the highest that is not searched, for all pools of the manager that have not been searched for there. */
  async #step(): Promise<void> {
    const all = [...this.#open.values()];
    const first = all.reduce((a, b) => (b.pool.next > a.pool.next ? b : a));
    const { manager, kind, next: end } = first.pool;
    const start = Math.max(0, end - this.#most + 1);
    const those = all
      .filter(({ pool }) => pool.manager === manager && pool.kind === kind && pool.next >= start)
      .sort((a, b) => b.pool.next - a.pool.next)
      .slice(0, IDS);
    const { createdTopic } = eventKinds.find(({ name }) => name === kind)!;
    const logs = await this.#ask(manager, [[createdTopic], those.map(({ pool }) => pool.id)], [start, end]);
    if (logs === undefined) return;
    const found = new Map(logs.map((log) => [log.topics[1]?.toLowerCase(), log]));
    for (const open of those) {
      open.asked++;
      open.pool.next = start - 1;
      const log = found.get(open.pool.id);
      if (log !== undefined || start === 0) this.#settle(open, log);
      else if (open.isLeft) this.#tellProgress(open);
      else if (open.asked >= QUICK) this.#leave(open);
    }
  }

  #settle(open: Open, log: Log | undefined): void {
    const { key, pool, isLeft, wake } = open;
    // A rollback may have forgotten it meanwhile.
    if (this.#open.get(key) !== open) return;
    this.#open.delete(key);
    if (isLeft) {
      if (log !== undefined) pool.made = { tokens: [log.topics[2]!, log.topics[3]!], block: Number(log.blockNumber) };
      this.#kept.set(key, pool);
      this.#ready.push(pool);
    } else this.#settled.set(key, log ?? null);
    wake();
  }

  #leave(open: Open): void {
    const { pool, wake } = open;
    open.isLeft = true;
    const questions = Math.ceil((pool.next + 1) / this.#most);
    this.#notices.tell(
      `Pool ${pool.id} of ${pool.manager} is unknown, and the node takes ranges of ${this.#most} blocks: its Initialize event is searched for from block ${pool.next} back, in up to ${questions} questions. Following goes on; its swaps since block ${pool.unread} are stored once it is found.`,
    );
    wake();
  }

  #tellProgress(open: Open): void {
    const { pool, from } = open;
    const tenths = Math.floor((10 * (from - pool.next)) / Math.max(1, from));
    if (tenths <= open.told) return;
    open.told = tenths;
    this.#notices.tell(
      `Searched for the Initialize event of pool ${pool.id} down to block ${pool.next + 1}: ${10 * tenths} % since the search began or went on.`,
    );
  }

  /** `undefined` if a shorter range has to be asked for. */
  async #ask(
    address: string,
    topics: readonly (readonly string[])[],
    [from, to]: readonly [number, number],
  ): Promise<readonly Log[] | undefined> {
    const filter = { address, topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
    for (;;) {
      const { failure, value } = await this.#node.attempt<readonly Log[] | null>('eth_getLogs', filter);
      if (failure === undefined) {
        this.#grow();
        return logsOf(value);
      }
      if (failure.kind === 'unsupported' || failure.kind === 'reverted') throw failure;
      const isShort = from === to;
      if (failure.kind === 'too-much' && isShort) throw failure;
      const isLate = failure.kind === 'unknown-block';
      if (isShort || (failure.kind !== 'too-much' && failure.kind !== 'timeout')) {
        this.#notices.say('node', `The node does not answer: ${failure.message}`);
        await pause(Math.max(this.#wait, failure.retryAfter ?? 0), this.#signal);
        this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
      }
      if (isShort || isLate) continue;
      this.#most = Math.max(1, Math.floor((to - from + 1) / 2));
      this.#answered = 0;
      return undefined;
    }
  }

  #grow(): void {
    this.#notices.over('node', 'The node answers again.');
    this.#wait = FIRST_WAIT;
    if (++this.#answered < TRUST) return;
    this.#most *= 2;
    this.#answered = 0;
  }
}
