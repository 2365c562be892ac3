/**
 * Finds the places of texts in a list by their bytes, and appends those that are new: a text that is known costs no string.
 *
 * An open-addressed hash table. Known texts lie in one arena, four bytes a word, so that they compare by words.
 */
export class ByteDictionary {
  private count = 0;
  private arena = new Int32Array(1 << 14);
  /** Where each entry's words begin in the arena, and after the last, where the next will. */
  private starts = new Int32Array(1025);
  private lengths = new Int32Array(1024);
  private hashes = new Int32Array(1024);
  private places = new Int32Array(1024);
  private table = new Int32Array(2048).fill(-1);

  constructor(private readonly texts: string[]) {}

  /** The text's place; `bytes` from `start` to `end` are UTF-8, or ASCII where `encoding` is latin1. */
  placeOf(bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): number {
    const length = end - start;
    const words = (length + 3) >> 2;
    const from = this.starts[this.count]!;
    if (from + words > this.arena.length) this.arena = larger(this.arena, from + words);
    const hash = this.stage(bytes, start, end, from);
    const mask = this.table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.table[slot]!;
      if (entry < 0) return this.add(slot, { hash, length, words, text: bytes.toString(encoding, start, end) });
      if (this.hashes[entry] === hash && this.lengths[entry] === length && this.isSame(entry, from, words))
        return this.places[entry]!;
    }
  }

  /** Puts the text's words behind those of the known texts, and answers with their hash. */
  private stage(bytes: Buffer, start: number, end: number, from: number): number {
    const { arena } = this;
    let hash = end - start;
    let word = from;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      arena[word++] = four;
      hash = Math.imul(hash ^ four, 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    if (at < end) {
      let rest = 0;
      for (; at < end; at++) rest = (rest << 8) | bytes[at]!;
      arena[word] = rest;
      hash = Math.imul(hash ^ rest, 0x5bd1e995);
    }
    return hash ^ (hash >>> 13);
  }

  private isSame(entry: number, staged: number, words: number): boolean {
    const { arena } = this;
    const known = this.starts[entry]!;
    for (let i = 0; i < words; i++) if (arena[known + i] !== arena[staged + i]) return false;
    return true;
  }

  private add(slot: number, o: { hash: number; length: number; words: number; text: string }): number {
    const entry = this.count++;
    if (entry === this.hashes.length) {
      this.starts = larger(this.starts, entry * 2 + 1);
      this.lengths = larger(this.lengths, entry * 2);
      this.hashes = larger(this.hashes, entry * 2);
      this.places = larger(this.places, entry * 2);
    }
    this.starts[entry + 1] = this.starts[entry]! + o.words;
    this.lengths[entry] = o.length;
    this.hashes[entry] = o.hash;
    this.table[slot] = entry;
    const place = this.texts.push(o.text) - 1;
    this.places[entry] = place;
    if (this.count * 2 > this.table.length) this.rehash();
    return place;
  }

  private rehash(): void {
    const mask = this.table.length * 2 - 1;
    this.table = new Int32Array(mask + 1).fill(-1);
    for (let entry = 0; entry < this.count; entry++) {
      let slot = this.hashes[entry]! & mask;
      while (this.table[slot]! >= 0) slot = (slot + 1) & mask;
      this.table[slot] = entry;
    }
  }
}

function larger(old: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const made = new Int32Array(Math.max(least, old.length * 2));
  made.set(old);
  return made;
}
