import { metaTable } from '../records/tables.ts';
import type { Reader, Writer } from './adapter.ts';
import { compare, isIn } from './predicate.ts';

/** Settings that a store keeps of itself. */
export interface Meta {
  readonly schema_version: string;
  /** The configuration without the keys of its callers, JSON; absent in stores of versions that remembered only what they were folded with. */
  readonly config: string;
  /** What of the configuration the swaps were folded with, JSON. */
  readonly configFingerprint: string;
  /** As-of time of the stored profiles, Unix seconds. */
  readonly profiles_as_of: string;
  /** As-of time of the last refresh of all profiles, Unix seconds: no stored profile holds for an earlier instant. Absent in older stores. */
  readonly profiles_all_as_of: string;
  /** When that refresh stored them, Unix seconds of the clock. */
  readonly profiles_all_at: string;
  /** Block time of the newest swap when the profiles were stored: a greater one than their as-of time means that they hide swaps. */
  readonly profiles_last_time: string;
  readonly profiles_refresh: string;
  /** USD per native token at their as-of time, as the refresh found it; absent if it was unknown. */
  readonly profiles_native_price: string;
  /** Metrics and label rules of the stored profiles. */
  readonly profileFingerprint: string;
  readonly views: string;
  /** Where the store begins, JSON (`ingest/carried.ts`); absent in a store that has forgotten nothing. */
  readonly horizon: string;
}

/** Names of settings in the table that differ from those in code: a change there would be a migration. */
const storedNames: Readonly<Record<string, string>> = {
  configFingerprint: 'folded_with',
  profileFingerprint: 'profiles_made_of',
};
/** The other rows of the table are not read with them. */
const isMeta: Readonly<Record<keyof Meta, true>> = {
  schema_version: true,
  config: true,
  configFingerprint: true,
  profiles_as_of: true,
  profiles_all_as_of: true,
  profiles_all_at: true,
  profiles_last_time: true,
  profiles_refresh: true,
  profiles_native_price: true,
  profileFingerprint: true,
  views: true,
  horizon: true,
};
/** What goes with the profiles when they are dropped. */
export const metaOfProfiles = [
  'profiles_as_of',
  'profiles_all_as_of',
  'profiles_all_at',
  'profiles_last_time',
  'profiles_native_price',
] as const satisfies readonly (keyof Meta)[];
const names = Object.keys(isMeta);
const namesOfStored = new Map(Object.entries(storedNames).map(([name, stored]) => [stored, name]));

function storedName(name: string): string {
  return storedNames[name] ?? name;
}

export async function readMeta(reader: Reader): Promise<Partial<Meta>> {
  const where = isIn('name', names.map(storedName));
  const { columns } = await reader.read({ table: metaTable, columns: ['name', 'value'], where });
  return Object.fromEntries(columns.name.map((name, i) => [namesOfStored.get(name!) ?? name, columns.value[i]]));
}

/** As-of time of the stored profiles; `null` if no refresh has run. */
export async function readProfilesAsOf(reader: Reader): Promise<number | null> {
  const value = await readValue(reader, 'profiles_as_of');
  return value === null ? null : Number(value);
}

/** What the native token was worth at their as-of time, USD; `NaN` if that is unknown. */
export async function readProfilesNativePrice(reader: Reader): Promise<number> {
  return Number((await readValue(reader, 'profiles_native_price')) ?? Number.NaN);
}

/** Where the store begins, as JSON; `null` in a store that has forgotten nothing. */
export async function readHorizonText(reader: Reader): Promise<string | null> {
  return readValue(reader, 'horizon');
}

/** Writes settings in place of those of the same names; those that are `undefined` are removed. */
export async function writeMeta(
  writer: Writer,
  values: { readonly [K in keyof Meta]?: Meta[K] | undefined },
): Promise<void> {
  await removeMeta(writer, Object.keys(values) as (keyof Meta)[]);
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  await writer.append(metaTable, {
    length: entries.length,
    columns: { name: entries.map(([name]) => storedName(name)), value: entries.map(([, value]) => value) },
  });
}

export async function removeMeta(writer: Writer, names: readonly (keyof Meta)[]): Promise<void> {
  await writer.remove(metaTable, isIn('name', names.map(storedName)));
}

/** Before the name of a source, in the table of what the store keeps of itself. */
const PREFIX = 'source:';

/** How far a source has been read; `null` if nothing of it is stored. */
export async function readPlace(reader: Reader, source: string): Promise<string | null> {
  return readValue(reader, PREFIX + source);
}

async function readValue(reader: Reader, name: string): Promise<string | null> {
  const { columns } = await reader.read({ table: metaTable, columns: ['value'], where: compare('name', 'eq', name) });
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
