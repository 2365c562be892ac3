import type { Batch, ColumnName, Table } from '../records/columns.ts';
import type { Latest, Reader, Scan } from './adapter.ts';
import { type PinnedSnapshot, pinSnapshot, type TakeSnapshot } from './pinned-snapshot.ts';
import type { Predicate } from './predicate.ts';

/** What `readLazily` answers with where the store has moved on before the snapshot was taken. */
export const moved = Symbol('moved');

/** Whether the state that a snapshot reads, which its first read has fixed, is the one that is known. */
export type IsKnown = (reader: Reader) => boolean | Promise<boolean>;

/**
 * Runs `read` with a reader whose snapshot is taken at the first read: a function that needs none costs the engine nothing.
 * If `isKnown` is false after it, what the function knew before may not fit the snapshot: it is given up, and the answer is `moved`.
 */
export async function readLazily<R>(
  snapshot: TakeSnapshot,
  isKnown: IsKnown,
  read: (reader: Reader) => Promise<R>,
): Promise<R | typeof moved> {
  const reader = new LazyReader(snapshot, isKnown);
  try {
    return await read(reader);
  } catch (error) {
    if (error === moved) return moved;
    throw error;
  } finally {
    reader.end();
  }
}

/** Reads through a snapshot that it takes at the first read, and gives back at its `end`. */
class LazyReader implements Reader {
  readonly #snapshot: TakeSnapshot;
  readonly #isKnown: IsKnown;
  #taken: Promise<PinnedSnapshot> | undefined;
  #isFixed = false;

  constructor(snapshot: TakeSnapshot, isKnown: IsKnown) {
    this.#snapshot = snapshot;
    this.#isKnown = isKnown;
  }

  async read<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): Promise<Batch<T, C>> {
    return this.#checked(await (await this.#take()).read(scan));
  }

  async *stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>> {
    for await (const batch of (await this.#take()).stream(scan)) yield await this.#checked(batch);
    await this.#checked(undefined);
  }

  async latest<T extends Table, C extends ColumnName<T>>(query: Latest<T, C>): Promise<Batch<T, C>> {
    return this.#checked(await (await this.#take()).latest(query));
  }

  async count(table: Table, where?: Predicate): Promise<number> {
    return this.#checked(await (await this.#take()).count(table, where));
  }

  async max<T extends Table>(table: T, column: ColumnName<T>, where?: Predicate): Promise<number | null> {
    return this.#checked(await (await this.#take()).max(table, column, where));
  }

  /** The answer does not wait for it: the engine ends the snapshot meanwhile, and `close` of the store waits. */
  end(): void {
    this.#taken?.then((held) => held.end()).catch(() => undefined);
  }

  async #take(): Promise<Reader> {
    this.#taken ??= pinSnapshot(this.#snapshot);
    return (await this.#taken).reader;
  }

  /** Engines fix the state of a snapshot with its first read: only after one is it known which. */
  async #checked<T>(answer: T): Promise<T> {
    this.#isFixed ||= await this.#isKnown((await this.#taken!).reader);
    if (!this.#isFixed) throw moved;
    return answer;
  }
}
