import { SwapfoldError } from '../errors.ts';
import { everything } from '../ingest/changes.ts';
import { type Batch, columnsOf, type Table } from '../records/columns.ts';
import { fixedTables, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { untilAborted } from '../storage/abortable.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { writeMeta } from '../storage/meta.ts';
import type { CopyCall } from '../swapfold-options.ts';
import { mismatchError, mismatchesOf } from './folding.ts';
import { configText } from './remembered-config.ts';
import type { StoreSession } from './session.ts';

/** As `Swapfold.copyFrom`. */
export async function copyStore(
  session: StoreSession,
  source: StoreSession,
  { signal, onRows }: CopyCall,
): Promise<{ readonly swaps: number; readonly rows: number }> {
  if (session.remembered.ingest.lastTime !== null)
    throw new SwapfoldError('invalid-input', 'A store is copied into an empty one.');
  const mismatches = mismatchesOf(source.folding, session.folding);
  if (mismatches.length > 0)
    throw mismatchError(mismatches, 'Open the store to copy and the new one with the same configuration and metrics.');
  const { shapes } = session;
  const copied = await source.storage.snapshot((reader) =>
    session.write({ signal, changes: everything() }, async (writer) => {
      if ((await writer.count(tokenRegistryTable)) + (await writer.count(walletRegistryTable)) > 0)
        throw new SwapfoldError('invalid-input', 'A store is copied into an empty one; this one has a registry.');
      const tables = [...fixedTables, ...Object.values(shapes).map(({ table }) => table)];
      const rows = await copyTables(untilAborted(reader, signal), writer, tables, onRows);
      await writeMeta(writer, { config: configText(session.config) });
      return { rows, swaps: await writer.count(swapsTable) };
    }),
  );
  await session.start();
  return copied;
}

/** Copies the rows of whole tables, in the order of their keys, in place of those there were. Shape: the number of rows. */
export async function copyTables(
  from: Reader,
  to: Writer,
  tables: readonly Table[],
  onRows?: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    await to.recreate(table);
    const order = table.key.map((column) => ({ column, direction: 'asc' }) as const);
    for await (const batch of from.stream({ table, columns: columnsOf(table), order })) {
      await to.append(table, batch as Batch);
      rows += batch.length;
      onRows?.(rows);
    }
  }
  return rows;
}
