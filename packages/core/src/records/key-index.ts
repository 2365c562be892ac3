import { finish, type Work } from '../work.ts';

const LEAST_SLOTS = 64;
const FREE = -1;

/**
 * Places 0, 1, 2 ... of distinct keys in the order they first came: a `Map` of numbers without an object an entry.
 *
 * - Keys: whole numbers from 0 to 2^53, such as pairs, transactions and hashes.
 */
export class KeyIndex {
  /** Distinct keys. */
  length = 0;
  /** By place; longer than `length`. */
  #keys: Float64Array;
  /** Place + 1 of the key that lies there, 0 if none does; never more than half full. */
  #slots: Int32Array;

  /** `expected`: how many distinct keys may come; more are taken too. */
  constructor(expected = 0) {
    let slots = LEAST_SLOTS;
    while (slots < expected * 2) slots *= 2;
    this.#slots = new Int32Array(slots);
    this.#keys = new Float64Array(slots / 2);
  }

  /** The place of a key, -1 if it has none. */
  find(key: number): number {
    return this.#slots[this.#slotOf(key)]! - 1;
  }

  /** The place of a key, a new one if it has none yet. */
  placeOf(key: number): number {
    const slot = this.#slotOf(key);
    const known = this.#slots[slot]!;
    if (known > 0) return known - 1;
    const place = this.length++;
    this.#keys[place] = key;
    this.#slots[slot] = place + 1;
    if (this.length === this.#keys.length) this.#grow();
    return place;
  }

  keys(): Float64Array {
    return this.#keys.slice(0, this.length);
  }

  /** Where the key lies, or the free slot where it would. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashKey(key) & mask;
    for (let place = slots[slot]!; place > 0 && this.#keys[place - 1] !== key; place = slots[slot]!)
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let place = 0; place < this.length; place++) {
      let slot = hashKey(keys[place]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
    this.#slots = slots;
  }
}

/** Keys that are sorted, or looked for, at once: five milliseconds. */
const SORTED = 65_536;

/** The keys in ascending order; takes over their array. */
export function sortingKeys(keys: Float64Array): Work<Float64Array> {
  return mergeSorting(
    keys,
    SORTED,
    (run) => run.sort(),
    (a, b) => a - b,
  );
}

/** Places of keys, each of which is there once: their rows. */
export function placesOf(keys: Float64Array | Int32Array): KeyIndex {
  return finish(indexing(keys));
}

/** `placesOf`, of many. */
export function* indexing(keys: Float64Array | Int32Array): Work<KeyIndex> {
  const index = new KeyIndex(keys.length);
  for (let row = 0; row < keys.length; row++) {
    index.placeOf(keys[row]!);
    if (row % SORTED === 0) yield;
  }
  return index;
}

/** Adds a value to the list of a key, which it begins if there is none. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Rows of a batch by key: the rows of the group at place `p` are `rows` from `starts[p]` to `starts[p + 1]`, in their order. */
export interface RowGroups {
  readonly index: KeyIndex;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

export function groupRows(keys: Float64Array): RowGroups {
  return finish(groupingRows(keys));
}

/** `groupRows`, of many. */
export function* groupingRows(keys: Float64Array): Work<RowGroups> {
  const index = new KeyIndex(keys.length);
  const places = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    places[row] = index.placeOf(keys[row]!);
    if (row % SORTED === 0) yield;
  }
  const starts = new Int32Array(index.length + 1);
  for (let row = 0; row < places.length; row++) starts[places[row]! + 1]!++;
  for (let place = 0; place < index.length; place++) starts[place + 1]! += starts[place]!;
  yield;
  const next = starts.slice();
  const rows = new Int32Array(keys.length);
  for (let row = 0; row < places.length; row++) {
    rows[next[places[row]!]!++] = row;
    if (row % SORTED === 0) yield;
  }
  return { index, starts, rows };
}

/** The distinct ids of id columns, in the order they first come. */
export function distinctIds(...columns: readonly Int32Array[]): Int32Array {
  const ids = new KeyIndex();
  for (const column of columns) for (let i = 0; i < column.length; i++) ids.placeOf(column[i]!);
  return Int32Array.from(ids.keys());
}

/** A set of whole numbers from 0 to 2^53: 11 to 21 bytes a key, because it has no places, where `KeyIndex` takes 16 to 32. */
export class KeySet {
  size = 0;
  #slots: Float64Array;

  /** `expected`: how many keys may come; more are taken too. */
  constructor(expected = 0) {
    this.#slots = new Float64Array(slotsFor(expected)).fill(FREE);
  }

  /** What a set of so many keys takes. */
  static bytesOf(keys: number): number {
    return slotsFor(keys) * Float64Array.BYTES_PER_ELEMENT;
  }

  has(key: number): boolean {
    return this.#slots[slotOf(this.#slots, key)] === key;
  }

  add(key: number): void {
    const slot = slotOf(this.#slots, key);
    if (this.#slots[slot] === key) return;
    this.#slots[slot] = key;
    this.size++;
    if (this.size * 4 > this.#slots.length * 3) this.#grow();
  }

  #grow(): void {
    const grown = new Float64Array(this.#slots.length * 2).fill(FREE);
    for (const key of this.#slots) if (key !== FREE) grown[slotOf(grown, key)] = key;
    this.#slots = grown;
  }
}

function slotsFor(keys: number): number {
  let slots = LEAST_SLOTS;
  while (slots * 3 < keys * 4) slots *= 2;
  return slots;
}

function slotOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1;
  let slot = hashKey(key) & mask;
  while (slots[slot] !== key && slots[slot] !== FREE) slot = (slot + 1) & mask;
  return slot;
}

/** 32 mixed bits of a whole number from 0 to 2^53: its bits decide, not its size, so that neighbours spread. */
function hashKey(key: number): number {
  let hash = Math.imul((key | 0) ^ Math.imul((key / 4294967296) | 0, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}

/**
 * The values in order, equal ones as they came; takes over their array. Runs of `size`, each of which `sortRun` sorts, are merged: others
 * may have their turn after as many values.
 */
export function* mergeSorting<A extends Int32Array | Float64Array>(
  values: A,
  size: number,
  sortRun: (run: A) => void,
  order: (a: number, b: number) => number,
): Work<A> {
  for (let at = 0; at < values.length; at += size) {
    sortRun(values.subarray(at, at + size) as A);
    yield;
  }
  let [from, to]: [A, A] = [values, values.slice() as A];
  for (let width = size; width < values.length; width *= 2) {
    for (let at = 0; at < values.length; at += 2 * width) {
      const middle = Math.min(at + width, values.length);
      const end = Math.min(middle + width, values.length);
      let [left, right] = [at, middle];
      for (let next = at; next < end; next++) {
        if (next % size === 0) yield;
        const isLeft = left < middle && (right === end || order(from[left]!, from[right]!) <= 0);
        to[next] = from[isLeft ? left++ : right++]!;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
