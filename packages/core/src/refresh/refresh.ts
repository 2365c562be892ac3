import { SwapfoldError } from '../errors.ts';
import { markDirty } from '../ingest/dirty.ts';
import { show } from '../nearest.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import { dirtyTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { everything, isIn } from '../storage/predicate.ts';
import type { FoldStale } from './fold-stale.ts';
import type { FoldMessage } from './fold-task.ts';

export interface RefreshOptions extends Pick<FoldStale, 'isFull'> {
  /** What is folded, in any order. */
  readonly folded: AsyncIterable<FoldMessage>;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const scopes = ['all', 'traded'] as const;

/** Whether a refresh folds those too that time alone has changed. Errors: `invalid-input` for an unknown scope. */
export function isAging(scope: (typeof scopes)[number] | undefined): boolean {
  if (scope === undefined || scopes.includes(scope)) return scope !== 'traded';
  throw new SwapfoldError('invalid-input', `"scope" of a refresh must be "all" or "traded", not ${show(scope)}.`, {
    details: [{ path: 'scope', message: 'expected "all" or "traded"' }],
  });
}

/** How many profiles were folded. */
export interface RefreshResult {
  readonly as_of: number;
  readonly tokens: number;
  readonly wallets: number;
}

/**
 * Brings the stored profiles to the context's as-of time, inside one transaction: stores what was folded of the entities that changed or
 * whose profile time has passed by, and leaves the others, which hold.
 */
export async function refreshProfiles(
  writer: Writer,
  context: QueryContext,
  { folded, isFull, onProgress }: RefreshOptions,
): Promise<RefreshResult> {
  const missing: Record<ProfileKind, number[]> = { tokens: [], wallets: [] };
  const stored: Record<ProfileKind, number> = { tokens: 0, wallets: 0 };
  let total = 0;
  let done = 0;
  let isCleared = !isFull;
  for await (const some of folded) {
    if (some.kind === 'found') {
      total += some.entities;
      continue;
    }
    // Only now: until the first profiles are there, the old ones tell which there were.
    if (!isCleared) await clear(writer, context);
    isCleared = true;
    const { kind, ids, rows } = some;
    const { table } = context.shapes[kind];
    if (!isFull && ids.length > 0) await writer.remove(table, isIn('id', ids));
    await writer.append(table, rows);
    for (const id of some.missing) missing[kind].push(id);
    stored[kind] += rows.length;
    done += rows.length + some.missing.length;
    onProgress?.(done, total);
  }
  if (!isCleared) await clear(writer, context);
  await settleDirty(writer, context, missing);
  return { as_of: context.asOf, ...stored };
}

async function clear(writer: Writer, { shapes }: QueryContext): Promise<void> {
  for (const { table } of [shapes.tokens, shapes.wallets]) await writer.remove(table, everything);
}

/** Entities that the as-of time hides stay dirty, so that a later refresh finds them. */
async function settleDirty(
  writer: Writer,
  context: QueryContext,
  missing: Readonly<Record<ProfileKind, readonly number[]>>,
): Promise<void> {
  if (context.asOf < (context.lastTime ?? 0)) {
    for (const kind of ['tokens', 'wallets'] as const)
      await markDirty(writer, kind, new Map(missing[kind].map((id) => [id, 0])));
    return;
  }
  await writer.remove(dirtyTable, everything);
}
