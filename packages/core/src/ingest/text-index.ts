import { hash53 } from './hash.ts';
import { KeyIndex } from './key-index.ts';

/** Places 0, 1, 2 ... of distinct texts in the order they first came, found by a hash and confirmed on the text. */
export class TextIndex {
  readonly texts: string[] = [];
  /** The hash of each text, by place. */
  readonly keys: number[] = [];
  readonly #byKey: KeyIndex;
  /** Place of the first text of each key, by the key's place. */
  readonly #firsts: number[] = [];
  /** Texts whose key is another text's. */
  readonly #others = new Map<string, number>();
  readonly #hash: (text: string) => number;

  constructor(expected: number, hash: (text: string) => number = hash53) {
    this.#byKey = new KeyIndex(expected);
    this.#hash = hash;
  }

  /** The place of a text, a new one where it is none of these yet. */
  placeOf(text: string): number {
    const key = this.#hash(text);
    const known = this.#byKey.length;
    const at = this.#byKey.placeOf(key);
    if (at === known) {
      const place = this.#add(text, key);
      this.#firsts.push(place);
      return place;
    }
    const first = this.#firsts[at]!;
    if (this.texts[first] === text) return first;
    let other = this.#others.get(text);
    if (other === undefined) {
      other = this.#add(text, key);
      this.#others.set(text, other);
    }
    return other;
  }

  /** The place of a text, -1 where it is none of these. */
  find(text: string): number {
    const at = this.#byKey.find(this.#hash(text));
    if (at < 0) return -1;
    const first = this.#firsts[at]!;
    return this.texts[first] === text ? first : (this.#others.get(text) ?? -1);
  }

  #add(text: string, key: number): number {
    this.keys.push(key);
    return this.texts.push(text) - 1;
  }
}
