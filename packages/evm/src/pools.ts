import type { Call } from '@swapfold/chain';
import { type CallResult, type Contracts, isAnswer, isEmpty } from './contracts.ts';
import { createdKinds, type EventKind, eventKinds, type KindName, type Log, type PoolField } from './event-kinds.ts';
import type { InitializeSearch } from './initialize-search.ts';
import { NATIVE } from './native.ts';
import type { PoolPlace } from './pool-place.ts';
import { addressWord, asWord, word, wordCount } from './words.ts';

/** A pool that is followed. */
export interface Pool {
  /** Of a contract its address, of a manager's pool its id. */
  readonly address: string;
  readonly token0: string;
  readonly token1: string;
  readonly protocol: string;
  /** Whether its first token is the native one itself, as a manager's pool may have it. */
  readonly isNative: boolean;
}

/** A factory, or a manager, whose pools are followed, or one that is known by name. */
export interface NamedFactory {
  readonly address: string;
  readonly protocol: string | undefined;
  /** Kinds that its pools may be of. */
  readonly kinds: readonly KindName[];
}

const selectors = {
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
  factory: '0xc45a0155',
  fee: '0xddca3f43',
  stable: '0x22be3de1',
  tickSpacing: '0xd0c93a7c',
} as const;

/** A pool whose factory nobody has named. */
const unnamed = (kind: EventKind): string => `${kind.name}-fork`;

/**
 * The pools of a list, or those of factories and managers, each looked up once: `null` is a contract that is none of them.
 *
 * A pool is known by its creation event. If that lies before the first block that is read, the pool and its factory are asked; of a manager's
 * pool, which cannot be asked, the event is searched for.
 */
export class Pools {
  readonly #known = new Map<string, Pool | null>();
  readonly #since = new Map<string, number>();
  readonly #tokens = new Set<string>();
  readonly #contracts: Contracts;
  readonly #search: InitializeSearch;
  readonly #native: string;
  readonly #factories: ReadonlyMap<string, NamedFactory>;
  readonly #names: ReadonlyMap<string, string | undefined>;

  /** `native`: what the native token counts as. `factories`: those to follow; none follows the pools that `learnList` is given. `named`: factories known by name. */
  constructor(
    { contracts, search, native }: { contracts: Contracts; search: InitializeSearch; native: string | undefined },
    factories: readonly NamedFactory[],
    named: readonly { readonly address: string; readonly protocol: string }[],
  ) {
    this.#contracts = contracts;
    this.#search = search;
    this.#native = native ?? NATIVE;
    this.#factories = new Map(factories.map((factory) => [factory.address, factory]));
    this.#names = new Map([...named, ...factories].map(({ address, protocol }) => [address, protocol]));
  }

  /** The pool at a place, `null` for one that is not followed, `undefined` for one that is not known yet. */
  get(key: string): Pool | null | undefined {
    return this.#known.get(key);
  }

  /** The tokens of all pools that are known. */
  get tokens(): ReadonlySet<string> {
    return this.#tokens;
  }

  /** Whether the contract is a manager whose pools are followed. */
  isFollowed(contract: string): boolean {
    return this.#factories.has(contract);
  }

  /** Takes the pool of a creation event, if the event is one of a factory or manager that is followed. */
  addCreated(log: Log): void {
    const contract = log.address.toLowerCase();
    const factory = this.#factories.get(contract);
    const kinds = createdKinds(log)!.filter(({ name }) => factory?.kinds.includes(name));
    const [kind] = kinds;
    if (factory === undefined || kind === undefined) return;
    const { topics, words, token0: first, pool } = kind.created;
    if (log.topics.length !== topics || wordCount(log.data) !== words) return;
    const [token0, token1] = [log.topics[first]!, log.topics[first + 1]!].map((topic) => this.#tokenIn(topic)) as [
      string,
      string,
    ];
    const protocol = factory.protocol ?? unnamed(kind);
    const since = Number.parseInt(log.blockNumber, 16);
    const address = pool === 'id' ? log.topics[1]!.toLowerCase() : addressWord(log.data, pool);
    const isNative = addressWord(log.topics[first]!) === NATIVE;
    const of = { address, token0, token1, protocol, isNative };
    this.#put(pool === 'id' ? `${contract}/${address}` : address, of, since);
  }

  /** Looks up the pools of a list. Shape: those that are none. */
  async learnList(addresses: readonly string[]): Promise<string[]> {
    const found = await this.#read(addresses, ['fee'], undefined);
    for (const [i, address] of addresses.entries()) {
      const of = found[i];
      if (of === undefined || of === 'silent') continue;
      const kind = eventKinds.find(({ name }) => name === (of.fields.fee === undefined ? 'v2' : 'v3'))!;
      const protocol = this.#names.get(of.factory ?? '') ?? unnamed(kind);
      this.#put(address, { address, token0: of.token0, token1: of.token1, protocol, isNative: false }, 0);
    }
    return addresses.filter((_, i) => found[i] === undefined || found[i] === 'silent');
  }

  /** Looks up pools that swapped and are unknown, as of a block, or of the newest one. */
  async learn(places: Iterable<PoolPlace>, block: number | undefined): Promise<void> {
    const firsts = new Map<string, PoolPlace>();
    for (const place of places) {
      const first = firsts.get(place.key);
      if (first === undefined || place.block < first.block) firsts.set(place.key, place);
    }
    const unknown = [...firsts.values()].filter(({ key }) => !this.#known.has(key));
    if (unknown.length === 0) return;
    await Promise.all([
      this.#learnContracts(
        unknown.filter(({ id }) => id === undefined),
        block,
      ),
      this.#learnManaged(unknown.filter(({ id }) => id !== undefined)),
    ]);
  }

