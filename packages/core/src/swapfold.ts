import { type Api, apiOver, type QueryOptions } from './api/api.ts';
import { findOperation } from './api/operations.ts';
import { type Config, parseConfig } from './config.ts';
import { SwapfoldError } from './errors.ts';
import type { SwapSource } from './ingest/batches.ts';
import { everything, newChanges } from './ingest/changes.ts';
import type { IngestResult } from './ingest/result.ts';
import { type Shard, validShard } from './ingest/shard.ts';
import { labelRulesOf } from './labels/rules.ts';
import { memory } from './memory/memory.ts';
import { allMetrics } from './metrics/all-metrics.ts';
import type { Metric } from './metrics/metric.ts';
import type { OwnMetric } from './metrics/names.ts';
import type { ProfileKind } from './profiles/fields.ts';
import { fixedTables, swapsTable } from './records/tables.ts';
import type { FoldMessage, FoldTask } from './refresh/fold-task.ts';
import { compileRules } from './refresh/labels.ts';
import type { RefreshResult } from './refresh/write.ts';
import { type TokenInput, type UpsertResult, upsertRegistry, type WalletInput } from './registry/registry.ts';
import { type CallOptions, checkSignal, orAborted, throwIfAborted, untilAborted } from './storage/abortable.ts';
import type { StorageAdapter } from './storage/adapter.ts';
import type { Meta } from './storage/meta.ts';
import { type BackupResult, backupStore } from './store/backup.ts';
import { copyTables } from './store/copy.ts';
import { foldShard } from './store/fold-shard.ts';
import { rememberedMetrics } from './store/folding.ts';
import { ingestAll } from './store/ingest-store.ts';
import { mergeShards } from './store/merge.ts';
import { findStore, openStore } from './store/open-store.ts';
import { noteRefreshed, rebuildStore, refreshStore } from './store/refresh-store.ts';
import { type RollbackResult, rollbackSwaps } from './store/rollback.ts';
import { StoreSession } from './store/session.ts';
import { checkSameFolding, checkSameProfiles, checkShards, hasNoRegistry, readingAll } from './store/shards.ts';
import {
  columnsOfStoredOnly,
  compareStores,
  copyGiven,
  damageOf,
  isGivenDamaged,
  type Verification,
  withDamage,
} from './store/verify.ts';
import {
  type CopyCall,
  checkCall,
  checkIngestOptions,
  checkOpenOptions,
  type IngestOptions,
  type MergeCall,
  type OpenOptions,
  type RebuildCall,
  type RefreshCall,
  type RollbackCall,
} from './swapfold-options.ts';
import type { TimeInput } from './time.ts';

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
 * Requests and answers are those of the HTTP routes; errors are `SwapfoldError`s. `Own` are the metrics that were given to `open`, such as
 * `wallets.my_metric`.
 */
