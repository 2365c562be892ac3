import type { InputBatch, InputItem } from '../ingest/batches.ts';
import { leaveOutRepeated } from '../ingest/bulk/left-out.ts';
import { LoadTexts } from '../ingest/bulk/load-texts.ts';
import { isSwapFile, parquetSwaps, type SwapFile } from '../ingest/bulk/parquet.ts';
import { Placer } from '../ingest/bulk/place.ts';
import { stagedSwaps } from '../ingest/bulk/stage.ts';
import { type FoldedWallets, WalletFold } from '../ingest/bulk/wallet-fold.ts';
import { fullSecond } from '../ingest/chain-keys.ts';
import { everything, fromTheStart, markDirty } from '../ingest/changes.ts';
import type { TextKind } from '../ingest/field-rules.ts';
import { poolSwapsOf } from '../ingest/pool-swaps.ts';
import type { Conflict, IngestResult } from '../ingest/result.ts';
import { type Roles, rolesOf } from '../ledger/roles.ts';
import { MAX_SWAPS_A_SECOND } from '../records/chain-order.ts';
import type { Table } from '../records/columns.ts';
import {
  balancesTable,
  fixedTables,
  lotsTable,
  nativePricesTable,
  poolSwapsTable,
  swapsTable,
  tradePoolsTable,
  tradesTable,
  transactionsTable,
} from '../records/tables.ts';
import { orAborted, throwIfAborted } from '../storage/abortable.ts';
import type { WritableLoad } from '../storage/adapter.ts';
import type { IngestOptions } from '../swapfold-options.ts';
import { checkInput } from './check-input.ts';
import { noteConflict, noteReject, noteUnknownFields } from './ingest-result.ts';
import type { StoreSession } from './session.ts';

/** Swaps, and what follows from them. */
const filledTables: readonly Table[] = fixedTables.filter(
  (table: Table) => table.rederived || table === (swapsTable as Table) || table === (transactionsTable as Table),
);

/**
 * Stores all swaps of a source in one step, deriving everything in one pass; false, and nothing read, if that is not asked for, the engine
 * has no load, or the store has swaps. A source that fails leaves what came before stored.
 */
export async function loadSwaps(
  session: StoreSession,
  items: AsyncIterable<InputItem>,
  result: IngestResult,
  options: IngestOptions,
): Promise<boolean> {
  const { storage } = session;
  if (options.bulk !== true || storage.load === undefined) return false;
  throwIfAborted(options.signal);
  let failure: unknown;
  const isLoaded = await storage.load(filledTables, async (load) => {
    const texts = await storage.snapshot(async (reader) =>
      (await reader.max(swapsTable, 'seq')) === null ? LoadTexts.open(reader) : undefined,
    );
    if (texts === undefined) return false;
    const loading = new Loading(session, { load, texts, result, options });
    failure = await loading.stageAll(items);
    if (loading.staged > 0) await loading.derive();
    return true;
  });
  if (isLoaded) await session.start();
  if (failure !== undefined) throw failure;
  return isLoaded;
}

interface LoadParts {
  readonly load: WritableLoad;
  readonly texts: LoadTexts;
  readonly result: IngestResult;
  readonly options: IngestOptions;
}

class Loading {
  staged = 0;
  readonly #session: StoreSession;
  readonly #load: WritableLoad;
  readonly #texts: LoadTexts;
  readonly #result: IngestResult;
  readonly #options: IngestOptions;
  readonly #roles: Roles;
  /** Rows of the input so far. */
  #rows = 0;

  constructor(session: StoreSession, { load, texts, result, options }: LoadParts) {
    this.#session = session;
    this.#load = load;
    this.#texts = texts;
    this.#result = result;
    this.#options = options;
    this.#roles = rolesOf(session.config.quote_tokens, (address) => texts.idOf(address));
  }

