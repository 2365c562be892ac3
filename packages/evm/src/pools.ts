import type { Call } from '@swapfold/chain';
import { type CallResult, type Contracts, isAnswer } from './contracts.ts';
import { createdKind, type EventKind, eventKinds, type Log } from './event-kinds.ts';
import { addressWord, asWord, word, wordCount } from './words.ts';

/** A pool that is followed. */
export interface Pool {
  readonly address: string;
  readonly token0: string;
  readonly token1: string;
  readonly protocol: string;
}

/** A factory whose pools are followed, or one that is known by name. */
export interface NamedFactory {
  readonly address: string;
  readonly protocol: string | undefined;
}

const selectors = { token0: '0x0dfe1681', token1: '0xd21220a7', factory: '0xc45a0155', fee: '0xddca3f43' } as const;

/** A pool whose factory nobody has named. */
const unnamed = (kind: EventKind): string => `${kind.version}-fork`;

/**
 * The pools of a list, or those of factories, each looked up once: `null` is a contract that is none of them.
 *
 * A pool of a factory is known by the factory's creation event, or, if that lies before the first block that is read, by its own word
 * and the factory's.
 */
export class Pools {
  readonly #known = new Map<string, Pool | null>();
  readonly #since = new Map<string, number>();
  readonly #contracts: Contracts;
  readonly #factories: ReadonlyMap<string, NamedFactory>;
  readonly #names: ReadonlyMap<string, string | undefined>;

  /** `factories`: those to follow; none follows the pools that `learnList` is given. `named`: factories known by name. */
  constructor(contracts: Contracts, factories: readonly NamedFactory[], named: readonly NamedFactory[]) {
    this.#contracts = contracts;
    this.#factories = new Map(factories.map((factory) => [factory.address, factory]));
    this.#names = new Map([...named, ...factories].map(({ address, protocol }) => [address, protocol]));
  }

  /** The pool at an address, `null` for one that is not followed, `undefined` for one that is not known yet. */
  get(address: string): Pool | null | undefined {
    return this.#known.get(address);
  }

  /** Takes the pool of a creation event, if the event is one of a factory that is followed. */
  addCreated(log: Log): boolean {
    const kind = createdKind(log)!;
    const factory = this.#factories.get(log.address.toLowerCase());
    const { topics, words, pool } = kind.created;
    if (factory === undefined || log.topics.length !== topics || wordCount(log.data) !== words) return false;
    const address = addressWord(log.data, pool);
    const [token0, token1] = [addressWord(log.topics[1]!), addressWord(log.topics[2]!)];
    this.#put(
      { address, token0, token1, protocol: factory.protocol ?? unnamed(kind) },
      Number.parseInt(log.blockNumber, 16),
    );
    return true;
  }

  /** Looks up the pools of a list. Shape: those that are none. */
  async learnList(addresses: readonly string[]): Promise<string[]> {
    const found = await this.#read(addresses, undefined);
    for (const [i, address] of addresses.entries()) {
      const of = found[i];
      if (of === undefined) continue;
      const kind = eventKinds[of.fee === undefined ? 0 : 1]!;
      const protocol = this.#names.get(of.factory ?? '') ?? unnamed(kind);
      this.#put({ address, token0: of.token0, token1: of.token1, protocol }, 0);
    }
    return addresses.filter((_, i) => found[i] === undefined);
  }

  /** Looks up contracts that swapped and are unknown, as of a block, or of the newest one. */
  async learn(swapped: ReadonlyMap<string, EventKind>, block: number | undefined): Promise<void> {
    const addresses = [...swapped.keys()].filter((address) => !this.#known.has(address));
    if (addresses.length === 0) return;
    const found = await this.#read(addresses, block);
    const asked = addresses.flatMap((address, i) => {
      const of = found[i];
      const factory = this.#factories.get(of?.factory ?? '');
      return of === undefined || factory === undefined ? [] : [{ address, of, factory, kind: swapped.get(address)! }];
    });
    const results = await this.#contracts.ask(
      asked.map(({ of, factory, kind: { poolOf } }) => {
        const args = [of.token0, of.token1, ...(poolOf.hasFee ? [of.fee ?? 0n] : [])];
        return this.#contracts.calling(factory.address, poolOf.selector + args.map(asWord).join(''), block);
      }),
    );
    for (const address of addresses) this.#put(null, block ?? 0, address);
    for (const [i, { address, of, factory, kind }] of asked.entries()) {
      const result = results[i]!;
      if (!isAnswer(result) || addressWord(result) !== address) continue;
      this.#put(
        { address, token0: of.token0, token1: of.token1, protocol: factory.protocol ?? unnamed(kind) },
        block ?? 0,
      );
    }
  }

  /** Forgets what was learnt as of a block or later. */
  forgetFrom(block: number): void {
    for (const [address, since] of this.#since) {
      if (since < block) continue;
      this.#since.delete(address);
      this.#known.delete(address);
    }
  }

  #put(pool: Pool | null, since: number, address = pool!.address): void {
    this.#known.set(address, pool);
    this.#since.set(address, since);
  }

  /** What contracts say of themselves, `undefined` for one that has no two tokens. */
  async #read(addresses: readonly string[], block: number | undefined): Promise<(Described | undefined)[]> {
    const fields = Object.values(selectors);
    const calls = addresses.flatMap((to): Call[] => fields.map((data) => this.#contracts.calling(to, data, block)));
    const results = await this.#contracts.ask(calls);
    return addresses.map((_, i) => {
      const [token0, token1, factory, fee] = results.slice(fields.length * i, fields.length * (i + 1)) as CallResult[];
      if (!isAnswer(token0!) || !isAnswer(token1!)) return undefined;
      return {
        token0: addressWord(token0),
        token1: addressWord(token1),
        factory: isAnswer(factory!) ? addressWord(factory) : undefined,
        fee: isAnswer(fee!) ? word(fee, 0) : undefined,
      };
    });
  }
}

interface Described {
  readonly token0: string;
  readonly token1: string;
  readonly factory: string | undefined;
  readonly fee: bigint | undefined;
}
