import { createHash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { SwapfoldError } from '../../errors.ts';
import { carriedTablesOf, parseHorizon } from '../../ingest/carried.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { carriedTables } from '../../records/carried-tables.ts';
import type { Table } from '../../records/columns.ts';
import type { ProfileKind } from '../../records/profile-fields.ts';
import { fixedTables, metaTable } from '../../records/tables.ts';
import type { StorageAdapter, ViewDefinition, Writer } from '../../storage/adapter.ts';
import { type Meta, metaOfProfiles, readMeta, removeMeta, writeMeta } from '../../storage/meta.ts';
import { transact } from '../../storage/transaction.ts';
import { formatTime } from '../../time.ts';
import { changesOf, type Folding, type Mismatch, mismatchError, mismatchesOf, refuseShard } from './folding.ts';
import { configText } from './remembered-config.ts';

/** Layout of the tables. Raise it with every change of a table other than a new column of a swap: older stores are folded again. */
export const SCHEMA_VERSION = 11;

/** That of a store with a horizon: a Swapfold that knows none would take what is left for all that there was. */
export const HORIZON_VERSION = 12;

/**
 * The first version that this Swapfold can migrate. Each older store has swaps that everything else can be derived from: its derived tables
 * are dropped, and its swaps folded again, once that is asked for. Tables that were given get the columns that they lack, empty.
 */
const OLDEST_VERSION = 1;

function needsRederiving(found: Partial<Meta>): boolean {
  return found.schema_version !== undefined && Number(found.schema_version) < SCHEMA_VERSION;
}

/** What has to be folded again before a store can be used: swaps (`all`) or only profiles. */
export type Refold = 'none' | 'profiles' | 'all';

export interface OpenStoreOptions {
  /** What the store says of itself: see `findStore`. */
  readonly found: Partial<Meta>;
  readonly shapes: Readonly<Record<ProfileKind, ProfileShape>>;
  readonly folding: Folding;
  readonly config: Config;
  readonly views: readonly ViewDefinition[];
  readonly onMismatch: 'refuse' | 'refold';
  readonly signal: AbortSignal | undefined;
  /** Called inside the transaction that makes the store, or drops what it replaces. */
  readonly fold: (writer: Writer, refold: Refold) => Promise<void>;
}

/**
 * Opens the storage and reads what the store says of itself; nothing if it is to be made. `onError` receives what fails without denying a call.
 *
 * - Errors: `newer-schema`, `foreign-store`; `behind-horizon` where an earlier version forgot swaps that would have to be folded again.
 */
export async function findStore(storage: StorageAdapter, onError: (error: unknown) => void): Promise<Partial<Meta>> {
  await storage.open({ tables: [metaTable], onError });
  const found = await storage.snapshot(readMeta, 'point');
  const version = Number(found.schema_version ?? SCHEMA_VERSION);
  const most = found.horizon === undefined ? SCHEMA_VERSION : HORIZON_VERSION;
  if (version > most)
    throw new SwapfoldError(
      'newer-schema',
      `The store has schema version ${version}; this Swapfold knows versions up to ${most}. Upgrade Swapfold to open it.`,
    );
  if (version < OLDEST_VERSION)
    throw new SwapfoldError(
      'foreign-store',
      `The store has schema version ${version}, which this Swapfold cannot migrate.`,
    );
  if (found.horizon !== undefined && version < HORIZON_VERSION)
    throw new SwapfoldError(
      'behind-horizon',
      `An earlier version made the store: it has schema version ${version}, this Swapfold writes ${HORIZON_VERSION}. The store has forgotten the swaps before ${formatTime(parseHorizon(found.horizon).time)}, so that they can't be folded again. Import all swaps into a new store, or open it with the version that made it.`,
    );
  return found;
}

/**
 * Makes a store, or checks one that `findStore` found. One that was folded otherwise is refused, or folded again in one transaction, so that
 * it is found either as it was or as it ought to be. Columns that
 * were added since are added empty, without folding. One that matches is not written to.
 *
 * - Errors: `store-mismatch` (unless `onMismatch` is 'refold'), `store-damaged`, and `read-only` where the store would have to be changed
 *   and cannot be; the store is left as it was.
 */
export async function openStore(storage: StorageAdapter, options: OpenStoreOptions): Promise<void> {
  const { found, folding, config, views, onMismatch } = options;
  const isNew = found.schema_version === undefined;
  refuseShard(found);
  const stored = await storage.tables();
  refuseUnknownColumns(stored);
  const missing = missingTables(stored, options);
  const narrow = isNew ? [] : narrowTables(stored);
  const isOlder = Number(found.schema_version) < SCHEMA_VERSION;
  const lost = missing.filter(({ isAdded }) => !(isOlder && isAdded));
  const mismatches = isNew ? [] : mismatchesWith(options, stored, lost);
  refuseForgotten(mismatches, options);
  if (mismatches.length > 0 && onMismatch === 'refuse') throw mismatchError(mismatches, remedyOf(mismatches, found));
  const settings: Partial<Meta> = {
    schema_version: String(found.horizon === undefined ? SCHEMA_VERSION : HORIZON_VERSION),
    ...folding,
    config: configText(config),
    ...versionOf(views),
  };
  const isAsWritten = Object.entries(settings).every(([name, value]) => found[name as keyof Meta] === value);
  if (mismatches.length === 0 && narrow.length === 0 && isAsWritten) return;
  if (storage.isReadOnly) {
    if (narrow.length > 0) throw narrowError(narrow);
    // The same settings in other words.
    if (mismatches.length === 0 && !isNew && !isOlder) return;
    const what = isOlder
      ? 'An earlier version made the store: it has to be migrated'
      : 'The store has to be made, or folded again';
    throw new SwapfoldError('read-only', `${what}, and is open for reading only. Open it for writing once.`);
  }
  const refold = refoldOf(mismatches);
  await transact(storage, { signal: options.signal }, async (writer) => {
    for (const table of narrow) await writer.addColumns(table);
    await replaceTables(writer, { ...options, missing, refold });
    if (found.views !== settings.views) await writer.defineViews?.(views);
    await writeMeta(writer, settings);
    if (refold !== 'none') await removeMeta(writer, metaOfProfiles);
    if (isNew || refold !== 'none') await options.fold(writer, refold);
  });
}

/** Which views a store has, as it remembers it: nothing without any. */
function versionOf(views: readonly ViewDefinition[]): Partial<Meta> {
  return views.length === 0 ? {} : { views: createHash('sha256').update(JSON.stringify(views)).digest('hex') };
}

/** Drops and creates what is missing, of another layout, or folded again as a whole. */
async function replaceTables(
  writer: Writer,
  {
    found,
    shapes,
    missing,
    refold,
  }: OpenStoreOptions & { readonly missing: readonly Table[]; readonly refold: Refold },
): Promise<void> {
  const isOld = needsRederiving(found);
  const profiles = profileTables(shapes);
  for (const table of [...fixedTables, ...profiles] as readonly Table[]) {
    const isReplaced = (isOld && table.derived) || (refold !== 'none' && profiles.includes(table));
    if (isReplaced || missing.includes(table)) await writer.recreate(table);
    else if (isOld && !profiles.includes(table)) await writer.reindex(table);
  }
}

function profileTables(shapes: OpenStoreOptions['shapes']): readonly Table[] {
  return Object.values(shapes).map(({ table }) => table);
}

type StoredTables = Awaited<ReturnType<StorageAdapter['tables']>>;

/** Errors: `newer-schema` where a given table has a column that this Swapfold does not know, and would leave empty. */
function refuseUnknownColumns(stored: StoredTables): void {
  for (const { name, columns, derived } of [...fixedTables, ...carriedTables] as readonly Table[]) {
    const unknown = derived ? undefined : stored.get(name)?.find((column) => columns[column] === undefined);
    if (unknown === undefined) continue;
    throw new SwapfoldError(
      'newer-schema',
      `The store's table "${name}" has the column "${unknown}", which this Swapfold does not know. Upgrade Swapfold to open it.`,
    );
  }
}

/** Tables that lack columns which were added since. */
function narrowTables(stored: StoredTables): readonly Table[] {
  const tables: readonly Table[] = [...fixedTables, ...carriedTables];
  return tables.filter(({ name, added = [] }) => added.some((column) => stored.get(name)?.includes(column) === false));
}

function narrowError(tables: readonly Table[]): SwapfoldError {
  const names = tables.map(({ name }) => `"${name}"`).join(', ');
  return new SwapfoldError(
    'read-only',
    `An earlier version made the store: its table ${names} lacks columns, and the store is open for reading only. Open it for writing once.`,
  );
}

function missingTables(stored: StoredTables, { shapes, found }: OpenStoreOptions): readonly Table[] {
  const carried = carriedTablesOf(parseHorizon(found.horizon));
  const tables: readonly Table[] = [...fixedTables, ...carried, ...profileTables(shapes)];
  return tables.filter(({ name }) => !stored.has(name));
}

/** Errors: `behind-horizon` where the swaps would have to be folded with other settings, and some of them are forgotten. */
function refuseForgotten(mismatches: readonly Mismatch[], { found, onMismatch }: OpenStoreOptions): void {
  const { time } = parseHorizon(found.horizon);
  const fixed: readonly Table[] = fixedTables;
  const other = mismatches.find(({ path, refold }) => refold === 'all' && !fixed.some(({ name }) => name === path));
  if (time === 0 || other === undefined || onMismatch === 'refuse') return;
  throw new SwapfoldError(
    'behind-horizon',
    `The store was folded with another "${other.path}", and has forgotten the swaps before ${formatTime(time)}, so that they can't be folded again. Import them into a new store.`,
  );
}

/** What a store was folded with otherwise. Columns come last, because other metrics are other columns, too. */
function mismatchesWith(
  { found, folding, shapes }: OpenStoreOptions,
  stored: StoredTables,
  missing: readonly Table[],
): readonly Mismatch[] {
  const named = [...layoutMismatches(found, missing), ...mismatchesOf(found, folding)];
  return named.length > 0 ? named : columnMismatches(stored, profileTables(shapes));
}

/** Tables of profiles that lack a field which was declared since, or have one which is no more. */
function columnMismatches(stored: StoredTables, profiles: readonly Table[]): readonly Mismatch[] {
  return profiles.flatMap(({ name, columns }) => {
    const there = new Map(stored.get(name)?.map((column) => [column, true]));
    const message = changesOf(there, new Map(Object.keys(columns).map((column) => [column, true])));
    return message === undefined ? [] : [{ path: name, message, refold: 'profiles' as const }];
  });
}

/** Errors: `store-damaged` where a table is missing that nothing can be folded from. */
function layoutMismatches(found: Partial<Meta>, missing: readonly Table[]): readonly Mismatch[] {
  if (needsRederiving(found)) {
    const message = `the store has ${found.schema_version}, this Swapfold writes ${SCHEMA_VERSION}`;
    return [{ path: 'schema_version', message, refold: 'all' }];
  }
  const lost = missing.filter(({ derived }) => !derived).map(({ name }) => `"${name}"`);
  if (lost.length > 0) throw new SwapfoldError('store-damaged', `The store has lost its table ${lost.join(', ')}.`);
  const fixed: readonly Table[] = fixedTables;
  return missing.map((table) => ({
    path: table.name,
    message: 'the table is missing',
    refold: fixed.includes(table) ? 'all' : 'profiles',
  }));
}

function refoldOf(mismatches: readonly Mismatch[]): Refold {
  if (mismatches.length === 0) return 'none';
  return mismatches.some(({ refold }) => refold === 'all') ? 'all' : 'profiles';
}

function remedyOf(mismatches: readonly Mismatch[], found: Partial<Meta>): string {
  const what = refoldOf(mismatches) === 'all' ? 'everything' : 'the profiles';
  const own =
    found.config === undefined
      ? 'the settings that it was folded with, which it does not remember'
      : 'its own settings';
  return `Open it with ${own}, or with onMismatch: 'refold' to fold ${what} again.`;
}
