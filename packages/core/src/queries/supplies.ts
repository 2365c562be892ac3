import { tokenRegistryTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** The supply that market caps go by: circulating, or else total; `NaN` where the registry gives neither. All tokens where `tokens` is absent. */
export async function readSupplies(reader: Reader, tokens?: Iterable<number>): Promise<(token: number) => number> {
  const rows = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'total_supply', 'circulating_supply'],
    ...(tokens === undefined ? {} : { where: isIn('id', Int32Array.from(new Set(tokens))) }),
  });
  const supplies = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const circulating = rows.columns.circulating_supply[i]!;
    supplies.set(rows.columns.id[i]!, Number.isNaN(circulating) ? rows.columns.total_supply[i]! : circulating);
  }
  return (token) => supplies.get(token) ?? Number.NaN;
}
