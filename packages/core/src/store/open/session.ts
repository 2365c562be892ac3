import { AsyncResource } from 'node:async_hooks';
import type { QueryOptions } from '../../api/api.ts';
import type { OperationCost } from '../../api/operation.ts';
import type { Budget } from '../../cache/budget.ts';
import { type CacheView, noCache, ProcessMemory } from '../../cache/process-memory.ts';
import { ProfileCaches } from '../../cache/profile-caches.ts';
import { newRegions } from '../../cache/regions.ts';
import type { Config } from '../../config.ts';
import type { SwapfoldError } from '../../errors.ts';
import { behindHorizon } from '../../ingest/carried.ts';
import type { ApplyContext, Changes } from '../../ingest/changes.ts';
import { Dictionary } from '../../ingest/dictionary.ts';
import { Live } from '../../live/live.ts';
import { Upkeep } from '../../live/upkeep.ts';
import type { Metric } from '../../metrics/metric.ts';
import { type ProfileShape, shapesOf } from '../../profiles/shape.ts';
import { type QueryContext, scanRequired } from '../../queries/context.ts';
import type { ProfileKind } from '../../records/profile-fields.ts';
import { RefreshCache } from '../../refresh/refresh-cache.ts';
import { untilAborted } from '../../storage/abortable.ts';
import type { ReadCost, Reader, StorageAdapter, Writer } from '../../storage/adapter.ts';
import { readLazily, StaleSnapshot } from '../../storage/snapshots.ts';
import { transact } from '../../storage/transaction.ts';
import { formatTime, parseInstant, type TimeInput, wallClock } from '../../time.ts';
import { yielder } from '../../yielder.ts';
import { ExternalWrites } from './external-writes.ts';
import { type Folding, foldingOf, mismatchOf } from './folding.ts';
import { quoteAddresses, type Remembered, readRemembered } from './remembered.ts';
import { StoreState } from './store-state.ts';

/** How often a query begins anew with the cache, if commits come between, before it asks the engine alone. */
const TRIES = 3;

/** What a session is of: `metrics` are all of them, built-in ones included. */
interface StoreDefinition {
  readonly config: Config;
  readonly storage: StorageAdapter;
  readonly metrics: readonly Metric[];
  /** What each kept thing may take. */
  readonly budget: Budget;
  /** Receives what was thrown after a commit. */
  readonly onError: (error: unknown) => void;
}

/**
 * A store as one process knows it: its storage, what it remembers of what is stored (ids, the newest swap, as-of times), and what it has
 * cached. Every write and every question goes through here, so that what is remembered never gets ahead of the store, nor behind it.
 */
export class StoreSession {
  readonly config: Config;
  readonly storage: StorageAdapter;
  readonly metrics: readonly Metric[];
  /** What the store is folded with. */
  readonly folding: Folding;
  readonly shapes: Readonly<Record<ProfileKind, ProfileShape>>;
  readonly dictionary: Dictionary;
  readonly profiles: ProfileCaches;
  readonly refreshCache: RefreshCache;
  readonly live: Live;
  readonly state: StoreState;
  /** All that is kept between calls. */
  readonly memory: ProcessMemory;
  readonly upkeep: Upkeep;
  /** Seconds before the newest swap that are kept; all if it is absent. */
  keep: number | undefined;
  /** What `keep` has asked to forget so far. */
  forgottenTo = 0;
  /** Whether forgetting has failed since it last succeeded. */
  isForgettingFailing = false;
  readonly #reading: Parameters<typeof readRemembered>[1];
  readonly #others: ExternalWrites;
  /** The engine's `externalVersion` of the state that the last write took up. */
  #writtenOver: number | undefined;
  /** Outside of the call that it is begun in. */
  readonly #readTexts: () => Promise<void>;
  /** Another process has folded the store with other settings. */
  #mismatch: SwapfoldError | undefined;

