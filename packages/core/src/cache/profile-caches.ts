import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ProfileShape } from '../profiles/shape.ts';
import type { Batch, Table } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { metaTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import type { Predicate } from '../storage/predicate.ts';
import { keysOf } from '../storage/reads.ts';
import { type CachedProfiles, ProfileCache, type ProfileWrite, type ReadState } from './profile-cache.ts';

/** Milliseconds that a query waits for profiles that are being loaded, before it asks the engine. */
const PATIENCE = 100;

/** The names under which a store has the as-of time of its profiles, and what the native token was worth then. */
const [AS_OF, NATIVE_PRICE] = ['profiles_as_of', 'profiles_native_price'];

const kinds = ['tokens', 'wallets'] as const;

/** A transaction as the profile caches see it. What is written through `writer` counts from `commit` on; `commit` or `fail` ends it. */
export interface WatchedWrite {
  readonly writer: Writer;
  /** Makes the next version ready to be put in its place. */
  settle(): Promise<void>;
  commit(): void;
  fail(): void;
}

/** The stored profiles in this process's memory, each kind from when it is first asked for, as far as `bytes` reach. */
export class ProfileCaches {
  readonly #kinds: Readonly<Record<EntityKind, ProfileCache>>;
  readonly #shapes: Readonly<Record<EntityKind, ProfileShape>>;
  readonly #load: (kind: EntityKind) => Promise<void>;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(readState: ReadState, shapes: Readonly<Record<EntityKind, ProfileShape>>, bytes: number) {
    const kinds: Readonly<Record<EntityKind, ProfileCache>> = {
      tokens: new ProfileCache(shapes.tokens, (own) => own + kinds.wallets.bytes <= bytes),
      wallets: new ProfileCache(shapes.wallets, (own) => own + kinds.tokens.bytes <= bytes),
    };
    this.#kinds = kinds;
    this.#shapes = shapes;
    // Outside of the snapshot that it is asked for in, which ends before the profiles are loaded.
    this.#load = AsyncResource.bind(async (kind: EntityKind) => {
      if (bytes > 0) await kinds[kind].load(readState);
    });
  }

  /** The profiles as of the last commit; `undefined` if they are not cached. */
  current(kind: EntityKind): CachedProfiles | undefined {
    return this.#kinds[kind].current;
  }

  /** Loads a kind, unless it is cached, or does not fit. */
  load(kind: EntityKind): Promise<void> {
    return this.#load(kind);
  }

  /**
   * Waits for a load that runs, but for some time only: on an engine that holds the thread, a caller that asks without pause would keep the
   * load from its end. If writes come so often that loads are void, it waits one turn.
   */
  async waitFor(kind: EntityKind): Promise<void> {
    const { loading } = this.#kinds[kind];
    if (loading === undefined) return;
    const patience = new AbortController();
    const { signal } = patience;
    const enough = this.#kinds[kind].wasCutShort ? nextTurn() : sleep(PATIENCE, undefined, { signal });
    await Promise.race([loading, enough.catch(() => undefined)]);
    patience.abort();
  }

  watch(writer: Writer): WatchedWrite {
    const previous = this.#lastWrite;
    let end: () => void = () => undefined;
    this.#lastWrite = new Promise((resolve) => {
      end = resolve;
    });
    return this.#watch(writer, previous, end);
  }

  /** Watches a transaction beside others, none of which writes profiles. */
  watchAside(writer: Writer): WatchedWrite {
    return this.#watch(writer, this.#lastWrite, () => undefined);
  }

  #watch(writer: Writer, previous: Promise<void>, end: () => void): WatchedWrite {
    const begun = new Map<EntityKind, ProfileWrite>();
    const writeOf = (kind: EntityKind): ProfileWrite => {
      const write = begun.get(kind) ?? this.#kinds[kind].begin();
      begun.set(kind, write);
      return write;
    };
    /** The write of a table's profiles, from the first change of them on. */
    const writeTo = (table: Table): ProfileWrite | undefined => {
      const kind = kinds.find((name) => this.#shapes[name].table.name === table.name);
      return kind === undefined ? undefined : writeOf(kind);
    };
    return {
      writer: {
        ...writer,
        async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
          await writer.append(table, batch);
          // The write before has ended, but whoever made it may not have said yet how.
          await previous;
          await writeTo(table)?.append(batch as unknown as Batch);
          if (table.name !== metaTable.name) return;
          const { name, value } = (batch as unknown as Batch<typeof metaTable>).columns;
          const row = name.indexOf(AS_OF);
          const nativeUsd = Number(value[name.indexOf(NATIVE_PRICE)] ?? Number.NaN);
          if (row >= 0) for (const kind of kinds) await writeOf(kind).setAsOf(Number(value[row]), nativeUsd);
        },
        async replace<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
          await writer.replace(table, batch);
          await previous;
          const rows = batch as unknown as Batch;
          await writeTo(table)?.remove(keysOf(table, rows));
          await writeTo(table)?.append(rows);
        },
        async remove(table: Table, where: Predicate): Promise<void> {
          await writer.remove(table, where);
          await previous;
          await writeTo(table)?.remove(where);
        },
        async recreate(table: Table): Promise<void> {
          await writer.recreate(table);
          await previous;
          writeTo(table)?.forget();
        },
      },
      async settle() {
        for (const write of begun.values()) await write.settle();
      },
      commit() {
        for (const write of begun.values()) write.commit();
        end();
      },
      fail() {
        for (const write of begun.values()) write.fail();
        end();
      },
    };
  }

  clear(): void {
    this.#kinds.tokens.clear();
    this.#kinds.wallets.clear();
  }
}
