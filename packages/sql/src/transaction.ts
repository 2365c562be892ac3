import type { SqlConnection } from './connection.ts';
import type { Change } from './create-writer.ts';
import type { SqlDriver } from './driver.ts';
import type { Layout } from './load.ts';
import { createSession, type Session, translated } from './session.ts';
import type { SortingOf } from './sorted-tables.ts';

/** A transaction that writes. */
export interface Transaction {
  readonly session: Session;
  readonly change: Change;
  /** Errors, as of `commit`: the first of a write, which may have left half of it. */
  keepSorted(of: SortingOf): Promise<void>;
  commit(): Promise<void>;
}

/** Runs `work` in a transaction, which is undone unless `work` has committed it. */
export async function transact<R>(
  driver: SqlDriver,
  connection: SqlConnection,
  layout: Layout,
  work: (transaction: Transaction) => Promise<R>,
): Promise<R> {
  const { dialect, transactions: hooks } = driver;
  await translated(driver, async () => {
    await hooks?.beginning();
    await connection.begin('write');
  });
  const session = createSession(connection, driver);
  const change: Change = { layout: new Map(layout), grown: new Map() };
  let isCommitted = false;
  try {
    await translated(driver, async () => hooks?.began());
    return await work({
      session,
      change,
      async keepSorted(of) {
        if (session.failure) throw session.failure;
        await dialect.sorting?.sort(session, [...change.grown.values()], of);
      },
      async commit() {
        await session.end();
        if (session.failure) throw session.failure;
        await translated(driver, async () => {
          hooks?.committing(session.hasWritten);
          await connection.commit();
        });
        isCommitted = true;
        // What is stored is not denied by what follows it: that is tried again after the next commit.
        try {
          hooks?.ended(true);
        } catch (error) {
          driver.notices.tell(error);
        }
      },
    });
  } finally {
    if (!isCommitted) {
      await session.end().catch(() => undefined);
      // An engine that failed may have undone the transaction by itself; the first error is the one to throw.
      const undone = connection.rollback().finally(() => hooks?.ended(false));
      await undone.catch(() => undefined);
    }
  }
}
