import type { Reader, StorageAdapter } from './adapter.ts';

/** What `readLazily` answers with where the store has moved on before the snapshot was taken. */
export const moved = Symbol('moved');

/**
 * Runs `read` with a reader whose snapshot is taken at the first read: a function that needs none costs the engine nothing.
 * Where `holds` is false after it, what the function knew before may not fit the snapshot: it is given up, and the answer is `moved`.
 */
export async function readLazily<R>(
  storage: StorageAdapter,
  holds: () => boolean,
  read: (reader: Reader) => Promise<R>,
): Promise<R | typeof moved> {
  let taken: Promise<Reader> | undefined;
  let isFixed = false;
  let snapshot: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });

  function take(): Promise<Reader> {
    taken ??= new Promise<Reader>((resolve, reject) => {
      snapshot = storage
        .snapshot(async (reader) => {
          resolve(reader);
          await ended;
        })
        .catch(reject);
    });
    return taken;
  }

  /** Engines fix the state of a snapshot with its first read: only after one is it known which. */
  function checked<T>(answer: T): T {
    isFixed ||= holds();
    if (!isFixed) throw moved;
    return answer;
  }

  const reader: Reader = {
    read: async (scan) => checked(await (await take()).read(scan)),
    async *stream(scan) {
      for await (const batch of (await take()).stream(scan)) yield checked(batch);
      checked(undefined);
    },
    latest: async (query) => checked(await (await take()).latest(query)),
    count: async (table, where) => checked(await (await take()).count(table, where)),
    max: async (table, column, where) => checked(await (await take()).max(table, column, where)),
  };
  try {
    return await read(reader);
  } catch (error) {
    if (error === moved) return moved;
    throw error;
  } finally {
    end();
    await snapshot;
  }
}
