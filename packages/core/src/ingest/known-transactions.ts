import { transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { yielder } from '../yielder.ts';
import { KeySet } from './key-set.ts';

/** Beyond, the store is asked about every transaction: the set of so many keys takes half a gibibyte. */
const MOST_KEYS = 48_000_000;

/** What reading and keeping a key takes, milliseconds. */
const READING = 0.00025;

/** Keys between two looks at the clock. */
const CHECKED = 4096;

/**
 * The keys of the stored transactions, kept in this process, so that a batch of new ones need not be looked for in the store.
 *
 * A store that was opened is asked at first. Its keys are read when the looks have taken as long as that would: some blocks of an engine
 * that scans, hundreds of one that has an index.
 */
export class KnownTransactions {
  #keys: KeySet | undefined;
  #stored: number;
  #looked = 0;

  /** `stored`: how many transactions the store holds. */
  constructor(stored: number) {
    this.#stored = stored;
    if (stored === 0) this.#keys = new KeySet();
  }

  /** Those of the keys that the store may hold: none that it holds is left out. */
  async mayBeStored(reader: Reader, keys: readonly number[]): Promise<Float64Array> {
    if (this.#keys === undefined && this.#looked >= this.#stored * READING && this.#stored <= MOST_KEYS)
      await this.#load(reader);
    const known = this.#keys;
    return Float64Array.from(known === undefined ? keys : keys.filter((key) => known.has(key)));
  }

  /** Notes how long a look into the store for keys took, milliseconds. */
  looked(milliseconds: number): void {
    this.#looked += milliseconds;
  }

  /** Notes transactions that were stored. Other work of the process has its turn meanwhile. */
  async add(keys: Float64Array): Promise<void> {
    this.#stored += keys.length;
    if (this.#stored > MOST_KEYS) this.#keys = undefined;
    const known = this.#keys;
    if (known === undefined) return;
    const pause = yielder();
    for (let i = 0; i < keys.length; i++) {
      if (i % CHECKED === 0) await pause.yieldIfDue();
      known.add(keys[i]!);
    }
  }

  async #load(reader: Reader): Promise<void> {
    const keys = new KeySet(this.#stored);
    for await (const rows of reader.stream({ table: transactionsTable, columns: ['tx_key'] }))
      for (const key of rows.columns.tx_key) keys.add(key);
    this.#keys = keys;
  }
}
