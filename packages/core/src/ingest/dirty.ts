import type { ProfileKind } from '../profiles/fields.ts';
import { dirtyTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';

/** Notes entities for the next refresh; noting one again changes nothing. */
export async function markDirty(writer: Writer, kind: ProfileKind, ids: Iterable<number>): Promise<void> {
  const distinct = new Set(ids);
  const noted = await writer.read({
    table: dirtyTable,
    columns: ['id'],
    where: and(compare('entity', 'eq', kind), isIn('id', Int32Array.from(distinct))),
  });
  for (const id of noted.columns.id) distinct.delete(id);
  await writer.append(dirtyTable, {
    length: distinct.size,
    columns: { entity: new Array<string>(distinct.size).fill(kind), id: Int32Array.from(distinct) },
  });
}
