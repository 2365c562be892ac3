import { SwapfoldError } from '@swapfold/core';
import type { Connection } from './connection.ts';
import type { Head } from './read-log.ts';
import type { View } from './view.ts';

export interface SnapshotOf {
  readonly view: View;
  /** When the state was asked for. */
  readonly at: number;
  readonly head: () => Promise<Head>;
}

/** Seconds by which the clocks of a commit and of a snapshot may differ: the log has whole ones. */
const ROUNDING = 2;

/**
 * Reads of a snapshot, which fail as `snapshot-expired` instead of leaving rows out that another process has taken off the disk.
 *
 * What goes is noted before: a read that has found its rows and then no such note had them all. A statement keeps the rows that it began with.
 */
export function lastingConnection(
  connection: Connection,
  { view, at, head }: SnapshotOf,
): Pick<Connection, 'all' | 'open' | 'run'> {
  const until = at + (view.seconds - ROUNDING) * 1000;

  async function check(): Promise<void> {
    if ((await head()).floor <= view.write) return;
    throw new SwapfoldError(
      'snapshot-expired',
      `A read of an earlier state lasted longer than the ${view.seconds} seconds for which its rows stay ("snapshot_seconds").`,
    );
  }

  async function checked<R>(read: () => Promise<R>): Promise<R> {
    let answer: R;
    try {
      answer = await read();
    } catch (error) {
      // A table that was recreated may be missing. Where the server does not answer, its first error is the one to throw.
      await check().catch((expired: unknown) => {
        if (expired instanceof SwapfoldError) throw expired;
      });
      throw error;
    }
    if (Date.now() >= until) await check();
    return answer;
  }

  return {
    run: connection.run,
    all: (statement, types) => checked(() => connection.all(statement, types)),

    async open(statement, types) {
      const cursor = await checked(() => connection.open(statement, types));
      let isFirst = true;
      return {
        async next() {
          if (!isFirst) return cursor.next();
          isFirst = false;
          return checked(() => cursor.next());
        },
        close: () => cursor.close(),
      };
    },
  };
}
