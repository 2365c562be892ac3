import type { Swapfold } from '@swapfold/core';
import type { StorageAdapter, Table } from '@swapfold/core/engine';
import { newChanges } from '../../packages/core/src/ingest/changes.ts';
import { Dictionary } from '../../packages/core/src/ingest/dictionary.ts';
import { rolesOf } from '../../packages/core/src/ledger/roles.ts';
import { carriedTables } from '../../packages/core/src/records/carried-tables.ts';
import { columnsOf } from '../../packages/core/src/records/columns.ts';
import { fixedTables, metaTable } from '../../packages/core/src/records/tables.ts';
import { moveHorizon } from '../../packages/core/src/store/write/prune.ts';

/** Moves the horizon of a store once, in one transaction, by about so many swaps; gives where it is then. */
export async function moveOnce(dex: Swapfold, storage: StorageAdapter, target: number, chunk: number): Promise<number> {
  return storage.write(async (writer) => {
    const dictionary = new Dictionary();
    await dictionary.restart(writer);
    const addresses = dex.config.quote_tokens.map(({ address }) => address);
    const ids = await dictionary.find(writer, addresses);
    const roles = rolesOf(dex.config.quote_tokens, (address) => ids[addresses.indexOf(address)]);
    const { horizon } = await moveHorizon(writer, { config: dex.config, roles, changes: newChanges() }, target, chunk);
    return horizon;
  });
}

/** Every row of a store that has forgotten, but for profiles and settings, as text. */
export function dumpTables(storage: StorageAdapter): Promise<string> {
  const tables: readonly Table[] = [...fixedTables, ...carriedTables];
  return storage.snapshot(async (reader) => {
    const lines: string[] = [];
    for (const table of tables) {
      if (table.name === metaTable.name) continue;
      const order = table.key.map((column) => ({ column, direction: 'asc' as const }));
      const { columns, length } = await reader.read({ table, columns: columnsOf(table), order });
      for (let row = 0; row < length; row++)
        lines.push(`${table.name}: ${Object.values(columns).map((values) => String(values[row]))}`);
    }
    return lines.join('\n');
  });
}
