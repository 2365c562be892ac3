import { SwapfoldError } from '../errors.ts';
import { MAX_IDS } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { textsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { isIn, type Predicate } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';

/** What a text takes in one direction, about. */
const BYTES = 70;

/** Texts of one generation at least: what a question has loaded is there until it has answered. */
const LEAST = 100_000;

/** A lookup of more than this part of the stored texts reads them all. */
const WHOLE_PART = 8;

/** What reading and caching a text takes, milliseconds. */
const READING = 0.002;

/**
 * Addresses, protocols and symbols by id. The table is append-only, so what is cached stays true;
 * after a transaction that failed its new ids are forgotten (`restart`).
 */
export class Dictionary {
  /** Texts are only added to a store. */
  readonly outlastsOthers = true;
  #ids = new TwoGenerationCache<string, number>();
  #texts = new TwoGenerationCache<number, string>();
  #next = 0;
  /** Whether every stored text is cached, as while a store is filled. */
  #isWhole = false;
  /** Milliseconds that lookups in the store took since reading all texts was last worth it. */
  #looked = 0;
  #epoch = 0;
  /** Texts of one generation at most. */
  readonly #most: number;

  /** `bytes`: what both generations may take together, unless it is less than they need. */
  constructor(bytes = 0) {
    this.#most = Math.max(LEAST, Math.floor(bytes / (4 * BYTES)));
  }

  /** Whether lookups have taken as long as `readAll` would, since this was last so: then it is worth a call. */
  isWorthReading(): boolean {
    if (this.#isWhole || this.#next >= this.#most || this.#looked <= this.#next * READING) return false;
    this.#looked = 0;
    return true;
  }

  /** Caches every stored text. Yields to other work. */
  async readAll(reader: Reader): Promise<void> {
    const epoch = this.#epoch;
    for await (const { columns } of reader.stream({ table: textsTable, columns: ['id', 'text'] })) {
      if (this.#epoch !== epoch) return;
      await this.#rememberAll(columns.id, columns.text);
    }
    this.#isWhole = this.#texts.size === this.#next;
  }

  /** Reads where new ids start. Called when a store opens, and after a failed write, whose ids are dropped because they were not stored. */
  async restart(reader: Reader): Promise<void> {
    const stored = (await reader.max(textsTable, 'id')) ?? -1;
    for (let id = stored + 1; id < this.#next; id++) {
      const text = this.#texts.get(id);
      this.#texts.delete(id);
      if (text !== undefined) this.#ids.delete(text);
    }
    this.#next = stored + 1;
    this.#isWhole = this.#texts.size === this.#next;
  }

  commit({ isReplacing }: { readonly isReplacing?: boolean }): void {
    if (isReplacing) this.drop();
  }

  get bytes(): number {
    return (this.#ids.entries + this.#texts.entries) * BYTES;
  }

  /** Forgets everything, as when other texts take the place of those of the store. */
  drop(): void {
    this.#epoch++;
    this.#ids.clear();
    this.#texts.clear();
    this.#isWhole = false;
  }

  /** The ids of `texts`, `NO_ID` for those not stored. */
  async find(reader: Reader, texts: readonly string[]): Promise<Int32Array> {
    this.#trim();
    const epoch = this.#epoch;
    const unknown = [...new Set(texts.filter((text) => !this.#ids.has(text)))];
    if (unknown.length > 0) await this.#read(reader, unknown);
    return epoch === this.#epoch ? this.#cachedIds(texts) : this.find(reader, texts);
  }

  /** `find` for the writer: if every stored text is cached, no lookup is needed. */
  async findToWrite(writer: Writer, texts: readonly string[]): Promise<Int32Array> {
    return this.#isWhole && this.#ids.size < this.#most ? this.#cachedIds(texts) : this.find(writer, texts);
  }

  /** The cached id of a text; `undefined` if it needs a lookup. */
  known(text: string): number | undefined {
    return this.#ids.get(text);
  }

  async findOne(reader: Reader, text: string): Promise<number> {
    return (await this.find(reader, [text]))[0]!;
  }

  /** The ids of `texts`, new ones for those not stored yet. */
  async intern(writer: Writer, texts: readonly string[]): Promise<Int32Array> {
    const found = await this.findToWrite(writer, texts);
    const added: string[] = [];
    const firstId = this.#next;
    for (const [i, text] of texts.entries()) {
      if (found[i] !== NO_ID) continue;
      let id = this.#ids.get(text);
      if (id === undefined) {
        id = this.#next++;
        added.push(text);
        this.#remember(id, text);
      }
      found[i] = id;
    }
    requireRoom(this.#next);
    if (added.length > 0) {
      await writer.append(textsTable, {
        length: added.length,
        columns: { id: Int32Array.from(added, (_, i) => firstId + i), text: added },
      });
    }
    return found;
  }

  /** Makes `textOf` answer for these ids. */
  async load(reader: Reader, ids: Iterable<number>): Promise<void> {
    const missing = new Set<number>();
    for (const id of ids) if (id !== NO_ID && !this.#texts.has(id)) missing.add(id);
    if (missing.size === 0) return;
    const found = await this.#lookUp(reader, isIn('id', Int32Array.from(missing)));
    if (found < missing.size)
      throw new SwapfoldError('store-damaged', `The store lacks ${missing.size - found} of its texts.`);
  }

  textOf(id: number): string {
    const text = this.#texts.get(id);
    if (text === undefined) throw new Error(`The text of id ${id} was not loaded.`);
    return text;
  }

  /** The text of a loaded id, `null` for `NO_ID`. */
  textOrNull(id: number): string | null {
    return id === NO_ID ? null : this.textOf(id);
  }

  #cachedIds(texts: readonly string[]): Int32Array {
    const ids = new Int32Array(texts.length);
    for (let i = 0; i < ids.length; i++) ids[i] = this.#ids.get(texts[i]!) ?? NO_ID;
    return ids;
  }

  /** Caches the given texts that are stored, or every stored text if the given ones are a good part of them. */
  async #read(reader: Reader, texts: readonly string[]): Promise<void> {
    const isMost = texts.length * WHOLE_PART > this.#next && this.#next < this.#most;
    await this.#lookUp(reader, isMost ? undefined : isIn('text', texts));
    if (isMost) this.#isWhole = this.#texts.size === this.#next;
  }

  /** Caches the texts where the condition holds. Shape: how many they are. */
  async #lookUp(reader: Reader, where: Predicate | undefined): Promise<number> {
    const begun = performance.now();
    const { length, columns } = await reader.read({ table: textsTable, columns: ['id', 'text'], where });
    this.#looked += performance.now() - begun;
    await this.#rememberAll(columns.id, columns.text);
    return length;
  }

  /** Yields to other work. */
  async #rememberAll(ids: Int32Array, texts: readonly (string | null)[]): Promise<void> {
    const pause = yielder();
    for (let i = 0; i < ids.length; i++) {
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
      // A text that another process stored: there may be more.
      if (ids[i]! >= this.#next) this.#isWhole = false;
      const text = texts[i];
      if (text == null) throw new SwapfoldError('store-damaged', `The store has nothing as its text ${ids[i]}.`);
      this.#remember(ids[i]!, text);
    }
  }

  #remember(id: number, text: string): void {
    this.#ids.set(text, id);
    this.#texts.set(id, text);
  }

  #trim(): void {
    if (this.#ids.size < this.#most) return;
    this.#ids.age();
    this.#texts.age();
    this.#isWhole = false;
  }
}

/** Errors: `store-failed` for more texts than ids can name. */
export function requireRoom(texts: number): void {
  if (texts <= MAX_IDS) return;
  const message = `A store holds at most ${MAX_IDS} distinct addresses, protocols and symbols.`;
  throw new SwapfoldError('store-failed', message);
}

/**
 * A cache that drops entries in two steps: an entry that is cached when it `age`s stays until it ages again, so that a recent lookup can
 * be read.
 */
class TwoGenerationCache<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /** Entries since it last aged. */
  get size(): number {
    return this.#young.size;
  }

  /** All entries: one that is in both generations counts twice. */
  get entries(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: K): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  set(key: K, value: V): void {
    this.#young.set(key, value);
  }

  delete(key: K): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