  /** Stages the swaps of all items. Gives what the source failed with, if it did. */
  async stageAll(items: AsyncIterable<InputItem>): Promise<unknown> {
    const { signal } = this.#options;
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await orAborted(signal, iterator.next()).then(
          (step) => ({ step }),
          (error: unknown) => ({ error }),
        );
        if ('error' in next) {
          throwIfAborted(signal);
          return next.error;
        }
        if (next.step.done) return undefined;
        const item = next.step.value;
        if (!isSwapFile(item)) await this.#stage(item);
        else if (!(await this.#stageFile(item))) {
          const failure = await this.stageAll(item.batches());
          if (failure !== undefined) return failure;
        }
      }
    } finally {
      const ended = iterator.return?.(undefined).catch(() => undefined);
      if (!signal?.aborted) await ended;
    }
  }

  /** Has the engine read a file; false if it cannot, or a row of it may be at fault. */
  async #stageFile(file: SwapFile): Promise<boolean> {
    const { config, shard } = this.#session;
    if (this.#load.stageParquet === undefined || shard !== undefined || this.#options.maxAhead !== undefined)
      return false;
    const rows = await this.#load.stageParquet(parquetSwaps(file, config, this.#rows), (kind, texts) =>
      this.#texts.idsOfGiven(kind as TextKind, texts, config.address_format),
    );
    if (rows === undefined) return false;
    this.#rows += rows;
    this.staged += rows;
    return true;
  }

  async #stage(batch: InputBatch): Promise<void> {
    const input = { batch, firstRow: this.#rows, maxAhead: this.#options.maxAhead };
    const { swaps, unknown } = await checkInput(this.#session, input, (reject) => {
      noteReject(this.#result, reject);
      this.#options.onReject?.(reject);
    });
    noteUnknownFields(this.#result, unknown);
    await this.#load.stage(stagedSwaps(swaps, this.#texts));
    this.#rows += batch.length;
    this.staged += swaps.swaps.length;
  }

  /** Stores what is staged, with everything that follows from it. */
  async derive(): Promise<void> {
    const load = this.#load;
    const { signal } = this.#options;
    const { dust_usd: dustUsd } = this.#session.config;
    const { duplicate, conflicts } = await leaveOutRepeated(load);
    await this.#leaveOutOverfull();
    const placer = new Placer(this.#roles, dustUsd);
    await load.place((swaps) => {
      throwIfAborted(signal);
      return placer.placesOf(swaps);
    });
    await load.append(nativePricesTable, placer.nativePrices());
    const reshaping = load.reshape(dustUsd);
    reshaping.catch(() => undefined);
    const touched = await this.#fold(placer).finally(() => reshaping.catch(() => undefined));
    await reshaping;
    await load.settle();
    await this.#session.write({ signal, changes: everything(), storage: load }, async (writer) => {
      await this.#texts.write(writer);
      await markDirty(writer, 'tokens', fromTheStart(touched.tokens));
      await markDirty(writer, 'wallets', fromTheStart(touched.wallets));
    });
    this.#result.added += placer.swaps;
    this.#result.duplicate += duplicate;
    for (const conflict of conflicts) this.#noteConflict(conflict);
  }

  #noteConflict(conflict: Conflict): void {
    noteConflict(this.#result, conflict);
    this.#options.onConflict?.(conflict);
  }

  async #leaveOutOverfull(): Promise<void> {
    const { columns: c, length } = await this.#load.overfull(MAX_SWAPS_A_SECOND);
    if (length === 0) return;
    await this.#load.leaveOut(c.row);
    for (let i = 0; i < length; i++) {
      const reject = { row: c.row[i]!, field: 'block_time', reason: fullSecond(c.block_time[i]!) };
      noteReject(this.#result, reject);
      this.#options.onReject?.(reject);
    }
  }

  /** Folds the wallets, and gives the ids of all wallets and tokens. */
  async #fold({ prints }: Placer): Promise<{ readonly wallets: Set<number>; readonly tokens: Set<number> }> {
    const load = this.#load;
    const { signal, onSwaps } = this.#options;
    const options = {
      roles: this.#roles,
      dustUsd: this.#session.config.dust_usd,
      textOf: (id: number) => this.#texts.textOf(id),
      nativePrints: prints,
      texts: this.#texts.length,
    };
    const fold = new WalletFold(options);
    const touched = { wallets: new Set<number>(), tokens: new Set<number>() };
    let done = 0;
    const append = async ({ trades, tradePools, lots, balances }: FoldedWallets): Promise<void> => {
      await load.append(tradesTable, trades);
      await load.append(tradePoolsTable, tradePools);
      await load.append(lotsTable, lots);
      await load.append(balancesTable, balances);
    };
    for await (const swaps of load.byWallet()) {
      throwIfAborted(signal);
      const { wallet, token_in: given, token_out: received } = swaps.columns;
      for (let row = 0; row < swaps.length; row++) {
        if (row === 0 || wallet[row] !== wallet[row - 1]) touched.wallets.add(wallet[row]!);
        touched.tokens.add(given[row]!);
        touched.tokens.add(received[row]!);
      }
      await load.append(poolSwapsTable, poolSwapsOf(swaps, options));
      await append(await fold.add(swaps));
      done += swaps.length;
      onSwaps?.(done);
    }
    await append(await fold.end());
    return touched;
  }
}
