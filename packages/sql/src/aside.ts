import type { AsideEnd, createLifecycle, StorageAdapter, Table, Writer } from '@swapfold/core/engine';
import type { Change } from './create-writer.ts';
import type { SortingOf, SqlConnection, SqlDriver } from './driver.ts';
import type { Session } from './session.ts';
import { copiesOf } from './sorted-tables.ts';

/** What the adapter does for each of its transactions. */
interface Transactions {
  /** The tables that a transaction aside has to itself. */
  readonly held: Set<string>;
  begin(connection: SqlConnection): Promise<Session>;
  commit(connection: SqlConnection, session: Session): Promise<void>;
  undo(connection: SqlConnection, session: Session): Promise<void>;
  newChange(): Change;
  keepSorted(session: Session, change: Change, of: SortingOf): Promise<void>;
  writerOf(session: Session, change: Change): Writer;
}

/** `StorageAdapter.writeAside`, if the engine has transactions that write beside each other. */
export function asideOf(
  driver: Pick<SqlDriver, 'connect' | 'failure' | 'isReadOnly' | 'writesAside'>,
  lifecycle: Pick<ReturnType<typeof createLifecycle>, 'beside' | 'write'>,
  { held, begin, commit, undo, newChange, keepSorted, writerOf }: Transactions,
): Pick<StorageAdapter, 'writeAside'> {
  if (!driver.writesAside || driver.isReadOnly) return {};

  async function connect(): Promise<SqlConnection> {
    try {
      return await driver.connect('aside');
    } catch (error) {
      throw driver.failure(error);
    }
  }

  /** One transaction, on a connection of its own. */
  async function transact<R>(
    names: readonly string[],
    connection: SqlConnection,
    work: (writer: Writer, end: AsideEnd) => Promise<R>,
  ): Promise<R> {
    const session = await begin(connection);
    const change = newChange();
    const writer = writerOf(session, change);
    let isCommitted = false;
    try {
      return await work(writer, {
        async write(last) {
          // Nobody waits for this yet.
          await keepSorted(session, change, { isAside: true, mayTouch: (name) => names.includes(name) });
          return lifecycle.write(async () => {
            const answer = await last(writer);
            if (session.failure) throw session.failure;
            await commit(connection, session);
            isCommitted = true;
            return answer;
          });
        },
      });
    } finally {
      if (!isCommitted) await undo(connection, session);
    }
  }

  return {
    writeAside: <R>(tables: readonly Table[], work: (writer: Writer, end: AsideEnd) => Promise<R>) =>
      lifecycle.beside(async () => {
        const names = tables.flatMap((table) => [table.name, ...copiesOf(table).map(({ name }) => name)]);
        const connection = await connect();
        for (const name of names) held.add(name);
        try {
          return await transact(names, connection, work);
        } finally {
          for (const name of names) held.delete(name);
          await connection.close().catch(() => undefined);
        }
      }),
  };
}
