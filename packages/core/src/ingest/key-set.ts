import { hashKey } from './key-hash.ts';

const FREE = -1;
const LEAST_SLOTS = 64;

/** A set of whole numbers from 0 to 2^53 in one array, 11 to 21 bytes a key. */
export class KeySet {
  size = 0;
  #slots: Float64Array;

  /** `expected`: how many keys may come; more are taken too. */
  constructor(expected = 0) {
    let slots = LEAST_SLOTS;
    while (slots * 3 < expected * 4) slots *= 2;
    this.#slots = new Float64Array(slots).fill(FREE);
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

/** Where the key lies, or the free slot where it would. */
function slotOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1;
  let slot = hashKey(key) & mask;
  while (slots[slot] !== key && slots[slot] !== FREE) slot = (slot + 1) & mask;
  return slot;
}
