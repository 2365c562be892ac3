/**
 * A cache that forgets in two steps: what was cached when it `age`s is still there until it ages again, so that whoever
 * has just looked something up finds it once more.
 */
export class TwoGenerationCache<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** Entries since it last aged. */
  get size(): number {
    return this.#young.size;
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: K): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
