import { concatBatches, takeRows } from '../records/columns.ts';
import { KeySet, placesOf } from '../records/key-index.ts';
import { balancesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn, type Predicate } from '../storage/predicate.ts';
import type { PairBalances } from './position-rows.ts';

const columns = ['pair', 'balance', 'received', 'flags'] as const;

/** Pairs that are read together at most. */
const MANY = 20_000;

/** The stored balances of pairs. */
export function readBalances(reader: Reader, where: Predicate): Promise<PairBalances> {
  return reader.read({ table: balancesTable, columns, where });
}

/**
 * The stored balances of the pairs that a refresh finds touched. The holders of tokens and the positions of wallets both need most of them:
 * they are read once.
 */
export class TouchedBalances {
  readonly #reader: Reader;
  readonly #touched: Float64Array;
  #read: Promise<{ readonly rows: PairBalances; readonly places: ReturnType<typeof placesOf> }> | undefined;
  #isTouched: KeySet | undefined;

  constructor(reader: Reader, touched: Float64Array) {
    this.#reader = reader;
    this.#touched = touched;
  }

  /** The balances of pairs, each of which is named once; those that are not stored are absent. */
  async of(pairs: Float64Array): Promise<PairBalances> {
    if (this.#touched.length > MANY) return readBalances(this.#reader, isIn('pair', pairs));
    this.#isTouched ??= keySetOf(this.#touched);
    const others = pairs.filter((pair) => !this.#isTouched!.has(pair));
    this.#read ??= this.#readTouched();
    const { rows, places } = await this.#read;
    const found = Int32Array.from(pairs, (pair) => places.find(pair)).filter((row) => row >= 0);
    const own = takeRows(rows, found);
    if (others.length === 0) return own;
    return concatBatches(balancesTable, columns, [own, await readBalances(this.#reader, isIn('pair', others))]);
  }

  async #readTouched() {
    const rows = await readBalances(this.#reader, isIn('pair', this.#touched));
    return { rows, places: placesOf(rows.columns.pair) };
  }
}

function keySetOf(keys: Float64Array): KeySet {
  const set = new KeySet(keys.length);
  for (const key of keys) set.add(key);
  return set;
}