  constructor({ config, storage, metrics, budget, onError }: StoreDefinition) {
    this.config = config;
    this.folding = foldingOf(config, metrics);
    this.storage = storage;
    this.metrics = metrics;
    this.shapes = shapesOf(metrics);
    this.dictionary = new Dictionary(budget.texts);
    this.#reading = { config, dictionary: this.dictionary, bytes: budget.state };
    this.#others = new ExternalWrites(storage);
    this.state = new StoreState(() => this.#others.suspect());
    this.profiles = new ProfileCaches((read) => this.#readState(read), this.shapes, budget.profiles);
    this.refreshCache = new RefreshCache(budget.refresh);
    this.live = new Live((run, cost) => this.answer(run, {}, cost), budget.commits);
    const { dictionary: texts, state, profiles, refreshCache: refresh, live: commits } = this;
    this.memory = new ProcessMemory(newRegions(budget), { texts, state, profiles, refresh, commits }, onError);
    this.upkeep = new Upkeep(this.memory);
    this.#readTexts = AsyncResource.bind(() => storage.snapshot((reader) => this.dictionary.readAll(reader), 'scan'));
  }

  /** What the process knows of the last committed state. */
  get remembered(): Remembered {
    return this.state.remembered;
  }

  /** Takes up a store that was opened. */
  async start(): Promise<void> {
    this.#others.follow();
    this.#writtenOver = this.storage.externalVersion?.();
    await this.storage.snapshot((reader) => this.#load(reader), 'point');
    this.state.markRead();
  }

  /** What a store needs before anything is folded in it. */
  async begin(writer: Writer): Promise<void> {
    await this.dictionary.restart(writer);
    await this.dictionary.intern(writer, quoteAddresses(this.config));
    this.state.remembered = await this.rememberedOf(writer);
  }

  /**
   * One transaction. `changes` says by its end what becomes of cached answers; `remember` gives what the process knows of the store
   * otherwise, once the transaction is committed. After one that failed, the process reads the store again.
   */
  async write<R>(
    { signal, changes, storage = this.storage, isAside }: WriteCall,
    change: (writer: Writer) => Promise<R>,
    remember: (answer: R) => Partial<Remembered> = () => ({}),
  ): Promise<R> {
    let replaced: Remembered | undefined;
    try {
      return await transact<R>(
        storage,
        {
          signal,
          committing: () => this.memory.committing(),
          committed: (answer) => {
            this.state.expect(changes, () => replaced ?? remember(answer));
            this.memory.commit(changes);
          },
          failed: () => {
            this.memory.failCommit();
            this.#others.suspect();
          },
        },
        async (writer) => {
          if (!isAside) await this.#takeUp(writer);
          const answer = await change(isAside ? writer : this.memory.begin(changes, writer));
          await this.memory.settle(changes);
          if (changes.isReplacing) {
            this.dictionary.drop();
            replaced = await readRemembered(writer, { ...this.#reading, dictionary: new Dictionary() });
          }
          return answer;
        },
      );
    } catch (error) {
      this.memory.fail(changes);
      throw error;
    }
  }

  /** What the process remembers is of the state that a write begins with: it is read again after a write that failed, and after those of others. */
  async #takeUp(writer: Writer): Promise<void> {
    const version = this.storage.externalVersion?.();
    if (version !== this.#writtenOver) {
      // The ids that a write of this process gave before it failed may be of other texts by now.
      this.dictionary.drop();
      this.memory.outdate();
    } else if (this.state.isSettled) return;
    await this.#load(writer);
    this.#writtenOver = version;
  }

  /**
   * Answers from the cache, and where that does not do from one consistent state of the store. Begins anew if another commit came between,
   * at last without the cache, and also if a question for some rows by their keys turns out to need a scan.
   */
  async answer<T>(
    run: (context: QueryContext) => Promise<T>,
    asked: QueryOptions = {},
    cost: OperationCost = 'scan',
  ): Promise<T> {
    const use = cost === 'scan' ? 'scan' : 'point';
    // Lookups have cost as much as reading all texts would. Errors surface on the next query.
    if (this.dictionary.isWorthReading()) void this.#readTexts().catch(() => undefined);
    for (let tries = 0; tries < TRIES; tries++) {
      const { version } = this.memory;
      const view = this.memory.view();
      if (view === undefined || this.#others.arePending) break;
      const isCurrent = (): boolean => this.memory.version === version && !this.#others.arePending;
      const cache = this.#isNewest(asked.asOf) ? view : noCache;
      try {
        return await readLazily(
          (read) => this.storage.snapshot(read, use),
          async (reader) => (await this.#isKnown(reader)) && isCurrent(),
          (reader) => run(this.context(untilAborted(reader, asked.signal), asked, { cache, use })),
        );
      } catch (error) {
        if (error === scanRequired) return this.answer(run, asked);
        if (!(error instanceof StaleSnapshot)) throw error;
      } finally {
        view.end();
      }
      // Another process has committed, which this one has yet to notice.
      if (isCurrent()) break;
    }
    return this.storage.snapshot(async (snapshot) => {
      const reader = untilAborted(snapshot, asked.signal);
      const state = await this.rememberedOf(reader);
      const mismatch = this.storage.isReadOnly === true ? mismatchOf(state.meta, this.folding) : undefined;
      if (mismatch !== undefined) throw mismatch;
      return run(this.context(reader, asked, { state }));
    });
  }

  /**
   * Another process may have written to the store: then nothing that this one remembers holds, and the promise is of what has to be
   * read again. Looks once a turn of the event loop. Errors: `store-mismatch` where it has folded the store with other settings.
   */
  reloadIfChanged(): Promise<void> | undefined {
    const following = this.#others.takeUp(() => this.#followOthers());
    if (following === undefined && this.#mismatch !== undefined) throw this.#mismatch;
    return following;
  }

  /** Clears the cache, and takes up the state that another process has left, unless this one has a later state by then. */
  async #followOthers(): Promise<void> {
    const unfollow = this.#others.follow();
    this.memory.outdate();
    // An empty store can be filled by a copy, which brings other texts.
    if (this.remembered.ingest.lastTime === null) this.dictionary.drop();
    const { version } = this.memory;
    const { begun } = this.state;
    try {
      const state = await this.storage.snapshot((reader) => this.rememberedOf(reader), 'point');
      if (this.memory.version === version && this.state.begun === begun) this.state.remembered = state;
      this.#mismatch = mismatchOf(state.meta, this.folding);
    } catch (error) {
      unfollow();
      throw error;
    }
    if (this.#mismatch !== undefined) throw this.#mismatch;
  }

  /** Whether a snapshot, which a read has fixed, is of the state that this process remembers, as far as others may have changed it. */
  async #isKnown(reader: Reader): Promise<boolean> {
    return this.storage.isReadOnly !== true || (await reader.version?.()) === this.remembered.version;
  }

  /** Reads what is to be cached. Fails if another process has committed since this one looked. */
  #readState(read: (reader: Reader) => Promise<void>): Promise<void> {
    return this.storage.snapshot(async (reader) => {
      if (!(await this.#isKnown(reader))) throw new StaleSnapshot();
      await read(reader);
    });
  }

  /** What ingest needs in a write. Its state is a copy: it counts once the write is committed. */
  applyContext(): ApplyContext {
    const { roles, ingest } = this.remembered;
    return { config: this.config, roles, dictionary: this.dictionary, state: { ...ingest } };
  }

  /** `state`: the state that the reader reads, unless it is the one that this process remembers; `cache`: what is cached of it. */
  context(
    reader: Reader,
    { asOf, share, signal }: QueryOptions,
    of: { readonly state?: Remembered; readonly cache?: CacheView; readonly use?: ReadCost } = {},
  ): QueryContext {
    const { ingest, roles } = of.state ?? this.remembered;
    const { horizon } = ingest;
    const instant = asOf === undefined ? this.#clock(ingest.lastTime) : parseInstant(asOf, 'asOf');
    if (instant < horizon && asOf !== undefined)
      throw behindHorizon(`An answer as of ${formatTime(instant)}`, instant, horizon);
    return {
      cache: of.cache ?? noCache,
      config: this.config,
      reader,
      requireScan: () => {
        if (of.use === 'point') throw scanRequired;
      },
      dictionary: this.dictionary,
      roles,
      metrics: this.metrics,
      shapes: this.shapes,
      asOf: instant,
      isAsOfAsked: asOf !== undefined,
      lastTime: ingest.lastTime,
      horizon,
      hasReferencePrices: ingest.hasReferencePrices,
      hasTransfers: ingest.lastTransfer !== null,
      yielder: () => yielder({ share, signal }),
    };
  }

  #clock(lastTime: number | null): number {
    return this.config.clock === 'wall' ? wallClock() : (lastTime ?? 0);
  }

  /** Whether a question with this as-of time is one about the newest state. */
  #isNewest(asOf: TimeInput | undefined): boolean {
    const { lastTime } = this.remembered.ingest;
    return asOf === undefined && this.#clock(lastTime) >= (lastTime ?? 0);
  }

  async #load(reader: Reader): Promise<void> {
    await this.dictionary.restart(reader);
    this.state.remembered = await this.rememberedOf(reader);
  }

  /** What a process would remember of the state that the reader reads. */
  rememberedOf(reader: Reader): Promise<Remembered> {
    return readRemembered(reader, this.#reading);
  }
}

/** How a write of a session is run. */
export interface WriteCall {
  readonly signal?: AbortSignal | undefined;
  /** Says by the end of the write what becomes of cached answers. */
  readonly changes: Changes;
  /** Runs the transaction; inside a load, that load. Default: the storage. */
  readonly storage?: Pick<StorageAdapter, 'write'> | undefined;
  /** It began beside the writes, and has written profiles already: it has an older state than the writes before it. */
  readonly isAside?: boolean;
}
