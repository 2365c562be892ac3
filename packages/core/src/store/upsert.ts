import { SwapfoldError } from '../errors.ts';
import { newChanges } from '../ingest/changes.ts';
import type { EntityKind } from '../profiles/fields.ts';
import { type UpsertResult, upsertRegistry } from '../registry/registry.ts';
import type { CallOptions } from '../storage/abortable.ts';
import type { StoreSession } from './session.ts';

/** As `Swapfold.tokens.upsert` and `Swapfold.wallets.upsert`. */
export async function upsertRows(
  session: StoreSession,
  kind: EntityKind,
  rows: readonly unknown[],
  { signal }: CallOptions,
): Promise<UpsertResult> {
  if (!Array.isArray(rows))
    throw new SwapfoldError('invalid-input', `Expected an array of ${kind}, received ${typeof rows}.`);
  return session.write({ signal, changes: { ...newChanges(), hasRegistryChanged: true } }, (writer) =>
    upsertRegistry(writer, session.dictionary, session.config, kind, rows),
  );
}
