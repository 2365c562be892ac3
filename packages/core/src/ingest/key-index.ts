import { hashKey } from './key-hash.ts';

const LEAST_SLOTS = 64;

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
  /** Place + 1 of the key that lies there, 0 where none does; never more than half full. */
  #slots: Int32Array;

  /** `expected`: how many distinct keys may come; more are taken too. */
  constructor(expected = 0) {
    let slots = LEAST_SLOTS;
    while (slots < expected * 2) slots *= 2;
    this.#slots = new Int32Array(slots);
    this.#keys = new Float64Array(slots / 2);
  }

  /** The place of a key, -1 where it is none of these. */
  find(key: number): number {
    return this.#slots[this.#slotOf(key)]! - 1;
  }

  /** The place of a key, a new one where it is none of these yet. */
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

  keyAt(place: number): number {
    return this.#keys[place]!;
  }

  /** The distinct keys, by place. */
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
