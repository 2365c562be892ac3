import { tokenRegistryTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** When tokens were created by the registry, Unix seconds; `NaN` where it does not say. All tokens where `tokens` is absent. */
export async function readCreationTimes(reader: Reader, tokens?: Int32Array): Promise<(token: number) => number> {
  const rows = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'created_at'],
    ...(tokens === undefined ? {} : { where: isIn('id', tokens) }),
  });
  const times = new Map(Array.from(rows.columns.id, (id, row) => [id, rows.columns.created_at[row]!]));
  return (token) => times.get(token) ?? Number.NaN;
}
