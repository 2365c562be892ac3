import type { Reader, StorageAdapter } from './adapter.ts';

/** What `readLazily` answers with where the store has moved on before the snapshot was taken. */
export const moved = Symbol('moved');

/**
 * Runs `read` with a reader whose snapshot is taken at the first read: a function that needs none costs the engine nothing.
 * Where `holds` is false by then, what the function knew before may not fit the snapshot: it is given up, and the answer is `moved`.
 */
export async function readLazily<R>(
  storage: StorageAdapter,
  holds: () => boolean,
  read: (reader: Reader) => Promise<R>,
): Promise<R | typeof moved> {
  let taken: Promise<Reader> | undefined;
  let snapshot: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });

  function take(): Promise<Reader> {
    taken ??= new Promise<Reader>((resolve, reject) => {
      snapshot = storage
        .snapshot(async (reader) => {
          if (!holds()) throw moved;
          resolve(reader);
          await ended;
        })
        .catch(reject);
    });
    return taken;
  }

  const reader: Reader = {
    read: async (scan) => (await take()).read(scan),
    async *stream(scan) {
      yield* (await take()).stream(scan);
    },
    latest: async (query) => (await take()).latest(query),
    count: async (table, where) => (await take()).count(table, where),
    max: async (table, column, where) => (await take()).max(table, column, where),
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
