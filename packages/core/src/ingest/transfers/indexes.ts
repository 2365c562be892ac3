import { KeyIndex } from '../../records/key-index.ts';
import { hash53 } from '../transactions.ts';
import type { Transfers } from './check.ts';

/** The least index that is made for a row without one. Lesser ones are given. */
const MADE = 2 ** 52;

/** Equal rows of one transaction that get an index. */
export const MOST_EQUAL = 2 ** 12;
const CONTENTS = 2 ** 40;

/** Digits up to which amounts of two sources are the same: one of them may have gone through floats. */
const DIGITS = 9;

/** A number from 0 to 2^40 of all that a chain says of a row: the same for equal transfers of a transaction. */
export function contentOf({ columns: c }: Transfers, row: number, textOf: (id: number) => string | null): number {
  const [token, from, to] = [c.token, c.sender, c.recipient].map((ids) => textOf(ids[row]!) ?? '');
  return hash53(`${token} ${from} ${to} ${c.token_amount[row]!.toPrecision(DIGITS)}`) % CONTENTS;
}

/** The index of a row without one: the `ordinal`th of the equal rows of its transaction. */
export const madeIndex = (content: number, ordinal: number): number => MADE + content * MOST_EQUAL + ordinal;

export const isMade = (index: number): boolean => index >= MADE;

/** Which of the equal rows of its transaction has the index. */
export const ordinalOf = (index: number): number => (index - MADE) % MOST_EQUAL;

/**
 * Counts the equal rows without an index that an import has of each transaction, by file: so two files that list the same transfer, such as
 * the exports of its two wallets, give it one index.
 */
export class EqualRows {
  readonly #places = new KeyIndex();
  #counts = new Uint16Array(64);

  /** The rows of one batch, which count once it is stored. */
  attempt(): EqualRowsOfBatch {
    return new EqualRowsOfBatch((key) => this.#counts[this.#places.find(key)] ?? 0);
  }

  take({ counts }: EqualRowsOfBatch): void {
    for (const [key, count] of counts) {
      const place = this.#places.placeOf(key);
      if (place >= this.#counts.length) {
        const grown = new Uint16Array(this.#counts.length * 2);
        grown.set(this.#counts);
        this.#counts = grown;
      }
      this.#counts[place] = count;
    }
  }
}

/** `EqualRows` while a batch is stored. A batch that is stored once more begins anew. */
export class EqualRowsOfBatch {
  readonly counts = new Map<number, number>();
  readonly #before: (key: number) => number;

  constructor(before: (key: number) => number) {
    this.#before = before;
  }

  /** The ordinal of the next row of a content in a transaction of a file; `undefined` if there are too many. */
  next(file: string, hash: string, content: number): number | undefined {
    const key = hash53(`${file} ${hash} ${content}`);
    const ordinal = this.counts.get(key) ?? this.#before(key);
    if (ordinal >= MOST_EQUAL) return undefined;
    this.counts.set(key, ordinal + 1);
    return ordinal;
  }
}
