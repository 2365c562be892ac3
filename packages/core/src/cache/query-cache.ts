import type { Changes } from '../ingest/changes.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import type { CachedProfiles } from './profile-cache.ts';
import type { ProfileCaches } from './profile-caches.ts';
import {
  type CountRegions,
  newCandleRegion,
  newCountRegions,
  newTokenRegions,
  Region,
  type TokenCandles,
  type TokenRegions,
} from './regions.ts';

/** Bounds of the cache: see `MemoryOptions`. */
export interface CacheBounds {
  readonly candles: number;
  readonly prices: number;
}

interface Regions extends TokenRegions, CountRegions {
  readonly candles: Region<number, TokenCandles>;
  /** The labels that the registry of wallets gives, under `wallets`. */
  readonly labels: Region<'wallets', ReadonlySet<string>>;
}

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

/** Receives commits beside the cache: `reset` if it is unknown what has changed. */
export interface CommitObserver {
  commit(changes: Changes): void;
  reset?(): void;
}

/**
 * What the process has in memory of the last committed state of the store, so that it need not ask the engine again.
 *
 * Every value is of the version of the last commit: a commit makes the next version, and advances or deletes what it changes.
 */
export class QueryCache {
  readonly #regions: Regions;
  /** The number of the committed state. While a write is being committed, no view has it, because the engine may have either state. */
  #version = 0;
  #committing = 0;

  constructor(
    bounds: CacheBounds,
    readonly profiles: ProfileCaches,
    readonly observers: ReadonlySet<CommitObserver>,
  ) {
    this.#regions = {
      ...newTokenRegions(bounds.prices),
      ...newCountRegions(),
      candles: newCandleRegion(bounds.candles),
      labels: new Region({ most: 1 }, (region, { hasRegistryChanged }) => {
        if (hasRegistryChanged) region.clear();
      }),
    };
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
    const caches = this.profiles;
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

  /** A write is about to be committed. `commit` or `fail` follows. */
  begin(): void {
    this.#committing++;
    this.#version++;
  }

  commit(changes: Changes): void {
    this.#committing--;
    this.#version++;
    if (changes.isEverything) this.#drop();
    else for (const region of this.#all()) region.commit(changes);
    for (const observer of this.observers) observer.commit(changes);
  }

  /** A commit failed: the engine may have either state. */
  fail(): void {
    this.#committing--;
    this.clear();
  }

  clear(): void {
    this.#drop();
    for (const observer of this.observers) observer.reset?.();
  }

  #drop(): void {
    this.#version++;
    for (const region of this.#all()) region.clear();
    this.profiles.clear();
  }

  #all(): readonly Pick<Region<number, object>, 'commit' | 'clear'>[] {
    return Object.values(this.#regions);
  }
}

function regionOf<N extends RegionName>(regions: Regions, name: N): Region<Key<N>, Value<N>> {
  return regions[name] as unknown as Region<Key<N>, Value<N>>;
}
