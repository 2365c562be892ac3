import { type InputBatch, type InputItem, isSwapFile, located, type SwapFile } from '../../ingest/batches.ts';
import { parquetSwaps } from '../../ingest/bulk/parquet.ts';
import { LoadTexts, leaveOutRepeated, Placer, placesOf, stagedSwaps } from '../../ingest/bulk/stage.ts';
import { fullSecond } from '../../ingest/chain-keys.ts';
import { everything } from '../../ingest/changes.ts';
import type { SwapColumns } from '../../ingest/columns.ts';
import type { TextKind } from '../../ingest/field-rules.ts';
import { readReferencePrices } from '../../ingest/reference-prices.ts';
import type { IngestResult } from '../../ingest-result.ts';
import { countAggregates } from '../../ledger/aggregates.ts';
import { type Roles, rolesOf } from '../../ledger/roles.ts';
import { MAX_SWAPS_A_SECOND } from '../../records/chain-order.ts';
import type { Table } from '../../records/columns.ts';
import { fixedTables, swapsTable, transactionsTable, transfersTable } from '../../records/tables.ts';
import { orAborted, throwIfAborted } from '../../storage/abortable.ts';
import type { Reader, WritableLoad } from '../../storage/adapter.ts';
import type { OrderedSwaps, Places, RowFile } from '../../storage/bulk.ts';
import type { StoreSession } from '../open/session.ts';
import {
  addCount,
  checkInput,
  type IngestOptions,
  noteConflict,
  noteLookedThrough,
  noteReject,
  noteUnknownFields,
} from './intake.ts';
import { CHUNK, Derivation } from './rebuild.ts';

/** Swaps, and what follows from them. */
const filledTables: readonly Table[] = fixedTables.filter(
  (table: Table) => table.rederived || table === (swapsTable as Table) || table === (transactionsTable as Table),
);

/**
 * Stores all swaps of a source in one step, deriving everything in one pass; false, and nothing read, if the engine has no load, or the
 * store has swaps, or transfers, which take places beside the swaps. A source that fails leaves what came before stored.
 */
export async function loadSwaps(
  session: StoreSession,
  items: AsyncIterable<InputItem>,
  result: IngestResult,
  options: IngestOptions,
): Promise<boolean> {
  const { storage } = session;
  if (storage.load === undefined) return false;
  throwIfAborted(options.signal);
  let failure: unknown;
  const isLoaded = await storage.load(filledTables, async (load) => {
    const texts = await storage.snapshot(async (reader) =>
      (await isEmpty(reader)) ? LoadTexts.open(reader) : undefined,
    );
    if (texts === undefined) return false;
    const loading = new Loading(session, { load, texts, result, options });
    failure = await loading.stageAll(items);
    if (loading.staged > 0) await loading.derive();
    failure ??= loading.thrown;
    return true;
  });
  if (failure !== undefined) throw failure;
  return isLoaded;
}

/** Whether the store has nothing that a load would have to fold with its swaps. */
async function isEmpty(reader: Reader): Promise<boolean> {
  if ((await reader.max(swapsTable, 'seq')) !== null) return false;
  return (await reader.read({ table: transfersTable, columns: ['transfer'], limit: 1 })).length === 0;
}

type RowOrigin = Pick<SwapFile, 'file' | 'numbers'>;

interface LoadParts {
  readonly load: WritableLoad;
  readonly texts: LoadTexts;
  readonly result: IngestResult;
  readonly options: IngestOptions;
}

class Loading {
  staged = 0;
  /** What a function of the caller's threw that hears of a row. */
  thrown: unknown;
  readonly #session: StoreSession;
  readonly #load: WritableLoad;
  readonly #texts: LoadTexts;
  readonly #result: IngestResult;
  readonly #options: IngestOptions;
  readonly #roles: Roles;
  /** Rows of the input so far. */
  #rows = 0;
  /** Where they are from, by the first of each batch that says so. */
  readonly #origins: (RowOrigin & { readonly first: number })[] = [];
  /** The files whose order is kept, and the name of the last one. */
  readonly #files: RowFile[] = [];
  #file: string | undefined;

  constructor(session: StoreSession, { load, texts, result, options }: LoadParts) {
    this.#session = session;
    this.#load = load;
    this.#texts = texts;
    this.#result = result;
    this.#options = options;
    this.#roles = rolesOf(session.config.quote_tokens, (address) => texts.idOf(address));
  }

