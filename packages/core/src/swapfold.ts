import { randomUUID } from 'node:crypto';
import { type Config, parseConfig } from './config.ts';
import { SwapfoldError } from './errors.ts';
import { type ApplyContext, applyBatch } from './ingest/apply.ts';
import { inputBatches, type SwapSource } from './ingest/batches.ts';
import { checkSwaps } from './ingest/candidates.ts';
import { type Changes, everything, newChanges } from './ingest/changes.ts';
import type { SwapColumns } from './ingest/columns.ts';
import { Dictionary } from './ingest/dictionary.ts';
import { ofPart } from './ingest/of-part.ts';
import { checkPart, type Part } from './ingest/part.ts';
import {
  type Conflict,
  type IngestResult,
  newIngestResult,
  noteConflict,
  noteReject,
  type Reject,
} from './ingest/result.ts';
import { newIngestState } from './ingest/state.ts';
import { Kept } from './kept/kept.ts';
import { labelRulesOf } from './labels/rules.ts';
import { type Roles, rolesOf } from './ledger/roles.ts';
import { memory } from './memory/memory.ts';
import { allMetrics } from './metrics/all-metrics.ts';
import type { Metric } from './metrics/metric.ts';
import { show } from './nearest.ts';
import { findOperation, type Operation } from './operations/operations.ts';
import type { ProfileKind } from './profiles/fields.ts';
import { KeptProfiles, type WatchedWrite } from './profiles/kept-profiles.ts';
import type { ProfileShape } from './profiles/shape.ts';
import { shapesOf } from './profiles/shape.ts';
import type { QueryContext } from './queries/context.ts';
import { type AskOptions, type Questions, questionsOver } from './questions.ts';
import { timeOf } from './records/chain-order.ts';
import type { Batch } from './records/columns.ts';
import { fixedTables, swapsTable, transactionsTable } from './records/tables.ts';
import { foldProfiles } from './refresh/fold-profiles.ts';
import { KeptEntities } from './refresh/kept-entities.ts';
import { compileRules } from './refresh/labels.ts';
import { isAging, type RefreshResult, refreshProfiles } from './refresh/refresh.ts';
import { type TokenInput, type UpsertResult, upsertRegistry, type WalletInput } from './registry/registry.ts';
import { type CallOptions, orAborted, throwIfAborted, untilAborted, writeUntilAborted } from './storage/abortable.ts';
import type { Reader, StorageAdapter, Writer } from './storage/adapter.ts';
import { moved, readLazily } from './storage/lazy-snapshot.ts';
import { copyTables } from './store/copy.ts';
import { mergeParts } from './store/merge.ts';
import { readMeta, writeMeta } from './store/meta.ts';
import { openStore } from './store/open-store.ts';
import { checkParts, checkSameFolding, readingAll } from './store/parts.ts';
import { rederive } from './store/rebuild.ts';
import { type RollbackResult, rollbackSwaps } from './store/rollback.ts';
import { compareStores, copyGiven, type Verification } from './store/verify.ts';
import type {
  CopyCall,
  IngestOptions,
  MergeCall,
  OpenOptions,
  RebuildCall,
  RefreshCall,
  RollbackCall,
} from './swapfold-options.ts';
import { MAX_TIME, parseTime } from './time.ts';

/**
 * A store of swaps and everything that is asked of it.
 *
 * ```ts
 * const dex = await Swapfold.open({ storage: sqlite('dex.db') });
 * await dex.ingest(swaps);
 * await dex.refresh();
 * const { data } = await dex.wallets.search({ filter: { 'metrics.7d.pnl': { $gt: 1000 } } });
 * await dex.close();
 * ```
 *
 * Requests and answers are those of the HTTP routes; errors are `SwapfoldError`s.
 */
