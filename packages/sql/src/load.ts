import type { createLifecycle, StorageAdapter, Table, WritableLoad, Writer } from '@swapfold/core/engine';
import type { Change } from './change.ts';
import type { EngineLoad, SqlDriver } from './driver.ts';
import type { Session } from './session.ts';
import { noteEmptied } from './sorted-tables.ts';

/** Runs a transaction. */
type Transact = <R>(work: (session: Session, writer: Writer, change: Change) => Promise<R>) => Promise<R>;

/** `StorageAdapter.load`, if the driver has one. */
export function loadOf(
  driver: Pick<SqlDriver, 'load' | 'notices'>,
  lifecycle: Pick<ReturnType<typeof createLifecycle>, 'write'>,
  transact: Transact,
): Pick<StorageAdapter, 'load'> {
  if (driver.load === undefined) return {};
  return {
    load: <R>(tables: readonly Table[], fill: (load: WritableLoad) => Promise<R>) =>
      lifecycle.write(async () => {
        const load = await driver.load!(tables);
        try {
          return await fill(writable(load, tables, transact));
        } finally {
          // What it filled may be committed.
          await load.close().catch((error: unknown) => driver.notices.tell(error));
        }
      }),
  };
}

function writable(load: EngineLoad, tables: readonly Table[], transact: Transact): WritableLoad {
  return {
    ...load,
    write: (change) =>
      transact(async (session, writer, { layout, grown }) => {
        for (const statement of load.publish) await session.run(statement);
        for (const table of tables) {
          layout.set(table.name, Object.keys(table.columns));
          // What a load fills lies in order.
          noteEmptied(table, grown);
        }
        return change(writer);
      }),
  };
}
