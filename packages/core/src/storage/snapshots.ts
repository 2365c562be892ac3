import type { Batch, ColumnName, Table } from '../records/columns.ts';
import type { Reader, Scan } from './adapter.ts';

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

/**
 * Runs `read` with a reader whose snapshot is taken at the first read: a function that reads nothing costs the engine nothing.
 *
 * - `isKnown`: whether the state of a snapshot, which its first read has fixed, is the known one. Errors: those of `read`; else `StaleSnapshot`.
 */
export async function readLazily<R>(
  snapshot: TakeSnapshot,
  isKnown: (reader: Reader) => boolean | Promise<boolean>,
  read: (reader: Reader) => Promise<R>,
): Promise<R> {
  let taken: Promise<PinnedSnapshot> | undefined;
  let isFixed = false;
  const take = async (): Promise<Reader> => {
    taken ??= pinSnapshot(snapshot);
    return (await taken).reader;
  };
  /** Engines fix the state of a snapshot with its first read: only after one is it known which. */
  async function checked<T>(answer: T): Promise<T> {
    isFixed ||= await isKnown(await take());
    if (!isFixed) throw new StaleSnapshot();
    return answer;
  }
  try {
    return await read({
      read: async (scan) => checked(await (await take()).read(scan)),
      async *stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>> {
        for await (const batch of (await take()).stream(scan)) yield await checked(batch);
        await checked(undefined);
      },
      latest: async (query) => checked(await (await take()).latest(query)),
      count: async (table, where) => checked(await (await take()).count(table, where)),
      leading: async (query) => checked(await (await take()).leading?.(query)),
      max: async (table, column, where) => checked(await (await take()).max(table, column, where)),
    });
  } finally {
    // The answer does not wait for it: the engine ends the snapshot meanwhile, and `close` of the store waits.
    taken?.then((held) => held.end()).catch(() => undefined);
  }
}
