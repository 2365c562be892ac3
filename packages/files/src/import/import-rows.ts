import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Config, type SwapColumns, type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Reject, SwapFile } from '@swapfold/core/host';
import { resolvePresets } from '../choose.ts';
import type { SwapFileOptions } from '../options.ts';
import { rowsOfSwaps } from '../parts.ts';
import type { HeldPart } from '../read-parts.ts';
import { isRemote, readSqlParts } from '../read-sql.ts';
import { batchesOf, isWhole, numberOf, readParts } from '../read-swap-file.ts';
import { type RowsName, rowKinds } from '../row-kinds.ts';
import type { Books } from './books.ts';
import { FirstRows } from './first-rows.ts';
import { fractionOf, GatheredParts } from './gathered-parts.ts';
import type { Input } from './inputs.ts';
import { bookJoined, isJoined, JoinedFiles, joinerOf } from './joined-files.ts';
import { checkConstants } from './presets.ts';
import { readAhead } from './read-ahead.ts';
import { type Found, type JoinedInputs, type Reading, readInputs } from './read-inputs.ts';
import { type RowStore, type RowsResult, rowStores } from './row-store.ts';
import type { Target } from './target.ts';

/** How swaps are imported. */
export interface SwapImportOptions extends Omit<SwapFileOptions, 'isEager' | 'onProgress' | 'chain'> {
  /** A SELECT of one's own from `input`, which has the rows of all files. It goes without `presets` and `map`. */
  readonly sql?: string | undefined;
  /** Leaves out swaps that the store has under another index. Default false: they are counted. */
  readonly skipSame?: boolean | undefined;
  /** Orders swaps that nothing else orders as the files have them. Default false. */
  readonly keepOrder?: boolean | undefined;
}

/** How swaps, or transfers, are imported. */
export interface RowImportOptions extends SwapImportOptions {
  /**
   * Of transfers: takes what a preset's source says of the value of a transfer as what the tokens cost who received them. Default false: their
   * cost is not known.
   */
  readonly valueArrivals?: boolean | undefined;
}

/** Rows that are looked at first, before a store is opened for them. */
const FIRST_ROWS = 1000;

/** Rows of a transaction. */
const BATCH_ROWS = 250_000;

type Options = RowImportOptions & { readonly kind: RowsName; readonly signal?: AbortSignal | undefined };

/** Stores the swaps, or the transfers, of files. Returns once all that was read is stored. */
export async function importRows(
  target: Target,
  inputs: readonly Input[],
  options: Options,
  books: Books,
): Promise<void> {
  const { config, open } = target;
  const { inputs: files, read, join } = readingOf(inputs, options, config);
  const store = rowStores[options.kind];
  const first = open === undefined ? new FirstRows(config, store) : undefined;
  const onEnd = first && (async (file: string) => books.endFile(file, await first.stored()));
  // A dry run shows the first rows of each file, and the order of files is that of their rows.
  const isJoining = open !== undefined && !options.keepOrder;
  const parts = readInputs(files, read, books, { onEnd, join: isJoining ? join : undefined });
  try {
    // Columns that are not there are to come to light before a store is opened.
    let next = await parts.next();
    books.open(inputs);
    if (target.isNew) next = await passRefused(next, { parts, config, books, first, store, signal: options.signal });
    if (next === undefined || open === undefined || options.signal?.aborted) return;
    const isSortable = options.kind === 'swaps' && inputs.every(endsByItself);
    await new RowImport(await open(), { parts, books, options, store, isSortable }).storeFrom(next);
  } finally {
    books.endFile();
    await parts.end();
  }
}

/** Whether all of an input is there before it is read, as of no pipe. */
function endsByItself({ from }: Input): boolean {
  return typeof from === 'string' && (isRemote(from) || (statSync(from, { throwIfNoEntry: false })?.isFile() ?? false));
}

