import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader, StorageAdapter, Writer } from '@swapfold/core/engine';

/** Gives other work some turns of the event loop, as often as the seed says. */
export type Pause = () => Promise<void>;

/** Pauses of none to four turns. `share` of the calls do not pause at all. */
export function pauses(random: () => number, share: number): Pause {
  // Outside of the transaction or snapshot in which it is called.
  return AsyncResource.bind(async () => {
    if (random() < share) return;
    for (let turns = Math.floor(random() * 5); turns > 0; turns--) await nextTurn();
  });
}

/** An engine whose reads, steps of a transaction, commits and notices of commits come late, and whose commits are counted. */
export interface Interleaved {
  readonly storage: StorageAdapter;
  /** Numbers of the writes that were committed, in their order. A write is in the list from just before its commit. */
  readonly commits: readonly number[];
  /** Runs a write under its number. `failsAt` the commit: everything is done, and then undone by the engine. */
  write<R>(number: number, failsAtCommit: boolean, change: () => Promise<R>): Promise<R>;
}

export function interleaved(storage: StorageAdapter, pause: Pause): Interleaved {
  const commits: number[] = [];
  const running = new AsyncLocalStorage<{ number: number; failsAtCommit: boolean }>();
  let noticed: Promise<void> = Promise.resolve();

  const late = async <R>(step: () => Promise<R>): Promise<R> => {
    await pause();
    const answer = await step();
    await pause();
    return answer;
  };
  const lateReader = (reader: Reader): Reader => ({
    ...reader,
    read: (scan) => late(() => reader.read(scan)),
    latest: (query) => late(() => reader.latest(query)),
    count: (table, where) => late(() => reader.count(table, where)),
    max: (table, column, where) => late(() => reader.max(table, column, where)),
    async *stream(scan) {
      await pause();
      for await (const batch of reader.stream(scan)) {
        yield batch;
        await pause();
      }
    },
  });
  const lateWriter = (writer: Writer): Writer => ({
    ...writer,
    append: (table, rows) => late(() => writer.append(table, rows)),
    replace: (table, rows) => late(() => writer.replace(table, rows)),
    remove: (table, where) => late(() => writer.remove(table, where)),
  });

  return {
    commits,
    write: (number, failsAtCommit, change) => running.run({ number, failsAtCommit }, change),
    storage: {
      ...storage,
      async snapshot(read, use) {
        await pause();
        return storage.snapshot((reader) => read(lateReader(reader)), use);
      },
      async write(change) {
        const own = running.getStore();
        try {
          return await storage.write(async (writer) => {
            const answer = await change(lateWriter(writer));
            await pause();
            if (own?.failsAtCommit === true) throw new Error('the commit failed');
            if (own !== undefined) commits.push(own.number);
            return answer;
          });
        } finally {
          // Notices come in the order of the commits, but the next write may have begun.
          noticed = noticed.then(pause);
          await noticed;
        }
      },
    },
  };
}
