import { SwapfoldError } from '../errors.ts';
import { isDirty, NO_SWAP } from '../ingest/changes.ts';
import { show } from '../nearest.ts';
import type { EntityKind } from '../profiles/fields.ts';
import type { Batch, Table } from '../records/columns.ts';
import { dirtyTable, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { compare } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';

/** Which profiles a refresh folds. */
export interface StaleScope {
  /** Every entity anew: the as-of time went back, or metrics or rules changed. */
  readonly isFull: boolean;
  /** Whether those too whose profile time alone has changed, and not only those that were traded. */
  readonly isAging: boolean;
}

/** Entities to fold, ascending, and the block time of the first swap that changed, of those with one. */
export interface StaleEntities {
  readonly ids: Int32Array;
  readonly since: ReadonlyMap<number, number>;
}

const scopes = ['all', 'traded'] as const;

/** Whether a refresh folds those too that time alone has changed. Errors: `invalid-input` for an unknown scope. */
export function isAging(scope: (typeof scopes)[number] | undefined): boolean {
  if (scope === undefined || scopes.includes(scope)) return scope !== 'traded';
  throw new SwapfoldError('invalid-input', `"scope" of a refresh must be "all" or "traded", not ${show(scope)}.`, {
    details: [{ path: 'scope', message: 'expected "all" or "traded"' }],
  });
}

/** The entities of a kind that changed, or whose profile time has passed by. The stored profiles of all others hold. */
export async function findStale(
  { reader, shapes, asOf }: FoldContext,
  kind: EntityKind,
  { isFull, isAging }: StaleScope,
): Promise<StaleEntities> {
  const since = new Map<number, number>();
  const dirty = { table: dirtyTable, columns: ['id', 'since'], where: isDirty(kind) } as const;
  for await (const { columns, length } of reader.stream(dirty))
    for (let row = 0; row < length; row++)
      since.set(columns.id[row]!, Math.min(since.get(columns.id[row]!) ?? NO_SWAP, columns.since[row]!));
  const ids = new Set(since.keys());
  const { table } = shapes[kind];
  const take = async (rows: AsyncIterable<Batch>): Promise<void> => {
    for await (const { columns } of rows)
      for (const column of Object.values(columns)) for (const id of column as Int32Array) ids.add(id);
  };
  if (isFull) {
    const registry: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
    // Not from the stored profiles: they may be those that are dropped, or lost.
    const columns = kind === 'tokens' ? (['token_in', 'token_out'] as const) : (['wallet'] as const);
    await take(reader.stream({ table: swapsTable, columns }) as AsyncIterable<Batch>);
    await take(reader.stream({ table: registry, columns: ['id'] }));
  } else if (isAging) {
    await take(reader.stream({ table, columns: ['id'], where: compare('fresh_until', 'lt', asOf) }));
  }
  return { ids: Int32Array.from(ids).sort(), since };
}