export class Swapfold<Own extends string = never> {
  readonly config: Config;
  readonly tokens: Api<Own>['tokens'] & {
    /** Adds or changes rows of the token registry, in one transaction; rows at fault are rejected one by one. The profiles follow at the next refresh. */
    readonly upsert: (rows: readonly TokenInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly wallets: Api<Own>['wallets'] & {
    /** Adds or changes rows of the wallet registry, as of tokens. */
    readonly upsert: (rows: readonly WalletInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly swaps: Api['swaps'];
  readonly trades: Api['trades'];
  readonly prices: Api['prices'];
  readonly portfolios: Api['portfolios'];

  /** Adapters that were given to a store, and whether it has closed them. */
  static readonly #used = new WeakMap<StorageAdapter, 'open' | 'closed'>();
  readonly #store: StoreSession;
  readonly #ownMetrics: readonly Metric[];
  readonly #shard: Shard | undefined;
  #isClosing = false;
  /** The ends of the ingests of lists that run. */
  readonly #lists = new Set<Promise<unknown>>();

  private constructor(config: Config, { storage, memory: kept = {}, shard }: OpenOptions, metrics: readonly Metric[]) {
    this.config = config;
    this.#shard = shard === undefined ? undefined : validShard(shard);
    this.#ownMetrics = metrics;
    this.#store = new StoreSession({ config, storage, metrics: allMetrics(metrics), shard: this.#shard }, kept);
    const api = apiOver<Own>((name, request, options) => this.call(name, request, options));
    this.tokens = { ...api.tokens, upsert: (rows, options) => this.#upsert('tokens', rows, options) };
    this.wallets = { ...api.wallets, upsert: (rows, options) => this.#upsert('wallets', rows, options) };
    this.swaps = api.swaps;
    this.trades = api.trades;
    this.prices = api.prices;
    this.portfolios = api.portfolios;
  }

  /**
   * Opens a store, or creates it. A store that matches what it is opened with is not written to.
   *
   * - Errors: `invalid-config`; `newer-schema`, `foreign-store`, `linked-store`, `store-mismatch`; `store-locked`, `read-only`, `disk-full`,
   *   `too-many-files`, `store-damaged`, `store-failed`; with `onMismatch: 'refold'` also `metric-failed`; `closed` for an adapter whose store
   *   was closed; `aborted`. What failed has changed nothing.
   */
  static async open<const Metrics extends readonly Metric[] = readonly []>(
    options: OpenOptions<Metrics>,
  ): Promise<Swapfold<OwnMetric<Metrics[number]>>> {
    checkOpenOptions(options);
    const config = parseConfig(options.config);
    type Opened = Swapfold<OwnMetric<Metrics[number]>>;
    let dex: Opened = new Swapfold(config, options, options.metrics ?? []);
    const fault = dex.#ruleFault();
    // Metrics that the store remembers may be what the rules ask for.
    if (fault !== undefined && options.metrics !== undefined) throw fault;
    const used = Swapfold.#used.get(options.storage);
    if (used === 'open')
      throw new SwapfoldError(
        'store-locked',
        'This storage adapter is open already; make another, or use the store that has it.',
      );
    if (used === 'closed')
      throw new SwapfoldError(
        'closed',
        'This storage adapter was closed with its store; make another, such as sqlite(path).',
      );
    Swapfold.#used.set(options.storage, 'open');
    try {
      const found = await findStore(options.storage);
      const remembered = options.metrics === undefined ? rememberedMetrics(found) : [];
      if (remembered.length > 0) dex = new Swapfold(config, options, remembered);
      const lasting = remembered.length > 0 ? dex.#ruleFault() : fault;
      if (lasting !== undefined) throw lasting;
      await dex.#openStore(found, options);
    } catch (error) {
      Swapfold.#used.set(options.storage, 'closed');
      await options.storage.close();
      throw error;
    }
    return dex;
  }

  async #openStore(found: Partial<Meta>, options: OpenOptions): Promise<void> {
    const session = this.#store;
    const { onMismatch = 'refuse', signal, onProgress, onSwaps } = options;
    await openStore(options.storage, {
      found,
      shapes: session.shapes,
      folding: session.folding,
      onMismatch,
      signal,
      async fold(writer, refold) {
        await session.begin(writer);
        if (refold === 'all') await rebuildStore(session, writer, { onProgress, onSwaps });
        // Without a refresh there were none.
        else if (refold === 'profiles' && found.profiles_as_of !== undefined)
          await refreshStore(session, writer, { onProgress }, true);
      },
    });
    await session.start();
  }

  /** A label rule that is at fault. */
  #ruleFault(): SwapfoldError | undefined {
    const { config } = this;
    const rules = labelRulesOf(config);
    try {
      for (const kind of ['tokens', 'wallets'] as const)
        compileRules(kind, rules[kind], { config, shapes: this.#store.shapes, asOf: 0 });
      return undefined;
    } catch (error) {
      if (error instanceof SwapfoldError) return error;
      throw error;
    }
  }

  /** Metrics of this store, built-in and the embedder's; of those that it remembers without their functions, `isStoredOnly` is true. */
  get metrics(): readonly Metric[] {
    return this.#store.metrics;
  }

  /**
   * Stores swaps and folds what follows from them; profiles follow at the next `refresh`.
   *
   * - Input: an array of swaps or one column batch, written in one transaction; or an iterable or async iterable of swaps, arrays or column batches, written batch by batch.
   * - Any order: a late swap finds its place and what it touches is folded again. A known swap changes nothing.
   * - Shape: counts of added, duplicate, conflicting and rejected swaps, the latter with row, field and reason; fields that no swap has.
   * - Errors: `invalid-input` for what is no list of swaps; rows at fault are rejected one by one, the others stored. `aborted` undoes the
   *   batch that is being written; batches written before stay. `source-failed` if the iterable throws, with that as `cause`. `closed` if the
   *   store is closed between two batches of an iterable. `store-taken`, `disk-full`, `store-failed`. Each has `result`: what was stored before.
   */
  async ingest(source: SwapSource, options: IngestOptions = {}): Promise<IngestResult> {
    this.#refuseWhenClosed();
    checkIngestOptions(options);
    const work = ingestAll(this.#store, source, { ...options, shard: this.#shard });
    // A list is a call that runs; a source that goes on is one that ends between two batches.
    if (!Array.isArray(source) && !('columns' in Object(source))) return work;
    const isOver: Promise<unknown> = work.then(
      () => this.#lists.delete(isOver),
      () => this.#lists.delete(isOver),
    );
    this.#lists.add(isOver);
    return work;
  }

  /**
   * Brings the stored profiles up to date: folds the entities that changed, and those that time has changed.
   *
   * - Errors: `invalid-input` for an unknown scope; `metric-failed` if the function of a metric throws, `store-mismatch` if the store remembers
   *   metrics without their functions; with `workers` those of the workers, and `unsupported-by-engine` where the store cannot be opened a
   *   second time; `store-taken`, `disk-full`, `store-failed`; `aborted`. What failed has changed nothing.
   */
  async refresh(call: RefreshCall = {}): Promise<RefreshResult> {
    this.#refuseWhenClosed();
    checkCall.refresh(call);
    const { result } = await this.#store.write(
      { signal: call.signal, changes: newChanges() },
      (writer) => refreshStore(this.#store, writer, call),
      (refreshed) => noteRefreshed(this.#store, refreshed),
    );
    return result;
  }

  /**
   * Folds a shard of the profiles for a refresh of another handle of this store, which stores them: see `RefreshCall.workers`.
   *
   * - Errors: `unsupported-by-engine` where the store cannot be opened beside its writer; `store-failed` where this handle does not see the
   *   state that the refresh began with; `aborted`.
   *
   * @example
   * const worker = await Swapfold.open({ storage: sqlite({ path: 'dex.db', read_only: true }) });
   * await dex.refresh({ workers: [worker] });
   */
  fold(task: FoldTask, { signal }: CallOptions = {}): AsyncIterable<FoldMessage> {
    this.#refuseWhenClosed();
    checkSignal(signal);
    return foldShard(this.#store, task, signal);
  }

  /**
   * Folds everything again from the stored swaps, profiles included. The result is what was there, or ought to have been.
   *
   * - Errors: those of `refresh`, but for workers.
   */
  async rebuild(call: RebuildCall = {}): Promise<{ swaps: number } & RefreshResult> {
    this.#refuseWhenClosed();
    checkCall.rebuild(call);
    const { swaps, result } = await this.#store.write(
      { signal: call.signal, changes: everything() },
      (writer) => rebuildStore(this.#store, writer, call),
      (rebuilt) => noteRefreshed(this.#store, rebuilt),
    );
    return { swaps, ...result };
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
    checkCall.rollback(call);
    const { result } = await this.#store.write(
      { signal: call.signal, changes: everything() },
      async (writer) => {
        const context = this.#store.applyContext();
        return { state: context.state, result: await rollbackSwaps(writer, context, call.from_block_slot) };
      },
      ({ state }) => ({ ingest: state }),
    );
    return result;
  }

  /**
   * Puts the stores of all shards of a market together in this one, which is empty: it then is what all swaps at once would have made it.
   * Profiles follow at the next `refresh`.
   *
   * - `stores`: opened with `shard`, each shard once, in any task.
   * - Errors: `invalid-input` where shards are missing or twice, or this store is not empty; `store-mismatch` where their configuration differs.
   */
  async merge(stores: readonly Swapfold[], call: MergeCall = {}): Promise<{ readonly swaps: number }> {
    checkCall.merge(call);
    if (!stores.every((store) => store instanceof Swapfold))
      throw new SwapfoldError('invalid-input', 'Give the open stores of all parts, each from Swapfold.open.');
    const shards = checkShards(stores.map((store) => store.#shard));
    if (this.#shard !== undefined || this.#store.state.lastTime !== null)
      throw new SwapfoldError('invalid-input', 'Parts are merged into a store that is empty and of no part itself.');
    for (const store of stores) checkSameFolding(this.config, store.config);
    const swaps = await readingAll(
      stores.map((store) => store.#store.storage),
      (readers) =>
        this.#store.write({ signal: call.signal, changes: everything() }, (writer) => {
          const sources = readers.map((reader, i) => ({
            reader: untilAborted(reader, call.signal),
            shard: shards[i]!,
          }));
          return mergeShards(writer, sources, { dictionary: this.#store.dictionary, onProgress: call.onSwaps });
        }),
    );
    await this.#store.reload();
    return { swaps };
  }

  /**
   * Makes this empty store what another one is, of any engine: swaps, what was derived of them, registries and profiles, row by row.
   *
   * - Shape: `swaps`, how many the store has then; `rows`, those of all its tables.
   * - Errors: `invalid-input` where this store is not empty; `store-mismatch` where the other's configuration or metrics differ.
   */
  async copyFrom(source: Swapfold, call: CopyCall = {}): Promise<{ readonly swaps: number; readonly rows: number }> {
    checkCall.copyFrom(call);
    if (this.#store.state.lastTime !== null)
      throw new SwapfoldError('invalid-input', 'A store is copied into an empty one.');
    if (this.#shard?.index !== source.#shard?.index || this.#shard?.of !== source.#shard?.of)
      throw new SwapfoldError('invalid-input', 'A store is copied into one of the same part of the wallets.');
    checkSameFolding(this.config, source.config);
    checkSameProfiles(source.#store.folding, this.#store.folding);
    const tables = [...fixedTables, this.#store.shapes.tokens.table, this.#store.shapes.wallets.table];
    const copied = await readingAll([source.#store.storage], ([reader]) =>
      this.#store.write({ signal: call.signal, changes: everything() }, async (writer) => {
        if (!(await hasNoRegistry(writer)))
          throw new SwapfoldError('invalid-input', 'A store is copied into an empty one; this one has a registry.');
        const from = untilAborted(reader!, call.signal);
        const rows = await copyTables(from, writer, { tables, onProgress: call.onRows });
        return { rows, swaps: await writer.count(swapsTable) };
      }),
    );
    await this.#store.reload();
    return copied;
  }

  /**
   * Answers an operation by name, `prices.candles` or `get-price-candles`: what HTTP serves.
   *
   * - Errors: those of the operation, `not-found` for an unknown name.
   */
  async call(name: string, body: unknown, options: QueryOptions = {}): Promise<unknown> {
    this.#refuseWhenClosed();
    const operation = findOperation(name);
    checkSignal(options.signal);
    throwIfAborted(options.signal);
    const noticing = this.#store.reloadIfChanged();
    if (noticing !== undefined) await noticing;
    const answer = this.#store.answer((context) => operation.run(context, body), options, operation.cost);
    return await orAborted(options.signal, answer);
  }

  /**
   * The same questions at another instant: answers as if no later swap had been ingested. Registries have no history, so names, supplies and
   * holders that the registry gives are today's. Profiles are folded for it one by one;
   * `search` is over stored profiles, so it answers only at their own as-of time (`refresh({ asOf })`).
   */
  at(asOf: TimeInput): Api<Own> {
    return apiOver<Own>((name, request, options) => this.call(name, request, { ...options, asOf }));
  }

  /**
   * Looks for damage, then derives everything anew in memory from the stored swaps and compares it with the store, value by value; but for
   * metrics that the store remembers without their functions (`notCompared`).
   *
   * - Damage: the engine's own check of its file, and on SQLite the checksums of rows. If what the store was given is damaged, nothing else is compared.
   * - Errors: `store-damaged` if the store cannot be read.
   */
  async verify(call: CallOptions = {}): Promise<Verification> {
    this.#refuseWhenClosed();
    checkCall.verify(call);
    const { signal } = call;
    const storage = memory();
    const notCompared = columnsOfStoredOnly(this.#ownMetrics, labelRulesOf(this.config));
    const metrics = this.#ownMetrics.map((metric) => (metric.isStoredOnly ? withoutMark(metric) : metric));
    const other = await Swapfold.open({ storage, config: this.config, metrics });
    try {
      return await this.#store.storage.snapshot(async (stored) => {
        const reader = untilAborted(stored, signal);
        const { shapes } = this.#store;
        const tables = [...fixedTables, shapes.tokens.table, shapes.wallets.table];
        const report = await reader.findDamage?.(tables);
        const damage = report && damageOf(report, await reader.count(swapsTable));
        if (report && damage && isGivenDamaged(report)) return damage;
        await storage.write(async (writer) => {
          await copyGiven(reader, writer);
          other.#store.dictionary.clear();
          await other.#store.begin(writer);
        });
        const { profilesAsOf } = await this.#store.rememberedOf(reader);
        await other.rebuild({ asOf: profilesAsOf ?? undefined, signal });
        const compared = await storage.snapshot((expected) =>
          compareStores(reader, expected, shapes, profilesAsOf ?? 0, notCompared),
        );
        return damage === undefined ? compared : withDamage(compared, damage);
      });
    } finally {
      await other.close();
    }
  }

  /**
   * Writes a copy of the store, as it is at one commit, into a new file of the same engine, beside running questions and writes. The copy
   * is a store: open it, or put it in the place of one that is lost.
   *
   * - Shape: the absolute path and the bytes of the copy.
   * - Errors: `invalid-input` if something stands at `path` or its folder is missing; `unsupported-by-engine` on memory and ClickHouse;
   *   `disk-full`, `read-only`, `store-failed`; `aborted`. A copy that failed leaves no file.
   */
  async backup(path: string, call: CallOptions = {}): Promise<BackupResult> {
    this.#refuseWhenClosed();
    checkCall.backup(call);
    return backupStore(this.#store.storage, path, call.signal);
  }

  /** Waits for what is running and closes the store. Closing again does nothing. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await Promise.all(this.#lists);
      await this.#store.storage.close();
      Swapfold.#used.set(this.#store.storage, 'closed');
      this.#store.kept.clear();
    } catch (error) {
      // Refused inside a running write: the store stays open.
      if (error instanceof SwapfoldError && error.code === 'nested-call') this.#isClosing = false;
      throw error;
    }
  }

  #refuseWhenClosed(): void {
    if (this.#isClosing) throw new SwapfoldError('closed', 'The store is closed; open it again to use it.');
  }

  async #upsert(kind: ProfileKind, rows: readonly unknown[], call: CallOptions = {}): Promise<UpsertResult> {
    this.#refuseWhenClosed();
    checkCall.upsert(call);
    if (!Array.isArray(rows))
      throw new SwapfoldError('invalid-input', `Expected an array of ${kind}, received ${typeof rows}.`);
    const changes = { ...newChanges(), hasRegistryChanged: true };
    return this.#store.write({ signal: call.signal, changes }, (writer) =>
      upsertRegistry(writer, this.#store.dictionary, this.config, kind, rows),
    );
  }
}

/** A stand-in that is folded, to `null`. */
function withoutMark({ isStoredOnly, ...metric }: Metric): Metric {
  return metric;
}
