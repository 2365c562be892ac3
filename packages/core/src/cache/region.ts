import { LRUCache } from 'lru-cache';
import type { Changes } from '../ingest/changes.ts';

/** What a commit does to the values of a region: it advances those that it changes to the new version, or deletes them. */
export type Advance<K extends number | string, V extends object> = (region: Region<K, V>, changes: Changes) => void;

export interface RegionOptions<V> {
  /** Sizes that the values have together at most; the least recently used go first. 0 caches none. */
  readonly most: number;
  /** Default 1. */
  readonly sizeOf?: (value: V) => number;
}

/** Values of one kind by key, all of the same version. */
export class Region<K extends number | string, V extends object> {
  readonly #most: number;
  readonly #values: LRUCache<K, V>;
  readonly #advance: Advance<K, V>;

  constructor({ most, sizeOf = () => 1 }: RegionOptions<V>, advance: Advance<K, V>) {
    this.#most = most;
    this.#values = new LRUCache({ maxSize: Math.max(1, most), sizeCalculation: sizeOf });
    this.#advance = advance;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** The value, without a use of it. */
  peek(key: K): V | undefined {
    return this.#values.peek(key);
  }

  /** A value whose size has changed is measured again. */
  put(key: K, value: V): void {
    if (this.#most === 0) return;
    if (this.#values.peek(key) === value) this.#values.delete(key);
    this.#values.set(key, value);
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  commit(changes: Changes): void {
    // An import that nobody asks beside has nothing to advance.
    if (this.#values.size > 0) this.#advance(this, changes);
  }

  clear(): void {
    this.#values.clear();
  }
}
