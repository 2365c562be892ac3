import type { AsideEnd, createLifecycle, StorageAdapter, Table, Writer } from '@swapfold/core/engine';
import type { Change, Layout } from './change.ts';
import type { SqlDriver } from './driver.ts';
import { type Session, translated } from './session.ts';
import { copiesOf } from './sorted-tables.ts';
import { transact } from './transaction.ts';

/** What a store's transactions share. */
interface Shared {
  /** The tables that a transaction aside has to itself. */
  readonly held: Set<string>;
  /** Ends once no table is being sorted that was not held as that began. */
  sorted(): Promise<void>;
  layout(): Layout;
  writerOf(session: Session, change: Change): Writer;
}

/** `StorageAdapter.writeAside`, if the engine has transactions that write beside each other. */
export function asideOf(
  driver: SqlDriver,
  lifecycle: Pick<ReturnType<typeof createLifecycle>, 'beside' | 'write'>,
  { held, sorted, layout, writerOf }: Shared,
): Pick<StorageAdapter, 'writeAside'> {
  const { aside } = driver;
  if (!aside || driver.isReadOnly) return {};

  return {
    writeAside: <R>(tables: readonly Table[], work: (writer: Writer, end: AsideEnd) => Promise<R>) =>
      lifecycle.beside(async () => {
        const names = tables.flatMap((table) => [table.name, ...copiesOf(table).map(({ name }) => name)]);
        const connection = await translated(driver, () => aside.connect());
        for (const name of names) held.add(name);
        try {
          await sorted();
          return await transact(driver, connection, layout(), ({ session, change, commit }) => {
            const writer = writerOf(session, change);
            return work(writer, {
              async write(last) {
                return lifecycle.write(async () => {
                  const answer = await last(writer);
                  await commit();
                  return answer;
                });
              },
            });
          });
        } finally {
          for (const name of names) held.delete(name);
          await connection.close().catch(() => undefined);
        }
      }),
  };
}