/** What is read, and how. */
interface HowRead {
  readonly inputs: readonly Input[];
  readonly read: (input: Input) => AsyncIterable<HeldPart>;
  readonly join?: (at: number) => Promise<JoinedInputs<HeldPart> | undefined>;
}

/** What is read, and how: one file after the other, small ones together, or with a SELECT all of them as one. */
function readingOf(inputs: readonly Input[], options: Options, { chain, quote_tokens }: Config): HowRead {
  const { presets, map, sql, set, records, rowIds, valueArrivals, batchRows = BATCH_ROWS } = options;
  const kind = rowKinds[options.kind];
  const all = inputs.map(({ from }) => from);
  if (sql === undefined) {
    if (all.some((from) => typeof from === 'string' && isRemote(from)))
      throw new SwapfoldError(
        'invalid-input',
        'A file of another machine is read with the option sql: "select ... from input".',
      );
    const selects = resolvePresets(presets, kind.rows).presets.flatMap(({ select }) => select.flat());
    checkConstants(set, selects.join('\n'));
    const reading = {
      map,
      rowIds,
      batchRows,
      presets,
      records,
      set,
      chain,
      symbols: new Map(quote_tokens.map(({ address, symbol }) => [address.toLowerCase(), symbol])),
      valueArrivals,
      balances: options.balances,
      wholeLines: true,
    };
    const read = ({ from }: Input) => readParts(from, reading, kind);
    // Equal transfers are counted by file.
    if (kind.rows === 'transfers') return { inputs, read };
    return { inputs, read, join: joinerOf(inputs, reading, kind) };
  }
  for (const [name, given] of Object.entries({ map, presets, valueArrivals }))
    if (given !== undefined)
      throw new SwapfoldError(
        'invalid-input',
        `The option sql says what the columns are: it goes without the option ${name}.`,
      );
  checkConstants(set, sql);
  const file = inputs.length === 1 ? inputs[0]!.file : 'input';
  const read = () => readSqlParts(all, { sql, rowIds, batchRows, records, set, balances: options.balances }, kind);
  return { inputs: [{ file, from: file, isNamed: true }], read };
}

type Next = Found<HeldPart> | undefined;

interface Looking {
  readonly parts: Reading<HeldPart>;
  readonly config: Config;
  readonly books: Books;
  /** Takes the first rows, if nothing is to be stored. */
  readonly first: FirstRows | undefined;
  readonly store: RowStore;
  readonly signal?: AbortSignal | undefined;
}

/** Books parts of which nothing can be stored. Gives the first one of which something can; books that, too, if its first swaps are wanted. */
async function passRefused(given: Next, { parts, config, books, first, store, signal }: Looking): Promise<Next> {
  for (let next = given; next !== undefined; next = await parts.next()) {
    const { of, found: part } = next;
    if (first === undefined && (await isStorable(part, config, store))) return next;
    if (isWhole(part)) continue;
    if (!isJoined(part)) books.begin(of.file, part);
    await check(of.file, part, { config, books, first, store });
    await nextTurn();
    if (signal?.aborted) break;
  }
  return undefined;
}

async function isStorable(part: HeldPart, config: Config, store: RowStore): Promise<boolean> {
  const isSound = async (rows: SwapColumns): Promise<boolean> =>
    (await store.inspect(rows, config, () => undefined)) > 0;
  for await (const batch of part.batches()) {
    const few = Uint32Array.from({ length: Math.min(FIRST_ROWS, batch.length) }, (_, row) => row);
    if ((await isSound(rowsOfSwaps(batch, few))) || (await isSound(batch))) return true;
  }
  return false;
}

