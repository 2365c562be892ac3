import { KeySet } from '../records/key-index.ts';
import { hash53 } from './transactions.ts';

/** Amounts of two sources are the same up to here, as a part of the larger: one of them may have gone through floats. */
const PRECISION = 1e-9;

export const isEqualAmount = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= PRECISION * Math.max(Math.abs(a), Math.abs(b));

/** Stored swaps of a transaction whose state is two bits; of those beyond, each is a key. */
const NARROW = 8;

/** What of an import stands for a swap that the store had before. */
type Match = 'none' | 'itself' | 'other';
const matches: readonly Match[] = ['none', 'itself', 'other'];

/** A swap of a transaction that the store had before the import. */
export interface StoredBefore {
  /** Its place among those that the store had of the transaction, by swap index. */
  readonly rank: number;
  readonly isEqual: boolean;
}

/**
 * Which swaps that the store had before an import the import brought again, under their own index or as an equal swap of another one: each
 * stands for one at most. So an equal swap is new only once there are more of them than the store had, in whichever batches they come.
 */
export class EqualSwaps {
  /** Transactions with ids from here on came with the import. */
  readonly firstTx: number;
  /** By transaction, two bits a swap: an import that is repeated meets every swap of the store. */
  #narrow = new Uint16Array(0);
  readonly #wide = new Map<number, Match>();
  readonly #added = new KeySet();
  readonly #leftOut = new KeySet();

  constructor(firstTx: number) {
    this.firstTx = firstTx;
  }

  /** Swaps of one batch, which count once it is stored. */
  attempt(): EqualSwapsOfBatch {
    return new EqualSwapsOfBatch(this);
  }

  matchOf(tx: number, rank: number): Match {
    if (rank >= NARROW) return this.#wide.get(placeOf(tx, rank)) ?? 'none';
    return matches[((this.#narrow[tx] ?? 0) >> (2 * rank)) & 3]!;
  }

  has(kind: 'added' | 'leftOut', key: number): boolean {
    return (kind === 'added' ? this.#added : this.#leftOut).has(key);
  }

  take(o: {
    readonly matched: Iterable<readonly [tx: number, rank: number, match: Match]>;
    readonly added: Iterable<number>;
    readonly leftOut: Iterable<number>;
  }): void {
    for (const [tx, rank, match] of o.matched) {
      if (rank >= NARROW) this.#wide.set(placeOf(tx, rank), match);
      else {
        if (this.#narrow.length === 0) this.#narrow = new Uint16Array(this.firstTx);
        const others = this.#narrow[tx]! & ~(3 << (2 * rank));
        this.#narrow[tx] = others | (matches.indexOf(match) << (2 * rank));
      }
    }
    for (const key of o.added) this.#added.add(key);
    for (const key of o.leftOut) this.#leftOut.add(key);
  }
}

/** `EqualSwaps` while a batch is looked through. A batch that is looked through once more begins anew. */
export class EqualSwapsOfBatch {
  readonly #before: EqualSwaps;
  readonly #matched = new Map<number, readonly [tx: number, rank: number, match: Match]>();
  readonly #added = new Set<number>();
  readonly #leftOut = new Set<number>();

  constructor(before: EqualSwaps) {
    this.#before = before;
  }

  /** Whether the store had the transaction before the import. */
  isOld(tx: number): boolean {
    return tx >= 0 && tx < this.#before.firstTx;
  }

  /** Whether a stored swap of an old transaction came with the import. */
  isAdded(tx: number, index: number): boolean {
    const key = keyOf(tx, index);
    return this.#added.has(key) || this.#before.has('added', key);
  }

  /** A swap came again under its index. One that stands for it in the meantime stands for an equal one from now on, if one is free. */
  cameItself(tx: number, rank: number, equals: () => readonly StoredBefore[]): void {
    const before = this.#matchOf(tx, rank);
    if (before === 'itself') return;
    this.#set(tx, rank, 'itself');
    if (before === 'other') this.#matchFree(tx, equals());
  }

  /** Whether a swap under a new index is one that the store had. */
  isSame(tx: number, index: number, equals: readonly StoredBefore[]): boolean {
    const key = keyOf(tx, index);
    if (this.#leftOut.has(key) || this.#before.has('leftOut', key)) return true;
    if (!this.#matchFree(tx, equals)) return false;
    this.#leftOut.add(key);
    return true;
  }

  /** A swap is stored in an old transaction. */
  add(tx: number, index: number): void {
    this.#added.add(keyOf(tx, index));
  }

  commit(): void {
    this.#before.take({ matched: this.#matched.values(), added: this.#added, leftOut: this.#leftOut });
  }

  #matchFree(tx: number, equals: readonly StoredBefore[]): boolean {
    const free = equals.find(({ rank, isEqual }) => isEqual && this.#matchOf(tx, rank) === 'none');
    if (free !== undefined) this.#set(tx, free.rank, 'other');
    return free !== undefined;
  }

  #matchOf(tx: number, rank: number): Match {
    return this.#matched.get(placeOf(tx, rank))?.[2] ?? this.#before.matchOf(tx, rank);
  }

  #set(tx: number, rank: number, match: Match): void {
    this.#matched.set(placeOf(tx, rank), [tx, rank, match]);
  }
}

/** A second has fewer swaps than 2^20. */
const placeOf = (tx: number, rank: number): number => tx * 2 ** 20 + rank;

const keyOf = (tx: number, index: number): number => hash53(`${tx} ${index}`);
