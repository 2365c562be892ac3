import { metaTable } from '../records/tables.ts';
import type { Reader, Writer } from './adapter.ts';
import { compare } from './predicate.ts';

/** Before the name of a source, in the table of what the store keeps of itself. */
const PREFIX = 'source:';

/** How far a source has been read; `null` if nothing of it is stored. */
export async function readPlace(reader: Reader, source: string): Promise<string | null> {
  const { columns } = await reader.read({
    table: metaTable,
    columns: ['value'],
    where: compare('name', 'eq', PREFIX + source),
  });
  return columns.value[0] ?? null;
}

/** How far all sources have been read, by name. */
export async function readPlaces(reader: Reader): Promise<{ readonly name: string; readonly place: string }[]> {
  const { columns } = await reader.read({ table: metaTable, columns: ['name', 'value'] });
  return columns.name
    .flatMap((name, i) =>
      name!.startsWith(PREFIX) ? [{ name: name!.slice(PREFIX.length), place: columns.value[i] ?? '' }] : [],
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function writePlace(writer: Writer, source: string, place: string): Promise<void> {
  const name = PREFIX + source;
  await writer.remove(metaTable, compare('name', 'eq', name));
  await writer.append(metaTable, { length: 1, columns: { name: [name], value: [place] } });
}