export class Swapfold {
  readonly config: Config;
  readonly tokens: Questions['tokens'] & {
    /** Adds or changes rows of the token registry; the profiles follow at the next refresh. */
    readonly upsert: (rows: readonly TokenInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly wallets: Questions['wallets'] & {
    /** Adds or changes rows of the wallet registry; the profiles follow at the next refresh. */
    readonly upsert: (rows: readonly WalletInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly swaps: Questions['swaps'];
  readonly trades: Questions['trades'];
  readonly prices: Questions['prices'];
  readonly portfolios: Questions['portfolios'];

  static readonly #inUse = new WeakSet<StorageAdapter>();
  readonly #storage: StorageAdapter;
  readonly #dictionary = new Dictionary();
  readonly #metrics: readonly Metric[];
  readonly #ownMetrics: readonly Metric[];
  readonly #shapes: Readonly<Record<ProfileKind, ProfileShape>>;
  #roles: Roles = rolesOf([], () => undefined);
  #state = newIngestState(null, 0);
  readonly #entities: KeptEntities;
  #refreshing = '';
  #profilesAsOf: number | null = null;
  #areProfilesPartial = false;
  readonly #kept: Kept;
  readonly #shard: Part | undefined;
  #foreignVersion = 0;
  #hasLooked = false;
  #isClosing = false;
  /** The ends of the ingests of lists that run. */
  readonly #lists = new Set<Promise<unknown>>();
  /** Writes begun, and the last one whose commit is known: where they differ, what the process remembers of the store is read again. */
  #begun = 1;
  #settled = 0;

  private constructor(config: Config, { storage, metrics: ownMetrics = [], memory: kept = {}, shard }: OpenOptions) {
    const metrics = allMetrics(ownMetrics);
    this.#storage = storage;
    this.#shard = shard === undefined ? undefined : checkPart(shard);
    this.config = config;
    this.#ownMetrics = ownMetrics;
    this.#metrics = metrics;
    this.#shapes = shapesOf(metrics);
    const profiles = new KeptProfiles(storage, this.#shapes, (kept.profiles_mb ?? 1024) * 1_000_000);
    this.#kept = new Kept(kept.candles ?? 1_000_000, profiles);
    this.#entities = new KeptEntities(kept.trades ?? 2_000_000);
    const questions = questionsOver((name, request, options) => this.call(name, request, options));
    this.tokens = { ...questions.tokens, upsert: (rows, options) => this.#upsert('tokens', rows, options) };
    this.wallets = { ...questions.wallets, upsert: (rows, options) => this.#upsert('wallets', rows, options) };
    this.swaps = questions.swaps;
    this.trades = questions.trades;
    this.prices = questions.prices;
    this.portfolios = questions.portfolios;
  }

  /**
   * Opens a store, or creates it.
   *
   * - Errors: `invalid-config`; `newer-schema`, `foreign-store`, `store-mismatch`; `store-locked`, `read-only`, `disk-full`,
   *   `store-damaged`, `store-failed`; `aborted`. What failed has changed nothing.
   */
  static async open(options: OpenOptions): Promise<Swapfold> {
    const config = parseConfig(options.config);
    const dex = new Swapfold(config, options);
    const rules = labelRulesOf(config);
    for (const kind of ['tokens', 'wallets'] as const)
      compileRules(kind, rules[kind], { config, shapes: dex.#shapes, asOf: 0 });
    if (Swapfold.#inUse.has(options.storage))
      throw new SwapfoldError(
        'store-locked',
        'This storage adapter is open already; make another, or close the store that has it.',
      );
    Swapfold.#inUse.add(options.storage);
    try {
      const madeOf = JSON.stringify({
        metrics: dex.metrics.map(({ name, group }) => (group === undefined ? name : `${group}.${name}`)),
        rules,
      });
      await openStore(options.storage, {
        config,
        shapes: dex.#shapes,
        madeOf,
        rebuild: options.rebuild === true,
        shard: options.shard,
        signal: options.signal,
        async fold(writer, refold) {
          await dex.#begin(writer);
          if (refold === 'all') await dex.#rebuildWithin(writer, {});
          else if (refold === 'profiles' && dex.#state.lastTime !== null) await dex.#refreshWithin(writer, {});
        },
      });
      dex.#foreignVersion = options.storage.foreignVersion?.() ?? 0;
      await options.storage.snapshot((reader) => dex.#load(reader));
      dex.#settled = dex.#begun;
    } catch (error) {
      await options.storage.close();
      throw error;
    }
    return dex;
  }

  /** Metrics of this store, built-in and the embedder's. */
  get metrics(): readonly Metric[] {
    return this.#metrics;
  }

  /**
   * Stores swaps and folds what follows from them; profiles follow at the next `refresh`.
   *
   * - Input: an array of swaps or one column batch, written in one transaction; or an iterable or async iterable of swaps, arrays or column batches, written batch by batch.
   * - Any order: a late swap finds its place and what it touches is folded again. A known swap changes nothing.
   * - Shape: counts of added, duplicate, conflicting and rejected swaps, the latter with row, field and reason.
   * - Errors: `invalid-input` for what is no list of swaps; rows at fault are rejected one by one, the others stored. `aborted` undoes the
   *   batch that is being written; batches written before stay.
   */
  async ingest(source: SwapSource, options: IngestOptions = {}): Promise<IngestResult> {
    this.#refuseWhenClosed();
    const work = this.#ingestAll(source, options);
    // A list is a call that runs; a source that goes on is one that ends between two batches.
    if (!Array.isArray(source) && !('columns' in Object(source))) return work;
    const isOver: Promise<unknown> = work.then(
      () => this.#lists.delete(isOver),
      () => this.#lists.delete(isOver),
    );
    this.#lists.add(isOver);
    return work;
  }

  async #ingestAll(source: SwapSource, options: IngestOptions): Promise<IngestResult> {
    const result = newIngestResult();
    let row = 0;
    const batches = inputBatches(source, options.batchSize ?? 10_000)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value: batch } = await orAborted(options.signal, batches.next());
        if (done) return result;
        await this.#ingestBatch(batch, row, result, options);
        row += batch.length;
      }
    } finally {
      const ended = batches.return?.(undefined).catch(() => undefined);
      // A source that does not answer, which may be why the call is aborted, does not end either.
      if (!options.signal?.aborted) await ended;
    }
  }

  /** Brings the stored profiles up to date: folds the entities that changed, and those that time has changed. */
  async refresh(call: RefreshCall = {}): Promise<RefreshResult> {
    this.#refuseWhenClosed();
    return this.#write(
      { signal: call.signal, changes: newChanges() },
      (writer) => this.#refreshWithin(writer, call),
      (result) => this.#noteRefreshed(result),
    );
  }

  /** Folds everything again from the stored swaps, profiles included. The result is what was there, or ought to have been. */
  async rebuild(call: RebuildCall = {}): Promise<{ swaps: number } & RefreshResult> {
    this.#refuseWhenClosed();
    return this.#write(
      { signal: call.signal, changes: everything() },
      (writer) => this.#rebuildWithin(writer, call),
      (result) => this.#noteRefreshed(result),
    );
  }

  /**
   * Takes back what a reorganisation of the chain has undone: removes the swaps of a block slot and of all later ones, and folds again
   * what they touched. The store is then as if it had never had them; the swaps of the new branch can be ingested. Profiles follow at
   * the next `refresh`.
   *
   * - Errors: `invalid-input` where swaps without a `block_slot` could belong to what is to be removed; then nothing is.
   */
  async rollback(call: RollbackCall): Promise<RollbackResult> {
    this.#refuseWhenClosed();
    const { result } = await this.#write(
      { signal: call.signal, changes: everything() },
      async (writer) => {
        const state = { ...this.#state };
        return { state, result: await rollbackSwaps(writer, { ...this.#applyContext(), state }, call.from_block_slot) };
      },
      ({ state }) => {
        this.#state = state;
      },
    );
    return result;
  }

  /**
   * Puts the stores of all parts of a market together in this one, which is empty: it then is what all swaps at once would have made it.
   * Profiles follow at the next `refresh`.
   *
   * - `parts`: stores opened with `shard`, each part once, in any order.
   * - Errors: `invalid-input` where parts are missing or twice, or this store is not empty; `store-mismatch` where their configuration differs.
   */
  async merge(parts: readonly Swapfold[], call: MergeCall = {}): Promise<{ readonly swaps: number }> {
    const shards = checkParts(parts.map((part) => part.#shard));
    if (this.#shard !== undefined || this.#state.lastTime !== null)
      throw new SwapfoldError('invalid-input', 'Parts are merged into a store that is empty and of no part itself.');
    for (const part of parts) checkSameFolding(this.config, part.config);
    const swaps = await readingAll(
      parts.map((part) => part.#storage),
      (readers) =>
        this.#write({ signal: call.signal, changes: everything() }, (writer) => {
          const sources = readers.map((reader, i) => ({ reader: untilAborted(reader, call.signal), part: shards[i]! }));
          return mergeParts(writer, sources, { dictionary: this.#dictionary, onProgress: call.onSwaps });
        }),
    );
    await this.#storage.snapshot((reader) => this.#loadState(reader));
    return { swaps };
  }

  /**
   * Makes this empty store what another one is, of any engine: swaps, what was derived of them, registries and profiles, row by row.
   *
   * - Shape: `swaps`, how many the store has then; `rows`, those of all its tables.
   * - Errors: `invalid-input` where this store is not empty; `store-mismatch` where the other's configuration differs.
   */
  async copyFrom(source: Swapfold, call: CopyCall = {}): Promise<{ readonly swaps: number; readonly rows: number }> {
    if (this.#state.lastTime !== null) throw new SwapfoldError('invalid-input', 'A store is copied into an empty one.');
    if (this.#shard?.index !== source.#shard?.index || this.#shard?.of !== source.#shard?.of)
      throw new SwapfoldError('invalid-input', 'A store is copied into one of the same part of the wallets.');
    checkSameFolding(this.config, source.config);
    const tables = [...fixedTables, this.#shapes.tokens.table, this.#shapes.wallets.table];
    const copied = await readingAll([source.#storage], ([reader]) =>
      this.#write({ signal: call.signal, changes: everything() }, async (writer) => {
        const from = untilAborted(reader!, call.signal);
        const rows = await copyTables(from, writer, { tables, onProgress: call.onRows });
        return { rows, swaps: await writer.count(swapsTable) };
      }),
    );
    await this.#storage.snapshot((reader) => this.#load(reader));
    return copied;
  }

  /**
   * Answers an operation by name, `prices.candles` or `get-price-candles`: what HTTP serves.
   *
   * - Errors: those of the operation, `not-found` for an unknown name.
   */
  async call(name: string, body: unknown, options: AskOptions = {}): Promise<unknown> {
    this.#refuseWhenClosed();
    const operation = findOperation(name);
    throwIfAborted(options.signal);
    await this.#noticeOthers();
    return orAborted(options.signal, this.#answer(operation, body, options));
  }

  async #answer(operation: Operation, body: unknown, { asOf, signal }: AskOptions): Promise<unknown> {
    const stamp = this.#isClosing ? undefined : this.#kept.stamp();
    if (stamp !== undefined) {
      const holds = (): boolean => this.#kept.stamp() === stamp;
      const state = { kept: this.#kept, holds };
      const answer = await readLazily(this.#storage, holds, (reader) =>
        operation.run(this.#context(untilAborted(reader, signal), asOf, state), body),
      );
      if (answer !== moved) return answer;
    }
    return this.#storage.snapshot((reader) => operation.run(this.#context(untilAborted(reader, signal), asOf), body));
  }

  /**
   * The same questions at another instant: answers as if nothing later had been ingested. Profiles are folded for it one by one;
   * `search` is over stored profiles, so it answers only at their own as-of time (`refresh({ asOf })`).
   */
  at(asOf: string | number): Questions {
    return questionsOver((name, request, options) => this.call(name, request, { ...options, asOf }));
  }

  /** Derives everything anew in memory from the stored swaps and compares it with the store, value by value. */
  async verify({ signal }: CallOptions = {}): Promise<Verification> {
    this.#refuseWhenClosed();
    const storage = memory();
    const other = await Swapfold.open({ storage, config: this.config, metrics: this.#ownMetrics });
    try {
      return await this.#storage.snapshot(async (stored) => {
        const reader = untilAborted(stored, signal);
        await storage.write(async (writer) => {
          await copyGiven(reader, writer);
          other.#dictionary.clear();
          await other.#begin(writer);
        });
        await other.rebuild({ asOf: this.#profilesAsOf ?? undefined, signal });
        return storage.snapshot((expected) => compareStores(reader, expected, this.#shapes, this.#profilesAsOf ?? 0));
      });
    } finally {
      await other.close();
    }
  }

  /** Waits for what is running and closes the store. Closing again does nothing. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await Promise.all(this.#lists);
      await this.#storage.close();
      this.#kept.clear();
    } catch (error) {
      // Refused inside a running write: the store stays open.
      if (error instanceof SwapfoldError && error.code === 'nested-call') this.#isClosing = false;
      throw error;
    }
  }

  #refuseWhenClosed(): void {
    if (this.#isClosing) throw new SwapfoldError('closed', 'The store is closed; open it again to use it.');
  }

  async #ingestBatch(
    batch: SwapColumns,
    firstRow: number,
    result: IngestResult,
    options: IngestOptions,
  ): Promise<void> {
    const rejects: Reject[] = [];
    const conflicts: Conflict[] = [];
    const checked = checkSwaps(batch, this.config, firstRow, (reject) => rejects.push(reject));
    const candidates = this.#shard === undefined ? checked : ofPart(checked, this.#shard, this.config.quote_tokens);
    const changes = newChanges();
    const { applied } = await this.#write(
      { signal: options.signal, changes },
      async (writer) => {
        const state = { ...this.#state };
        const done = await applyBatch(writer, { ...this.#applyContext(), state, changes }, candidates, (conflict) =>
          conflicts.push(conflict),
        );
        return { applied: done, state };
      },
      ({ state }) => {
        this.#state = state;
      },
    );
    result.added += applied.added;
    result.duplicate += applied.duplicate;
    for (const reject of rejects) {
      noteReject(result, reject);
      options.onReject?.(reject);
    }
    for (const conflict of conflicts) {
      noteConflict(result, conflict);
      options.onConflict?.(conflict);
    }
  }

  async #upsert(kind: ProfileKind, rows: readonly unknown[], { signal }: CallOptions = {}): Promise<UpsertResult> {
    this.#refuseWhenClosed();
    if (!Array.isArray(rows))
      throw new SwapfoldError('invalid-input', `Expected an array of ${kind}, received ${typeof rows}.`);
    const changes = { ...newChanges(), hasRegistryChanged: true };
    return this.#write({ signal, changes }, (writer) =>
      upsertRegistry(writer, this.#dictionary, this.config, kind, rows),
    );
  }

  async #refreshWithin(writer: Writer, call: RefreshCall, isRebuild = false): Promise<RefreshResult> {
    const rules = labelRulesOf(this.config);
    const context = this.#context(writer, call.asOf);
    const isFull =
      isRebuild || this.#profilesAsOf === null || this.#areProfilesPartial || context.asOf < this.#profilesAsOf;
    const compiled = {
      tokens: compileRules('tokens', rules.tokens, context),
      wallets: compileRules('wallets', rules.wallets, context),
    };
    this.#refreshing = randomUUID();
    const refreshed = await refreshProfiles(writer, context, {
      metrics: this.#metrics,
      rules: compiled,
      syncedAt: wallClock(),
      isFull,
      isAging: isAging(call.scope),
      kept: this.#entities,
      before: (await readMeta(writer)).profiles_refresh,
      onProgress: call.onProgress,
    });
    await writeMeta(writer, {
      profiles_as_of: String(context.asOf),
      profiles_last_time: String(context.lastTime ?? 0),
      profiles_refresh: this.#refreshing,
    });
    return refreshed;
  }

  async #rebuildWithin(writer: Writer, call: RebuildCall): Promise<{ swaps: number } & RefreshResult> {
    const swaps = await rederive(writer, this.#applyContext(), call.onSwaps);
    return { swaps, ...(await this.#refreshWithin(writer, call, true)) };
  }

  #noteRefreshed({ as_of }: RefreshResult): void {
    this.#entities.settle(this.#refreshing);
    this.#profilesAsOf = as_of;
    this.#areProfilesPartial = as_of < (this.#state.lastTime ?? 0);
  }

  /**
   * One transaction. `changes` is what it does to what is kept, by its end; `keep` takes over what the process remembers of it once it
   * is committed. After one that failed, the process reads the store again.
   */
  async #write<R>(
    { signal, changes }: { readonly signal: AbortSignal | undefined; readonly changes: Changes },
    change: (writer: Writer) => Promise<R>,
    keep: (answer: R) => void = () => undefined,
  ): Promise<R> {
    let number = 0;
    let isCommitting = false;
    let profiles: WatchedWrite | undefined;
    try {
      const answer = await writeUntilAborted(this.#storage, signal, async (writer) => {
        profiles = this.#kept.profiles.watch(writer);
        if (this.#settled !== this.#begun) await this.#load(writer);
        number = ++this.#begun;
        const done = await change(profiles.writer);
        this.#kept.begin();
        isCommitting = true;
        return done;
      });
      // Where the next write has begun by now, it has read for itself what this one left.
      if (this.#begun === number) {
        this.#settled = number;
        keep(answer);
      }
      this.#kept.commit(changes);
      profiles?.commit();
      return answer;
    } catch (error) {
      if (isCommitting) this.#kept.fail();
      profiles?.fail();
      throw error;
    }
  }

  /** Another process may have written to the store: then nothing that this one remembers holds. Looks once a turn of the event loop. */
  async #noticeOthers(): Promise<void> {
    if (this.#hasLooked || this.#isClosing || this.#storage.foreignVersion === undefined) return;
    this.#hasLooked = true;
    setImmediate(() => {
      this.#hasLooked = false;
    });
    const version = this.#storage.foreignVersion();
    if (version === this.#foreignVersion) return;
    this.#foreignVersion = version;
    this.#kept.clear();
    await this.#storage.snapshot((reader) => this.#loadState(reader));
  }

  #applyContext(): ApplyContext {
    return { config: this.config, roles: this.#roles, dictionary: this.#dictionary, state: this.#state };
  }

  /** `state`: what is kept of the state that the reader reads, where that is known. */
  #context(
    reader: Reader,
    asOf: string | number | undefined,
    state: { readonly kept: Kept; readonly holds: () => boolean } | undefined = undefined,
  ): QueryContext {
    const { lastTime } = this.#state;
    const clock = this.config.clock === 'wall' ? wallClock() : (lastTime ?? 0);
    const isNewest = asOf === undefined && clock >= (lastTime ?? 0);
    return {
      kept: isNewest ? state?.kept : undefined,
      holds: state?.holds ?? (() => false),
      config: this.config,
      reader,
      dictionary: this.#dictionary,
      roles: this.#roles,
      shapes: this.#shapes,
      asOf: asOf === undefined ? clock : instantOf(asOf),
      isAsOfAsked: asOf !== undefined,
      foldProfiles: (context, kind, ids) => this.#fold(context, kind, ids),
      readProfilesAsOf: async () => Number((await readMeta(reader)).profiles_as_of ?? clock),
      lastTime,
    };
  }

  #fold(context: QueryContext, kind: ProfileKind, ids: Int32Array): Promise<Batch> {
    const rules = compileRules(kind, labelRulesOf(this.config)[kind], context);
    return foldProfiles(context, { kind, ids, metrics: this.#metrics, rules, syncedAt: wallClock() });
  }

  /** What a store needs before anything is folded in it. */
  async #begin(writer: Writer): Promise<void> {
    await this.#dictionary.restart(writer);
    await this.#dictionary.intern(writer, this.#quoteAddresses());
    await this.#loadState(writer);
  }

  /** Reads what the process remembers of the store. */
  async #load(reader: Reader): Promise<void> {
    await this.#dictionary.restart(reader);
    await this.#loadState(reader);
  }

  async #loadState(reader: Reader): Promise<void> {
    const addresses = this.#quoteAddresses();
    const ids = await this.#dictionary.find(reader, addresses);
    const seq = await reader.max(swapsTable, 'seq');
    const tx = await reader.max(transactionsTable, 'tx');
    const meta = await readMeta(reader);
    const idOf = new Map(addresses.map((address, i) => [address, ids[i]!]));
    this.#roles = rolesOf(this.config.quote_tokens, (address) => idOf.get(address));
    this.#state = newIngestState(seq === null ? null : timeOf(seq), (tx ?? -1) + 1);
    this.#profilesAsOf = meta.profiles_as_of === undefined ? null : Number(meta.profiles_as_of);
    this.#areProfilesPartial = Number(meta.profiles_last_time ?? 0) > Number(meta.profiles_as_of ?? 0);
  }

  #quoteAddresses(): string[] {
    return this.config.quote_tokens.map((token) => token.address);
  }
}

function instantOf(asOf: string | number): number {
  if (typeof asOf === 'string') return parseTime(asOf, 'asOf');
  if (Number.isInteger(asOf) && asOf >= 0 && asOf <= MAX_TIME) return asOf;
  throw new SwapfoldError('invalid-range', `"asOf" must be whole Unix seconds or an RFC 3339 time, not ${show(asOf)}.`);
}

function wallClock(): number {
  return Math.floor(Date.now() / 1000);
}
