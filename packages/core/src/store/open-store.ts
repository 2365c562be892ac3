import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { type Part, showPart } from '../ingest/part.ts';
import { show } from '../nearest.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { Table } from '../records/columns.ts';
import { fixedTables, metaTable } from '../records/tables.ts';
import { writeUntilAborted } from '../storage/abortable.ts';
import type { StorageAdapter, Writer } from '../storage/adapter.ts';
import { readMeta, removeMeta, writeMeta } from './meta.ts';

/** Layout of the tables. Raise it with every change of a table, and say in `migrations` what becomes of older files. */
export const SCHEMA_VERSION = 3;

/** What a store of each older version needs. `rederive` drops all derived tables and folds the stored swaps again. */
const migrations: Readonly<Record<number, 'rederive'>> = {
  // Version 1 kept no running cost with the open lots.
  1: 'rederive',
  // Version 2 kept no open cost from before a trade.
  2: 'rederive',
};

/** What has to be folded again before a store can be used: swaps (`all`) or only profiles. */
export type Refold = 'none' | 'profiles' | 'all';

/**
 * Creates or checks the tables of a store, and folds again what is folded otherwise: in one transaction, so that a store is found
 * either as it was or as it ought to be.
 *
 * - `fold` is called inside that transaction.
 * - Errors: `newer-schema`, `foreign-store`, `store-mismatch` (unless `rebuild`), `read-only` where the store would have to be changed
 *   and cannot be; the store is left as it was.
 */
export async function openStore(
  storage: StorageAdapter,
  options: {
    readonly config: Config;
    readonly shapes: Readonly<Record<ProfileKind, ProfileShape>>;
    readonly madeOf: string;
    readonly rebuild: boolean;
    readonly shard: Part | undefined;
    readonly signal: AbortSignal | undefined;
    readonly fold: (writer: Writer, refold: Refold) => Promise<void>;
  },
): Promise<void> {
  await storage.open({ tables: [metaTable] });
  const meta = await storage.snapshot(readMeta, 'look-ups');
  const version = meta.schema_version === undefined ? undefined : Number(meta.schema_version);
  if (version !== undefined && version > SCHEMA_VERSION) {
    throw new SwapfoldError(
      'newer-schema',
      `The store has schema version ${version}; this Swapfold knows versions up to ${SCHEMA_VERSION}. Upgrade Swapfold to open it.`,
    );
  }
  const foldedWith = foldingOf(options.config, options.shard);
  const hasOtherPart = meta.folded_with !== undefined && read(meta.folded_with).shard !== read(foldedWith).shard;
  if (hasOtherPart) {
    const [theirs, ours] = [meta.folded_with!, foldedWith].map((folding) => partName(read(folding).shard));
    throw new SwapfoldError('store-mismatch', `The store holds ${theirs}, and is opened as one that holds ${ours}.`, {
      details: [{ path: 'shard', message: `the store holds ${theirs}` }],
    });
  }
  if (meta.folded_with !== undefined && meta.folded_with !== foldedWith && !options.rebuild) {
    const details = differing(meta.folded_with, foldedWith).map((field) => ({
      path: field,
      message: `the store has ${show(read(meta.folded_with!)[field])}, the configuration ${show(read(foldedWith)[field])}`,
    }));
    throw new SwapfoldError(
      'store-mismatch',
      `The store was folded with another configuration: ${details.map(({ path, message }) => `"${path}": ${message}`).join('; ')}.`,
      { details },
    );
  }
  const isOld = version !== undefined && version < SCHEMA_VERSION;
  if (isOld && migrations[version] === undefined)
    throw new SwapfoldError(
      'foreign-store',
      `The store has schema version ${version}, which this Swapfold cannot migrate.`,
    );
  const isSame = !isOld && (meta.folded_with === undefined || meta.folded_with === foldedWith);
  const areProfilesSame = isSame && meta.profiles_made_of === options.madeOf;
  const outdated = await outdatedTables(storage, options.shapes, { isOld, areProfilesSame });
  const refold = version === undefined ? 'none' : !isSame ? 'all' : areProfilesSame ? 'none' : 'profiles';
  if (storage.isReadOnly) {
    if (version !== undefined && refold === 'none' && outdated.length === 0) return;
    throw new SwapfoldError(
      'read-only',
      'The store has to be made, or folded again for this version or configuration, and is open for reading only. Open it for writing once.',
    );
  }
  await writeUntilAborted(storage, options.signal, async (writer) => {
    for (const table of outdated) await writer.recreate(table);
    if (isOld) for (const table of fixedTables) if (!outdated.includes(table)) await writer.reindex(table);
    await writeMeta(writer, {
      schema_version: String(SCHEMA_VERSION),
      folded_with: foldedWith,
      profiles_made_of: options.madeOf,
    });
    if (!areProfilesSame) await removeMeta(writer, ['profiles_as_of', 'profiles_last_time']);
    await options.fold(writer, refold);
  });
}

/** Tables that are missing, or whose columns are others by now. */
async function outdatedTables(
  storage: StorageAdapter,
  shapes: Readonly<Record<ProfileKind, ProfileShape>>,
  state: { readonly isOld: boolean; readonly areProfilesSame: boolean },
): Promise<readonly Table[]> {
  const profiles: readonly Table[] = [shapes.tokens.table, shapes.wallets.table];
  const stored = await storage.tables();
  return ([...fixedTables, ...profiles] as readonly Table[]).filter((table) => {
    const isOld = (state.isOld && table.derived) || (profiles.includes(table) && !state.areProfilesSame);
    return isOld || !stored.has(table.name);
  });
}

/** The part of a configuration that stored numbers depend on, and which wallets are stored where it is not all. */
export function foldingOf(config: Config, part: Part | undefined): string {
  return JSON.stringify({
    address_format: config.address_format,
    quote_tokens: config.quote_tokens.map(({ address, kind }) => ({ address, kind })),
    dust_usd: config.dust_usd,
    ...(part === undefined ? {} : { shard: showPart(part) }),
  });
}

/** What a store of a shard holds, as messages name it. */
function partName(shard: unknown): string {
  return shard === undefined ? 'all wallets' : `part ${String(shard)} of the wallets`;
}

function read(folding: string | undefined): Readonly<Record<string, unknown>> {
  return JSON.parse(folding ?? '{}') as Record<string, unknown>;
}

/** Fields of the configuration in which two foldings differ. */
function differing(stored: string, configured: string): string[] {
  const [a, b] = [read(stored), read(configured)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]),
  );
}
