import { type Node, type Notices, pause } from '@swapfold/chain';
import { Inconsistent } from './blocks.ts';
import type { Log } from './event-kinds.ts';
import { logsOf } from './logs.ts';
import type { PoolPlace } from './pool-place.ts';
import { hexOf, numberOf } from './words.ts';

/** Ids that one question holds at most. */
const IDS = 100;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;
/** Ranges answered in a row before longer ones are tried. */
const TRUST = 10;

/** Finds the events by which managers said what tokens their pools have, of pools that were made before the blocks that are read. */
export class InitializeSearch {
  readonly #node: Node;
  readonly #signal: AbortSignal;
  readonly #notices: Notices;
  /** Blocks that the node takes in one question, as far as is known: all of them. */
  #most = Number.POSITIVE_INFINITY;
  #answered = 0;
  #wait = FIRST_WAIT;

  constructor(node: Node, of: { readonly signal: AbortSignal; readonly notices: Notices }) {
    this.#node = node;
    this.#signal = of.signal;
    this.#notices = of.notices;
  }

  /**
   * The events of pools, from a block, or the newest one, back to the first. Pools that trade are young more often than old, so that the
   * newest blocks are searched first, and no further than the last of them was made.
   */
  async find(places: readonly PoolPlace[], block: number | undefined): Promise<Log[]> {
    const to = block ?? numberOf(await this.#node.call<string>('eth_blockNumber'));
    const found: Log[] = [];
    for (const { contract, createdTopic, ids } of groupsOf(places)) {
      const open = new Set(ids);
      for (let end = to; end >= 0 && open.size > 0; ) {
        const start = Math.max(0, end - this.#most + 1);
        const logs = await this.#ask(contract, [createdTopic, [...open]], [start, end]);
        if (logs === undefined) continue;
        for (const log of logs) if (open.delete(log.topics[1]?.toLowerCase() ?? '')) found.push(log);
        end = start - 1;
      }
    }
    return found;
  }

  /** `undefined` if a shorter range has to be asked for. */
  async #ask(
    address: string,
    topics: readonly (string | readonly string[])[],
    [from, to]: readonly [number, number],
  ): Promise<readonly Log[] | undefined> {
    const filter = { address, topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
    for (;;) {
      const { failure, value } = await this.#node.attempt<readonly Log[] | null>('eth_getLogs', filter);
      if (failure === undefined) {
        this.#grow();
        return logsOf(value);
      }
      if (failure.kind === 'unknown-block') throw new Inconsistent(failure.message);
      if (failure.kind === 'unsupported' || failure.kind === 'reverted') throw failure;
      const isShort = from === to;
      if (failure.kind === 'too-much' && isShort) throw failure;
      if (isShort || (failure.kind !== 'too-much' && failure.kind !== 'timeout')) {
        this.#notices.say('node', `The node does not answer: ${failure.message}`);
        await pause(Math.max(this.#wait, failure.retryAfter ?? 0), this.#signal);
        this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
      }
      if (isShort) continue;
      // Some nodes answer a range that is too long with nothing but a time-out, a limit or an error of their own.
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

/** Pools of one manager, so many that a question holds them. */
function groupsOf(
  places: readonly PoolPlace[],
): readonly { readonly contract: string; readonly createdTopic: string; readonly ids: readonly string[] }[] {
  const groups = new Map<string, { contract: string; createdTopic: string; ids: string[] }>();
  for (const [i, { contract, id, kinds }] of places.entries()) {
    const { createdTopic } = kinds[0]!;
    const key = `${contract}/${createdTopic}/${Math.floor(i / IDS)}`;
    const group = groups.get(key) ?? { contract, createdTopic, ids: [] };
    group.ids.push(id!);
    groups.set(key, group);
  }
  return [...groups.values()];
}
