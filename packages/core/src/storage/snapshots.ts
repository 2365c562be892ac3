import type { Batch, ColumnName, Table } from '../records/columns.ts';
import type { Latest, Leading, Reader, Scan } from './adapter.ts';
import type { Predicate } from './predicate.ts';

export type TakeSnapshot = (read: (reader: Reader) => Promise<void>) => Promise<void>;

interface PinnedSnapshot {
  readonly reader: Reader;
  end(): Promise<void>;
}

/** Takes a snapshot for longer than a function runs, such as for a generator; `close` of the store waits for its end. */
export function pinSnapshot(take: TakeSnapshot): Promise<PinnedSnapshot> {
  return new Promise((resolve, reject) => {
    let release: () => void = () => undefined;
    const given = new Promise<void>((end) => {
      release = end;
    });
    const held = take(async (reader) => {
      const end = (): Promise<void> => {
        release();
        return held;
      };
      resolve({ reader, end });
      await given;
    });
    held.catch(reject);
  });
}

/** Thrown if the store has another state by now than the one that was known: whatever was made of that one is dropped. */
export class StaleSnapshot extends Error {}

/** Whether the state that a snapshot reads, which its first read has fixed, is the one that is known. */
export type IsKnown = (reader: Reader) => boolean | Promise<boolean>;

/**
 * Runs `read` with a reader whose snapshot is taken at the first read: a function that reads nothing costs the engine nothing.
 *
 * - Errors: those of `read`; `StaleSnapshot` if `isKnown` is false after the first read.
 */
export async function readLazily<R>(
  snapshot: TakeSnapshot,
  isKnown: IsKnown,
  read: (reader: Reader) => Promise<R>,
): Promise<R> {
  const reader = new LazyReader(snapshot, isKnown);
  try {
    return await read(reader);
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

  async leading(query: Leading): ReturnType<NonNullable<Reader['leading']>> {
    return this.#checked(await (await this.#take()).leading?.(query));
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
    if (!this.#isFixed) throw new StaleSnapshot();
    return answer;
  }
}