/** Books what storing a part into an empty store would give. */
async function check(
  file: string,
  part: HeldPart,
  { config, books, first, store }: Pick<Looking, 'config' | 'books' | 'first' | 'store'>,
): Promise<void> {
  let [added, passedOver] = [0, 0];
  const rejects = [...part.rejects];
  for await (const batch of part.batches()) {
    const before = rejects.length;
    const refused = new Set<number>();
    const sound = await store.inspect(batch, config, (reject) => {
      refused.add(reject.row);
      rejects.push({ ...reject, row: numberOf(batch, reject.row) });
    });
    added += sound;
    passedOver += batch.length - sound - (rejects.length - before);
    first?.add(batch, refused);
  }
  const counts = { added, duplicate: 0, conflicting: 0 };
  if (passedOver > 0) books.pass(store.passedOver, passedOver);
  if (isJoined(part)) bookJoined(books, part, { rejects, counts });
  else books.add(file, { ...part, rejects, counts, fraction: fractionOf(part) });
  await part.drop();
}

/** All rows of an import as one ingest: an engine that can stores swaps in one step. */
class RowImport {
  readonly #dex: Swapfold;
  readonly #parts: Reading<HeldPart>;
  readonly #books: Books;
  readonly #options: Options;
  readonly #store: RowStore;
  readonly #isSortable: boolean;
  readonly #gathered = new GatheredParts();
  /** Files that an engine reads until all is stored. */
  readonly #held: HeldPart[] = [];
  readonly #joined = new JoinedFiles();
  #failure: { readonly error: unknown } | undefined;

  constructor(
    dex: Swapfold,
    o: Pick<Looking, 'parts' | 'books' | 'store'> & { readonly options: Options; readonly isSortable: boolean },
  ) {
    this.#dex = dex;
    this.#parts = o.parts;
    this.#books = o.books;
    this.#options = o.options;
    this.#store = o.store;
    this.#isSortable = o.isSortable;
  }