  /** Forgets what was learnt as of a block or later. */
  forgetFrom(block: number): void {
    for (const [key, since] of this.#since) {
      if (since < block) continue;
      this.#since.delete(key);
      this.#known.delete(key);
    }
  }

  async #learnManaged(places: readonly PoolPlace[]): Promise<void> {
    // Ids of a contract that is not followed are without number, and not remembered.
    const followed = new Map(places.filter(({ contract }) => this.#factories.has(contract)).map((of) => [of.key, of]));
    if (followed.size === 0) return;
    for (const { key, log } of await this.#search.find([...followed.values()]))
      this.addSearched(key, log, followed.get(key)!.block);
  }

  /** Takes the creation event that was searched for, `null` if there is none, of a pool that swapped in a block. */
  addSearched(key: string, log: Log | null, block: number): void {
    if (log !== null) this.addCreated(log);
    if (!this.#known.has(key)) this.#put(key, null, block);
  }

  async #learnContracts(places: readonly PoolPlace[], block: number | undefined): Promise<void> {
    if (places.length === 0) return;
    const fields = places.flatMap(({ kinds }) => kinds.flatMap(({ poolOf }) => poolOf?.with ?? []));
    const found = await this.#read(
      places.map(({ contract }) => contract),
      [...new Set(fields)],
      block,
    );
    const asked = places.flatMap(({ contract, kinds }, i) => {
      const of = found[i];
      if (of === undefined || of === 'silent') return [];
      // A pool of Solidly does not say whose it is.
      const factories = [...this.#factories.values()].filter(
        ({ address }) => of.factory === undefined || of.factory === address,
      );
      return factories.flatMap((factory) =>
        kinds
          .filter(({ name }) => factory.kinds.includes(name))
          .flatMap((kind) => {
            const { selector, with: field } = kind.poolOf!;
            const value = field === undefined ? undefined : of.fields[field];
            if (field !== undefined && value === undefined) return [];
            const args = [of.token0, of.token1, ...(value === undefined ? [] : [value])];
            return [{ contract, of, factory, kind, data: selector + args.map(asWord).join('') }];
          }),
      );
    });
    const calls = asked.map(({ factory, data }) => this.#contracts.calling(factory.address, data, block));
    const results = await this.#contracts.ask(calls);
    const answered = new Set(asked.filter((_, i) => isAnswer(results[i]!)).map(({ contract }) => contract));
    const mute = [...asked.keys()].filter((i) => isEmpty(results[i]!) && !answered.has(asked[i]!.contract));
    const again = await this.#contracts.ask(
      mute.map((i) => calls[i]!),
      (n) => asked[mute[n]!]!.contract,
    );
    for (const [n, i] of mute.entries()) results[i] = again[n]!;
    const silent = [
      ...places.filter((_, i) => found[i] === 'silent').map(({ contract }) => contract),
      ...mute.filter((i) => isEmpty(results[i]!)).map((i) => asked[i]!.contract),
    ];
    const isKnown = await this.#contracts.looked(silent, block);
    // The event of its creation may have come meanwhile.
    for (const { key } of places)
      if (!this.#known.get(key) && (!silent.includes(key) || isKnown(key))) this.#put(key, null, block ?? 0);
    for (const [i, { contract, of, factory, kind }] of asked.entries()) {
      const result = results[i]!;
      if (!isAnswer(result) || addressWord(result) !== contract || this.#known.get(contract)) continue;
      const protocol = factory.protocol ?? unnamed(kind);
      this.#put(
        contract,
        { address: contract, token0: of.token0, token1: of.token1, protocol, isNative: false },
        block ?? 0,
      );
    }
  }

  #tokenIn(topic: string): string {
    const address = addressWord(topic);
    return address === NATIVE ? this.#native : address;
  }

  #put(key: string, pool: Pool | null, since: number): void {
    this.#known.set(key, pool);
    if (pool !== null) this.#tokens.add(pool.token0).add(pool.token1);
    this.#since.set(key, since);
  }

  /** What contracts say of themselves, `undefined` for one that has no two tokens, `silent` for one of which nothing came. */
  async #read(
    addresses: readonly string[],
    fields: readonly PoolField[],
    block: number | undefined,
  ): Promise<(Described | 'silent' | undefined)[]> {
    const asked = (['token0', 'token1', 'factory', ...fields] as const).map((field) => selectors[field]);
    const calls = addresses.flatMap((to): Call[] => asked.map((data) => this.#contracts.calling(to, data, block)));
    // Both tokens.
    const neededOf = (i: number): string | undefined =>
      i % asked.length < 2 ? addresses[Math.floor(i / asked.length)] : undefined;
    const results = await this.#contracts.ask(calls, neededOf);
    return addresses.map((_, i) => {
      const [token0, token1, factory, ...rest] = results.slice(
        asked.length * i,
        asked.length * (i + 1),
      ) as CallResult[];
      if (isEmpty(token0!) || isEmpty(token1!)) return 'silent';
      if (!isAnswer(token0!) || !isAnswer(token1!)) return undefined;
      const values = fields.flatMap((field, n) => (isAnswer(rest[n]!) ? [[field, word(rest[n]!, 0)]] : []));
      return {
        token0: addressWord(token0),
        token1: addressWord(token1),
        factory: isAnswer(factory!) ? addressWord(factory) : undefined,
        fields: Object.fromEntries(values),
      };
    });
  }
}

interface Described {
  readonly token0: string;
  readonly token1: string;
  readonly factory: string | undefined;
  readonly fields: Readonly<Partial<Record<PoolField, bigint>>>;
}
