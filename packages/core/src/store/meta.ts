import { metaTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** Settings that a store keeps of itself. */
export interface Meta {
  readonly schema_version: string;
  /** The configuration that the swaps were folded with, JSON. */
  readonly folded_with: string;
  /** As-of time of the stored profiles, Unix seconds. */
  readonly profiles_as_of: string;
  /** Block time of the newest swap when the profiles were stored: a greater one than their as-of time means that they hide swaps. */
  readonly profiles_last_time: string;
  /** Tells the refresh that the profiles come from every other. */
  readonly profiles_refresh: string;
  /** Metrics and label rules of the stored profiles. */
  readonly profiles_made_of: string;
}

export async function readMeta(reader: Reader): Promise<Partial<Meta>> {
  const rows = await reader.read({ table: metaTable, columns: ['name', 'value'] });
  return Object.fromEntries(rows.columns.name.map((name, i) => [name, rows.columns.value[i]]));
}

export async function writeMeta(writer: Writer, values: Partial<Meta>): Promise<void> {
  const entries = Object.entries(values);
  await writer.remove(
    metaTable,
    isIn(
      'name',
      entries.map(([name]) => name),
    ),
  );
  await writer.append(metaTable, {
    length: entries.length,
    columns: { name: entries.map(([name]) => name), value: entries.map(([, value]) => value) },
  });
}

export async function removeMeta(writer: Writer, names: readonly (keyof Meta)[]): Promise<void> {
  await writer.remove(metaTable, isIn('name', names));
}
