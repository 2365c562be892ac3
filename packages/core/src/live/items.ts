import { addTo } from '../records/key-index.ts';

/** The addresses by which items of a kind are chosen. */
type KeysOf<T> = Readonly<Partial<Record<'wallet' | 'token' | 'pool', (item: T) => readonly string[]>>>;

/** Which items a subscription wants: those that have one of each list; a list that is absent asks for nothing. */
export interface Wanted {
  readonly wallet?: ReadonlySet<string> | undefined;
  readonly token?: ReadonlySet<string> | undefined;
  readonly pool?: ReadonlySet<string> | undefined;
}

type KeyName = keyof Wanted;
const keyNames: readonly KeyName[] = ['wallet', 'token', 'pool'];

/** The items of a commit, in chain order, found by the addresses that they have. */
export class Items<T> {
  readonly all: readonly T[];
  readonly #keysOf: KeysOf<T>;
  readonly #rows = new Map<KeyName, ReadonlyMap<string, readonly number[]>>();

  constructor(all: readonly T[], keysOf: KeysOf<T>) {
    this.all = all;
    this.#keysOf = keysOf;
  }

  choose(wanted: Wanted): readonly T[] {
    const [first, ...others] = keyNames.filter((name) => wanted[name] !== undefined);
    if (first === undefined) return this.all;
    const index = this.#index(first);
    const found = new Set<number>();
    for (const key of wanted[first]!) for (const row of index.get(key) ?? []) found.add(row);
    if (found.size === 0) return [];
    const has = (item: T, name: KeyName): boolean => this.#keysOf[name]!(item).some((key) => wanted[name]!.has(key));
    const rows = [...found].sort((a, b) => a - b).map((row) => this.all[row]!);
    return others.length === 0 ? rows : rows.filter((item) => others.every((name) => has(item, name)));
  }

  #index(name: KeyName): ReadonlyMap<string, readonly number[]> {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const index = new Map<string, number[]>();
    for (const [row, item] of this.all.entries()) for (const key of this.#keysOf[name]!(item)) addTo(index, key, row);
    this.#rows.set(name, index);
    return index;
  }
}

/** A value, or a promise of one: what many share is made once, and then there without a turn of the event loop for each. */
export type Eventual<T> = T | Promise<T>;

export function mapped<T, R>(value: Eventual<T>, map: (value: T) => R): Eventual<R> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** All of them, once the last is there. */
export function allOf<T>(values: readonly Eventual<T>[]): Eventual<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
