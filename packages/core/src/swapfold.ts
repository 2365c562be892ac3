import { type AnswerOf, type Api, apiOver, type QueryOptions, type RequestOf } from './api/api.ts';
import { findRunnable } from './api/operations.ts';
import { type ItemOf, type PagedName, pagesOver } from './api/pages.ts';
import type { Config } from './config.ts';
import { SwapfoldError } from './errors.ts';
import type { SwapSource, TransferSource } from './ingest/batches.ts';
import type { IngestResult, RollbackResult, TransfersResult } from './ingest-result.ts';
import type { Metric } from './metrics/metric.ts';
import type { OwnMetric } from './metrics/names.ts';
import type { Page } from './queries/swaps.ts';
import type { EntityKind } from './records/profile-fields.ts';
import type { RefreshResult } from './refresh/write.ts';
import type { PricesResult } from './registry/price-warnings.ts';
import type { PriceInput } from './registry/reference-prices.ts';
import type { TokenInput, UpsertResult, WalletInput } from './registry/registry.ts';
import { type CallOptions, checkSignal, orAborted, throwIfAborted } from './storage/abortable.ts';
import { type BackupResult, backupStore, copyStore } from './store/maintain/copy.ts';
import { type Exports, exportsOf } from './store/maintain/export-store.ts';
import { type Verification, verifyStore } from './store/maintain/verify.ts';
import { type Informing, informingOf } from './store/open/info.ts';
import { closeSession, openSession } from './store/open/open-session.ts';
import type { StoreSession } from './store/open/session.ts';
import { type Following, followingOf } from './store/watch/follow.ts';
import { type Subscriptions, subscriptionsOf } from './store/watch/subscribe.ts';
import { ingestAll } from './store/write/ingest-store.ts';
import { checkTransferOptions, ingestTransfers, type TransferIngestOptions } from './store/write/ingest-transfers.ts';
import { checkIngestOptions, type IngestOptions } from './store/write/intake.ts';
import { type PruneResult, pruneStore } from './store/write/prune.ts';
import { rebuildStore, refreshStore } from './store/write/refresh-store.ts';
import { rollbackStore } from './store/write/rollback.ts';
import { upsertPrices, upsertRows } from './store/write/upsert.ts';
import {
  type CopyOptions,
  checkCall,
  checkOpenOptions,
  type OpenOptions,
  type PruneOptions,
  type RebuildOptions,
  type RefreshOptions,
  type RollbackOptions,
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
export class Swapfold<Own extends string = never> implements Api<Own> {
  readonly config: Config;
  readonly tokens: Api<Own>['tokens'] & {
    /** Adds or changes rows of the token registry, in one transaction; rows at fault are rejected one by one. The profiles follow at the next refresh. */
    readonly upsert: (rows: readonly TokenInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly wallets: Api<Own>['wallets'] & {
    /** Adds or changes rows of the wallet registry, as of tokens. */
    readonly upsert: (rows: readonly WalletInput[], options?: CallOptions) => Promise<UpsertResult>;
  };
  readonly positions: Api<Own>['positions'];
  readonly swaps: Api['swaps'];
  readonly trades: Api['trades'];
  readonly prices: Api['prices'] & {
    /**
     * Adds, changes or removes prices of quote tokens from outside, in one transaction, and derives again what depends on them, in any order of
     * arrival of prices and swaps. Rows at fault are rejected one by one. The profiles follow at the next refresh.
     */
    readonly upsert: (rows: readonly PriceInput[], options?: CallOptions) => Promise<PricesResult>;
  };
  readonly transfers: Api['transfers'] & {
    /**
     * Stores transfers, in any order and in any order with swaps, as `ingest` stores swaps; profiles follow at the next `refresh`.
     *
     * - Input: an array of transfers or one column batch, written in one transaction; or an iterable of transfers, arrays or column batches,
     *   written batch by batch.
     * - A known transfer changes nothing; of one with other values the stored one stays. Another time, slot or index of its transaction is no
     *   other value: transfers stand where the swaps of their transaction do.
     * - Rows without `transfer_index` get one, made of token, wallets and amount, with which every other source of the transfer is the same.
     * - Errors: the errors of `ingest`.
     */
    readonly ingest: (source: TransferSource, options?: TransferIngestOptions) => Promise<TransfersResult>;
  };
  readonly portfolios: Api['portfolios'];
  readonly columns: Exports['columns'];
  readonly export: Exports['export'];
  readonly subscribe: Subscriptions['subscribe'];
  readonly stream: Subscriptions['stream'];
  readonly follow: Following['follow'];
  readonly sources: Following['sources'];
  readonly status: Following['status'];
  readonly keepFresh: Following['keepFresh'];
  readonly info: Informing['info'];

  readonly #store: StoreSession;
  #isClosing = false;
  readonly #closing = new AbortController();
  /** The ends of the ingests of lists that run. */
  readonly #lists = new Set<Promise<unknown>>();

  private constructor(store: StoreSession) {
    this.config = store.config;
    this.#store = store;
    const api = apiOver<Own>((name, request, options) => this.call(name, request, options));
    this.tokens = { ...api.tokens, upsert: (rows, options) => this.#upsert('tokens', rows, options) };
    this.wallets = { ...api.wallets, upsert: (rows, options) => this.#upsert('wallets', rows, options) };
    this.positions = api.positions;
    this.swaps = api.swaps;
    this.trades = api.trades;
    this.prices = { ...api.prices, upsert: (rows, options) => this.#upsertPrices(rows, options) };
    this.transfers = { ...api.transfers, ingest: (source, options) => this.#ingestTransfers(source, options) };
    this.portfolios = api.portfolios;
    const refuse = (): void => this.#refuseWhenClosed();
    ({ columns: this.columns, export: this.export } = exportsOf(store, refuse));
    ({ subscribe: this.subscribe, stream: this.stream } = subscriptionsOf(store, refuse));
    this.info = informingOf(store, refuse).info;
    const { follow, sources, status, keepFresh } = followingOf(store, refuse, this.#closing.signal);
    [this.follow, this.sources, this.status, this.keepFresh] = [follow, sources, status, keepFresh];
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
    return new Swapfold(await openSession(options));
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
    return this.#listed(source, ingestAll(this.#store, source, options));
  }

  async #ingestTransfers(source: TransferSource, options: TransferIngestOptions = {}): Promise<TransfersResult> {
    this.#refuseWhenClosed();
    checkTransferOptions(options);
    return this.#listed(source, ingestTransfers(this.#store, source, options));
  }

  /** Notes an ingest that `close` waits for. */
  #listed<R>(source: unknown, work: Promise<R>): Promise<R> {
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
   * - Errors: `invalid-input` for an unknown scope. `metric-failed` if the function of a metric throws. `store-mismatch` if the store remembers
   *   metrics without their functions. `store-taken`, `disk-full`, `store-failed`, `aborted`. What failed has changed nothing.
   */
  async refresh(call: RefreshOptions = {}): Promise<RefreshResult> {
    this.#begin('refresh', call);
    return refreshStore(this.#store, call);
  }

  /**
   * Folds everything again from the stored swaps, profiles included. The result is what was there, or ought to have been.
   * - Errors: the errors of `refresh`.
   */
  async rebuild(call: RebuildOptions = {}): Promise<{ swaps: number } & RefreshResult> {
    this.#begin('rebuild', call);
    return rebuildStore(this.#store, call);
  }

  /**
   * Takes back what a reorganisation of the chain has undone: removes the swaps of a block slot and of all later ones, and folds again
   * what they touched. The store is then as if it had never had them; the swaps of the new branch can be ingested. Profiles follow at
   * the next `refresh`.
   *
   * - Errors: `invalid-input` where swaps without a `block_slot` could belong to what is to be removed; then nothing is.
   */
  async rollback(call: RollbackOptions): Promise<RollbackResult> {
    this.#begin('rollback', call);
    return rollbackStore(this.#store, call);
  }

  /**
   * Forgets the swaps before a day, oldest first, and keeps where everything stood then: later answers equal the answers of a store that has
   * forgotten nothing. Small transactions, between which other writes have their turn; a prune that is aborted, or whose process dies, has
   * forgotten a part, and the next one goes on.
   *
   * - Shape: `horizon`, where the store begins now, Unix seconds; `swaps`, how many were forgotten.
   * - What reaches behind the horizon is `null`, or fails with `behind-horizon`; lists end there.
   * - Errors: `invalid-input` unless 31 days up to the newest swap are kept; `store-taken`, `disk-full`, `store-failed`, `aborted`.
   */
  async prune(call: PruneOptions): Promise<PruneResult> {
    this.#begin('prune', call);
    return pruneStore(this.#store, call);
  }

  /**
   * Makes this empty store what another one is, of any engine: swaps, what was derived of them, registries and profiles, row by row.
   * - Shape: `swaps`, how many the store has then; `rows`, the rows of all its tables.
   * - Errors: `invalid-input` where this store is not empty; `store-mismatch` where the other's configuration or metrics differ.
   */
  async copyFrom(source: Swapfold, call: CopyOptions = {}): Promise<{ readonly swaps: number; readonly rows: number }> {
    checkCall.copyFrom(call);
    return copyStore(this.#store, source.#store, call);
  }

  /**
   * Answers an operation by name, `prices.candles` or `get-price-candles`: what HTTP serves. The types of request and answer follow from a
   * name of the first kind.
   *
   * - Errors: the errors of the operation, `not-found` for an unknown name.
   */
  async call<Name extends string>(
    name: Name,
    request?: RequestOf<Name, Own>,
    options: QueryOptions = {},
  ): Promise<AnswerOf<Name, Own>> {
    this.#refuseWhenClosed();
    const operation = findRunnable(name);
    checkSignal(options.signal);
    throwIfAborted(options.signal);
    const noticing = this.#store.reloadIfChanged();
    if (noticing !== undefined) await noticing;
    const answer = this.#store.answer((context) => operation.run(context, request), options, operation.cost);
    return (await orAborted(options.signal, answer)) as AnswerOf<Name, Own>;
  }

  /**
   * The pages of a list or search, one after the other, from the cursor of the request or the first one on.
   *
   * - Shape: each page as `call` answers it; the next one is asked for when it is wanted.
   * - Errors: as `call`, from the page that is asked for.
   */
  pages<Name extends PagedName>(
    name: Name,
    request?: RequestOf<Name, Own>,
    options?: QueryOptions,
  ): AsyncGenerator<AnswerOf<Name, Own>, void, undefined> {
    const ask = (after: { readonly cursor?: string }): Promise<unknown> =>
      this.call(name as string, { ...(request as object | undefined), ...after }, options);
    return pagesOver(ask as (after: object) => Promise<AnswerOf<Name, Own> & Page<unknown>>);
  }

  /** The items of all pages, as of `pages`. */
  async *items<Name extends PagedName>(
    name: Name,
    request?: RequestOf<Name, Own>,
    options?: QueryOptions,
  ): AsyncGenerator<ItemOf<Name, Own>, void, undefined> {
    for await (const page of this.pages(name, request, options))
      yield* (page as Page<unknown>).data as readonly ItemOf<Name, Own>[];
  }

  /**
   * The same questions at another instant: answers as if no later swap had been ingested. Registries have no history, so names, supplies and
   * holders that the registry gives are today's. Profiles are folded one by one; `search` answers only at the stored ones' as-of time.
   */
  at(asOf: TimeInput): Api<Own> {
    return apiOver<Own>((name, request, options) => this.call(name, request, { ...options, asOf }));
  }

  /**
   * Looks for damage, then derives everything anew in memory from the stored swaps and compares it with the store, value by value; but for
   * metrics that the store remembers without their functions (`not_compared`).
   *
   * - Damage: the engine's own check of its file, and on SQLite the checksums of rows. If what the store was given is damaged, nothing else is compared.
   * - Errors: `store-damaged` if the store cannot be read.
   */
  async verify(call: CallOptions = {}): Promise<Verification> {
    this.#begin('verify', call);
    return verifyStore(this.#store, call.signal);
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
    this.#begin('backup', call);
    return backupStore(this.#store.storage, path, call.signal);
  }

  /** Waits for what is running and closes the store. Closing again does nothing. `await using dex = ...` closes it at the end of its block. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await Promise.all(this.#lists);
      await closeSession(this.#store);
    } catch (error) {
      // Refused inside a running write: the store stays open.
      if (error instanceof SwapfoldError && error.code === 'nested-call') this.#isClosing = false;
      throw error;
    } finally {
      if (this.#isClosing) this.#closing.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Before a call. Errors: `closed`; `invalid-input` for an option that does not exist. */
  #begin<Name extends keyof typeof checkCall>(name: Name, call: Parameters<(typeof checkCall)[Name]>[0]): void {
    this.#refuseWhenClosed();
    checkCall[name](call as never);
  }

  #refuseWhenClosed(): void {
    if (this.#isClosing) throw new SwapfoldError('closed', 'The store is closed; open it again to use it.');
  }

  async #upsertPrices(rows: readonly unknown[], call: CallOptions = {}): Promise<PricesResult> {
    this.#begin('upsert', call);
    return upsertPrices(this.#store, rows, call);
  }

  async #upsert(kind: EntityKind, rows: readonly unknown[], call: CallOptions = {}): Promise<UpsertResult> {
    this.#begin('upsert', call);
    return upsertRows(this.#store, kind, rows, call);
  }
}
