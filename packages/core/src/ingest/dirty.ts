import type { ProfileKind } from '../profiles/fields.ts';
import { dirtyTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';

/** Notes entities for the next refresh; noting one again changes nothing. */
export async function markDirty(writer: Writer, kind: ProfileKind, ids: Iterable<number>): Promise<void> {
  const distinct = Int32Array.from(new Set(ids));
  await writer.remove(dirtyTable, and(compare('entity', 'eq', kind), isIn('id', distinct)));
  await writer.append(dirtyTable, {
    length: distinct.length,
    columns: { entity: new Array<string>(distinct.length).fill(kind), id: distinct },
  });
}
