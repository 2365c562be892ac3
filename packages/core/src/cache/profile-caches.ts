import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Changes } from '../ingest/changes.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { Batch, Table } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { metaTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import type { Predicate } from '../storage/predicate.ts';
import { keysOf } from '../storage/reads.ts';
import type { Kept } from './kept.ts';
import { type CachedProfiles, ProfileCache, type ProfileWrite, type ReadState } from './profile-cache.ts';

/** Milliseconds that a query waits for profiles that are being loaded, before it asks the engine. */
const PATIENCE = 100;

/** How many times as long as a step of a load took, it lets a write go first: loading at full pace made a block take five times as long. */
const WAY = 9;

/** The names under which a store has the as-of time of its profiles, and what the native token was worth then. */
const [AS_OF, NATIVE_PRICE] = ['profiles_as_of', 'profiles_native_price'];

const kinds = ['tokens', 'wallets'] as const;

/** What a write has done to the profiles so far, by kind. */
interface Watched {
  readonly writes: Map<EntityKind, ProfileWrite>;
  /** Called at its end. */
  readonly end: () => void;
}

/** The stored profiles in this process's memory, each kind from when it is first asked for, as far as `bytes` reach. */
export class ProfileCaches implements Kept {
  readonly #kinds: Readonly<Record<EntityKind, ProfileCache>>;
  readonly #shapes: Readonly<Record<EntityKind, ProfileShape>>;
  readonly #load: (kind: EntityKind) => Promise<void>;
  readonly #watched = new Map<Changes, Watched>();
  #lastWrite: Promise<void> = Promise.resolve();
  /** How many writes run. */
  #writing = 0;

  constructor(readState: ReadState, shapes: Readonly<Record<EntityKind, ProfileShape>>, bytes: number) {
    const giveWay = (took: number): Promise<void> => this.#giveWay(took);
    const kinds: Readonly<Record<EntityKind, ProfileCache>> = {
      tokens: new ProfileCache(shapes.tokens, (own) => own + kinds.wallets.bytes <= bytes, giveWay),
      wallets: new ProfileCache(shapes.wallets, (own) => own + kinds.tokens.bytes <= bytes, giveWay),
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

  get bytes(): number {
    return this.#kinds.tokens.bytes + this.#kinds.wallets.bytes;
  }

  /** What is written through the writer that this gives counts from `commit` on. */
  begin(changes: Changes, writer: Writer): Writer {
    const previous = this.#lastWrite;
    let end: () => void = () => undefined;
    this.#writing++;
    this.#lastWrite = new Promise((resolve) => {
      end = () => {
        this.#writing--;
        resolve();
      };
    });
    return this.#watch(writer, { changes, previous, end });
  }

  /** As `begin`, of a transaction beside others, none of which writes profiles. */
  beginAside(changes: Changes, writer: Writer): Writer {
    return this.#watch(writer, { changes, previous: this.#lastWrite, end: () => undefined });
  }

  async #giveWay(took: number): Promise<void> {
    if (this.#writing === 0) return;
    const patience = new AbortController();
    const enough = sleep(took * WAY, undefined, { signal: patience.signal });
    await Promise.race([this.#lastWrite, enough.catch(() => undefined)]);
    patience.abort();
  }

  async settle(changes: Changes): Promise<void> {
    for (const write of this.#watched.get(changes)?.writes.values() ?? []) await write.settle();
  }

  commit(changes: Changes): void {
    if (changes.isEverything) this.drop();
    this.#end(changes, (write) => write.commit());
  }

  fail(changes: Changes): void {
    this.#end(changes, (write) => write.fail());
  }

  drop(): void {
    this.#kinds.tokens.clear();
    this.#kinds.wallets.clear();
  }

  #end(changes: Changes, end: (write: ProfileWrite) => void): void {
    const watched = this.#watched.get(changes);
    if (watched === undefined) return;
    this.#watched.delete(changes);
    try {
      for (const write of watched.writes.values()) end(write);
    } finally {
      watched.end();
    }
  }

  #watch(
    writer: Writer,
    {
      changes,
      previous,
      end,
    }: { readonly changes: Changes; readonly previous: Promise<void>; readonly end: () => void },
  ): Writer {
    const writes = new Map<EntityKind, ProfileWrite>();
    this.#watched.set(changes, { writes, end });
    const writeOf = (kind: EntityKind): ProfileWrite => {
      const write = writes.get(kind) ?? this.#kinds[kind].begin();
      writes.set(kind, write);
      return write;
    };
    /** The write of a table's profiles, from the first change of them on. */
    const writeTo = (table: Table): ProfileWrite | undefined => {
      const kind = kinds.find((name) => this.#shapes[name].table.name === table.name);
      return kind === undefined ? undefined : writeOf(kind);
    };
    return {
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
    };
  }
}