  /** Stores the rows from a part on. What was read is stored also if reading on fails. */
  async storeFrom(first: Found<HeldPart>): Promise<void> {
    const books = this.#books;
    const { skipSame = false, keepOrder = false } = this.#options;
    const sortable = this.#isSortable && { inTimeOrder: () => this.#inTimeOrder(first) };
    let result: RowsResult | undefined;
    try {
      result = await this.#store.ingest(this.#dex, Object.assign(this.#rows(first), sortable), {
        skipSame,
        keepOrder,
        onReject: (reject) => books.refuse(this.#placed(reject)),
        onConflict: (conflict) => books.conflict(this.#placed(conflict)),
        onUnordered: (swaps) => {
          books.unordered += swaps;
        },
        onSwaps: (rows) => this.#sayStored(rows),
        onSame: () => void books.same++,
      });
    } catch (error) {
      result = error instanceof SwapfoldError ? (error.result as RowsResult | undefined) : undefined;
      throw error;
    } finally {
      if (result !== undefined) {
        const { added, duplicate, conflicting, passed_over = 0, odd_hashes = 0, aggregates = 0 } = result;
        books.count({ added, duplicate, conflicting });
        if (passed_over > 0) books.pass(this.#store.passedOver, passed_over);
        books.odd_hashes = odd_hashes;
        books.aggregates = aggregates;
      }
      books.settle();
      for (const part of this.#held) await part.drop();
      await this.#gathered.drop();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async *#rows(first: Found<HeldPart>): AsyncGenerator<SwapColumns | SwapFile> {
    try {
      for (let next: Next = first; next !== undefined; next = await this.#parts.next()) {
        yield* this.#rowsOf(next);
        if (this.#options.signal?.aborted) break;
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#books.endFile();
  }

  /** The rows of all parts, which are read before the first is stored: part by part if each is behind those before it, else sorted. */
  async *#inTimeOrder(first: Found<HeldPart>): AsyncGenerator<SwapColumns | SwapFile> {
    const { kind, rowIds = false, batchRows = BATCH_ROWS, signal } = this.#options;
    const gathered = this.#gathered;
    gathered.add(first);
    await this.#parts.readAll((next) => {
      gathered.add(next);
      this.#books.say({ kind: 'reading', rows: gathered.rows, fraction: gathered.fractionOf(this.#books.files) });
      return signal?.aborted !== true;
    });
    const isSorted = await gathered
      .sort({ kind: rowKinds[kind], rowIds, batchRows, signal })
      .catch((error: unknown) => {
        if (!signal?.aborted) throw error;
      });
    if (signal?.aborted) return;
    if (!isSorted) yield* this.#rows(first);
    else {
      await this.#bookAll(first);
      yield* this.#sortedRows();
    }
  }

  async *#sortedRows(): AsyncGenerator<SwapColumns> {
    let stored = 0;
    for await (const batch of readAhead(this.#gathered.sorted())) {
      yield batch;
      stored += batch.length;
      this.#books.settle();
      this.#sayStored(stored);
      await nextTurn();
      if (this.#options.signal?.aborted) return;
    }
  }

  /** Books parts whose rows are stored in another order than that of the files. */
  async #bookAll(first: Found<HeldPart>): Promise<void> {
    try {
      for (let next: Next = first; next !== undefined; next = await this.#parts.next()) {
        const { of, found: part } = next;
        if (isWhole(part)) continue;
        if (isJoined(part)) this.#joined.add(of.file, part);
        else this.#books.begin(of.file, part);
        await this.#added(part, of.file, part.rows);
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#books.endFile();
  }

  #sayStored(rows: number): void {
    const { rows: all } = this.#books;
    this.#books.say({ kind: 'folding', rows, fraction: all === 0 ? 1 : Math.min(1, rows / all) });
  }

  #placed<T extends Pick<Reject, 'from'>>(found: T): T {
    return this.#joined.placed(this.#gathered.placed(found));
  }

  /** A part as a file for an engine that reads such; its rows as columns for another one. */
  async *#rowsOf({ of, found: part }: Found<HeldPart>): AsyncGenerator<SwapColumns | SwapFile> {
    const plain = this.#store.takesFiles ? part.file : undefined;
    let isTaken = plain !== undefined;
    try {
      if (of.isTaken) isTaken = false;
      else {
        if (isJoined(part)) this.#joined.add(of.file, part);
        else this.#books.begin(of.file, part);
        const batches = (): AsyncIterable<SwapColumns> => {
          isTaken = false;
          return this.#columnsOf(part, of.file);
        };
        if (plain === undefined) yield* batches();
        else yield { ...plain, file: of.file, batches };
      }
    } finally {
      if (!isTaken) await part.drop();
    }
    if (!isTaken) return;
    this.#held.push(part);
    of.isTaken = isWhole(part);
    await this.#added(part, of.file, isWhole(part) ? plain!.rows : part.rows);
  }

  async *#columnsOf(part: HeldPart, file: string): AsyncGenerator<SwapColumns> {
    // The rows of a whole file follow as parts.
    if (isWhole(part)) return;
    for await (const { batch, rejects, passed, unindexed } of readAhead(batchesOf(part))) {
      // Of a part whose rows are all at fault there is no column.
      if (batch.length > 0) yield { ...batch, file };
      if (isJoined(part)) continue;
      const passedRows = [...passed.values()].reduce((sum, count) => sum + count, 0);
      await this.#added({ ...part, rejects, passed, unindexed }, file, batch.length + rejects.length + passedRows);
      if (this.#options.signal?.aborted) return;
    }
    if (isJoined(part)) await this.#added(part, file, part.rows);
  }

  async #added(part: HeldPart, file: string, rows: number): Promise<void> {
    const { rejects, passed, unindexed } = part;
    if (isJoined(part)) bookJoined(this.#books, part, { rejects });
    else this.#books.add(file, { rows, rejects, passed, unindexed, fraction: fractionOf(part) });
    // Signals arrive between turns of the event loop, of which SQLite alone takes none.
    await nextTurn();
  }
}