  /** Stages the swaps of all items. Gives what the source failed with, if it did. */
  async stageAll(items: AsyncIterable<InputItem>, file?: string): Promise<unknown> {
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
        if (this.thrown !== undefined) return undefined;
        this.#beginFile(Array.isArray(item) ? file : ((item as SwapColumns | SwapFile).file ?? file));
        if (!isSwapFile(item)) await this.#stage(item);
        else if (!(await this.#stageFile(item))) {
          const failure = await this.stageAll(item.batches(), item.file);
          if (failure !== undefined) return failure;
        }
      }
    } finally {
      const ended = iterator.return?.(undefined).catch(() => undefined);
      if (!signal?.aborted) await ended;
    }
  }

  #beginFile(name: string | undefined): void {
    if (this.#files.length > 0 && name === this.#file) return;
    this.#files.push({ from: this.#rows, file: this.#files.length });
    this.#file = name;
  }

  /** Has the engine read a file; false if it cannot, or a row of it may be at fault. */
  async #stageFile(file: SwapFile): Promise<boolean> {
    const { config } = this.#session;
    if (this.#load.stageParquet === undefined || this.#options.maxAhead !== undefined) return false;
    // Which of the two a row lacks, the engine does not look at.
    if (file.columns.pool_amount_in !== undefined || file.columns.pool_amount_out !== undefined) return false;
    const staged = await this.#load.stageParquet(parquetSwaps(file, config, this.#rows), (kind, texts) =>
      this.#texts.idsOfGiven(kind as TextKind, texts, config),
    );
    if (staged === undefined) return false;
    this.#noteOrigin(file);
    this.#rows += staged.rows;
    this.staged += staged.rows;
    noteLookedThrough(this.#result, staged);
    return true;
  }

  async #stage(batch: InputBatch): Promise<void> {
    const input = { batch, firstRow: this.#rows, maxAhead: this.#options.maxAhead };
    const checked = await checkInput(this.#session, input, (rejected) => {
      const reject = located(rejected, batch, input.firstRow);
      noteReject(this.#result, reject);
      this.#tell(this.#options.onReject, reject);
    });
    const { swaps } = checked;
    noteLookedThrough(this.#result, checked);
    noteUnknownFields(this.#result, checked.unknown);
    await this.#load.stage(stagedSwaps(swaps, this.#texts));
    this.#noteOrigin(batch);
    this.#rows += batch.length;
    this.staged += swaps.swaps.length;
  }

  /** Stores what is staged, with everything that follows from it. */
  async derive(): Promise<void> {
    const load = this.#load;
    const { signal } = this.#options;
    const { config } = this.#session;
    const { duplicate, conflicts } = await leaveOutRepeated(load);
    await this.#leaveOutOverfull();
    const scope = { roles: this.#roles, maxAge: config.reference_max_age };
    const derivation = new Derivation(load, {
      config,
      roles: this.#roles,
      references: await this.#session.storage.snapshot((reader) => readReferencePrices(reader, scope)),
      textOf: (id) => this.#texts.textOf(id),
      writesLegs: false,
    });
    const placer = new Placer();
    let added = 0;
    const onSwaps = (count: number): void => {
      added += count;
      this.#options.onSwaps?.(added);
    };
    const { keepOrder, onUnordered } = this.#options;
    await load.place((swaps) => this.#place(swaps, { placer, derivation, onSwaps }), {
      files: keepOrder === true ? this.#files : undefined,
      unordered: onUnordered && { quotes: this.#roles.known, on: (swaps) => this.#tellUnordered(swaps) },
    });
    await derivation.end();
    await load.settle(config.dust_usd);
    await this.#session.write(
      { signal, changes: { ...everything(), isReplacing: true }, storage: load },
      async (writer) => {
        await this.#texts.write(writer);
        await derivation.markAllDirty(writer);
      },
    );
    this.#result.added += added;
    this.#result.duplicate += duplicate;
    for (const found of conflicts) {
      const conflict = this.#located(found);
      noteConflict(this.#result, conflict);
      this.#tell(this.#options.onConflict, conflict);
    }
  }

  async #leaveOutOverfull(): Promise<void> {
    const { columns: c, length } = await this.#load.overfull(MAX_SWAPS_A_SECOND);
    if (length === 0) return;
    await this.#load.leaveOut(c.row);
    for (let i = 0; i < length; i++) {
      const reject = this.#located({
        row: c.row[i]!,
        field: 'block_time',
        reason: fullSecond(c.block_time[i]!),
      });
      noteReject(this.#result, reject);
      this.#tell(this.#options.onReject, reject);
    }
  }

  /** Keeps what tells where rows are from, and no row. */
  #noteOrigin(batch: InputItem): void {
    const { file, numbers } = batch as RowOrigin;
    if (numbers !== undefined || this.#origins.length > 0) this.#origins.push({ first: this.#rows, file, numbers });
  }

  #located<R extends { readonly row: number }>(found: R): R {
    const origin = this.#origins.findLast(({ first }) => first <= found.row);
    return origin === undefined ? found : located(found, origin, origin.first);
  }

  #tellUnordered(swaps: number): void {
    if (swaps > 0) this.#tell(this.#options.onUnordered, swaps);
  }

  /** What it throws is thrown once what was read is stored. */
  #tell<T>(hear: ((what: T) => void) | undefined, what: T): void {
    try {
      if (this.thrown === undefined) hear?.(what);
    } catch (error) {
      this.thrown = error;
    }
  }

  /** Derives everything from swaps in chain order, and gives their places and values. */
  async *#place(
    pieces: AsyncIterable<OrderedSwaps>,
    { placer, derivation, onSwaps }: PlaceParts,
  ): AsyncGenerator<Places> {
    for await (const swaps of placer.inSeconds(pieces, CHUNK)) {
      throwIfAborted(this.#options.signal);
      await derivation.add(swaps, async (ids) => placesOf(swaps, ids));
      addCount(this.#result, 'aggregates', countAggregates(swaps.columns, swaps.length));
      yield swaps;
      onSwaps(swaps.length);
    }
  }
}

interface PlaceParts {
  readonly placer: Placer;
  readonly derivation: Derivation;
  readonly onSwaps: (count: number) => void;
}
