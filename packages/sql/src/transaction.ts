import type { Change, Layout } from './change.ts';
import type { SqlConnection } from './connection.ts';
import type { SqlDriver } from './driver.ts';
import { createSession, type Session, translated } from './session.ts';

/** A transaction that writes. */
export interface Transaction {
  readonly session: Session;
  readonly change: Change;
  /** Errors: the first of a write, which may have left half of it. */
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
      async commit() {
        if (session.failure) throw session.failure;
        await dialect.sorting?.note(session, [...change.grown.values()]);
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
