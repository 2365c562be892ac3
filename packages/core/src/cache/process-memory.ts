import type { Changes } from '../ingest/changes.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import type { Writer } from '../storage/adapter.ts';
import type { Kept } from './kept.ts';
import type { CachedProfiles } from './profile-cache.ts';
import type { ProfileCaches } from './profile-caches.ts';
import type { Region, Regions } from './regions.ts';

type RegionName = keyof Regions;
type Key<N extends RegionName> = Parameters<Regions[N]['delete']>[0];
type Value<N extends RegionName> = NonNullable<ReturnType<Regions[N]['peek']>>;

/** The cache as one query sees it: what is of the version at which the query began. */
export interface CacheView {
  /** `undefined` if nothing is cached, or no longer of the version. A value is good until the next wait. */
  get<N extends RegionName>(region: N, key: Key<N>): Value<N> | undefined;
  /** Dropped if the version is no longer the store's. */
  put<N extends RegionName>(region: N, key: Key<N>, value: Value<N>): void;
  profiles(kind: EntityKind): CachedProfiles | undefined;
  /**
   * As `profiles`, after some time if they are being loaded. If none are, the load begins at the query's `end`, so that the engine answers
   * the query without it.
   */
  awaitProfiles(kind: EntityKind): Promise<CachedProfiles | undefined>;
  end(): void;
}

/** What a query sees that may use no cached answer. */
export const noCache: CacheView = {
  get: () => undefined,
  put: () => undefined,
  profiles: () => undefined,
  awaitProfiles: async () => undefined,
  end: () => undefined,
};

/** What a process keeps of a store, by name. */
export interface Things extends Readonly<Record<string, Kept>> {
  readonly profiles: ProfileCaches;
}

/**
 * All that a process keeps of a store between calls, and the only one that says to it what becomes of a write.
 *
 * - Every cached answer is of the version of the last commit. A commit makes the next version.
 * - Nothing that follows a commit can deny it: what fails to take it up is dropped whole, and read from the store again.
 */
export class ProcessMemory {
  readonly #regions: Regions;
  /** All that is kept, by name. */
  readonly things: Things;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<(changes: Changes) => void>();
  /** The number of the committed state. While a write is being committed, no view has it, because the engine may have either state. */
  #version = 0;
  #committing = 0;

  /** `onError` receives what was thrown after a commit. */
  constructor(regions: Regions, things: Things, onError: (error: unknown) => void) {
    this.#regions = regions;
    this.things = { ...things, ...regions };
    this.#onError = onError;
  }

  get version(): number {
    return this.#version;
  }

  /** The cache at the version of now, until the store has another; `undefined` while a write is being committed. */
  view(): CacheView | undefined {
    if (this.#committing > 0) return undefined;
    const version = this.#version;
    const isCurrent = (): boolean => this.#version === version;
    const regions = this.#regions;
    const caches = this.things.profiles;
    const begun = { tokens: caches.current('tokens'), wallets: caches.current('wallets') };
    const profiles = (kind: EntityKind): CachedProfiles | undefined =>
      begun[kind] ?? (isCurrent() ? caches.current(kind) : undefined);
    const missing = new Set<EntityKind>();
    return {
      get: (region, key) => (isCurrent() ? regionOf(regions, region).get(key) : undefined),
      put: (region, key, value) => {
        if (isCurrent()) regionOf(regions, region).put(key, value);
      },
      profiles,
      async awaitProfiles(kind) {
        missing.add(kind);
        if (isCurrent()) await caches.waitFor(kind);
        return profiles(kind);
      },
      end() {
        for (const kind of missing) void caches.load(kind);
      },
    };
  }

  /** A write has begun. Gives the writer that it is to use. `fail` follows, or `settle`. */
  begin(changes: Changes, writer: Writer): Writer {
    return this.#all().reduce((inner, thing) => thing.begin?.(changes, inner) ?? inner, writer);
  }

  /** A write that has done its work makes ready what others are to see after it. */
  async settle(changes: Changes): Promise<void> {
    for (const thing of this.#all()) await thing.settle?.(changes);
  }

  /** A write is about to be committed. `commit` or `failCommit` follows. */
  committing(): void {
    this.#committing++;
    this.#version++;
  }

  /** Throws nothing. */
  commit(changes: Changes): void {
    this.#committing--;
    this.#version++;
    for (const thing of this.#all())
      this.#try(
        () => thing.commit(changes),
        () => {
          this.#try(() => thing.fail?.(changes));
          this.#try(() => thing.drop());
        },
      );
    for (const listen of this.#listeners) this.#try(() => listen(changes));
  }

  /** A commit failed: the engine may have either state. */
  failCommit(): void {
    this.#committing--;
    this.outdate();
  }

  /** A write has failed: nothing of it counts. */
  fail(changes: Changes): void {
    for (const thing of this.#all()) thing.fail?.(changes);
  }

  /** The store may have another state than the last that this process has committed: what may no longer hold is dropped. */
  outdate(): void {
    this.#version++;
    for (const thing of this.#all()) if (thing.outlastsOthers !== true) thing.drop();
  }

  drop(): void {
    this.#version++;
    for (const thing of this.#all()) thing.drop();
  }

  /** Calls `listen` after each commit, until the function that is returned is called. */
  onCommit(listen: (changes: Changes) => void): () => void {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  /** Reports what was thrown after a commit. Throws nothing. */
  tell(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // Whoever is to hear of it can't.
    }
  }

  /** After a commit nothing may throw. */
  #try(run: () => void, otherwise?: () => void): void {
    try {
      run();
    } catch (error) {
      otherwise?.();
      this.tell(error);
    }
  }

  #all(): readonly Kept[] {
    return Object.values(this.things);
  }
}

function regionOf<N extends RegionName>(regions: Regions, name: N): Region<Key<N>, Value<N>> {
  return regions[name] as unknown as Region<Key<N>, Value<N>>;
}
