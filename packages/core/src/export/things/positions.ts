import { columnOf, isStored } from '../../profiles/fields.ts';
import { openPositions } from '../../queries/positions/search.ts';
import { profileBatch, profileColumns, profilePages } from '../profile-pages.ts';
import type { ExportThing } from '../thing.ts';

export const positions: ExportThing = {
  rows: 'One row a stored position, in no order that means anything.',
  options: ['filter', 'asOf'],
  columns: ({ positions: shape }) =>
    profileColumns(shape.fields.filter((field) => isStored(field) || !field.path.startsWith('metrics.'))),
  async *read(context, { filter }, wanted) {
    const shape = context.shapes.positions;
    const columns = wanted.map((path) => columnOf(shape.byPath.get(path)!));
    const { where, completer, candidates } = await openPositions(context, filter);
    const completion = completer.completionOf(columns);
    if (candidates !== undefined) {
      // The filter reads what is computed, of a bounded number of positions.
      yield profileBatch(shape, wanted, await candidates(columns));
      return;
    }
    for await (const rows of profilePages(context, { table: shape.table, columns: completion.stored, where }))
      yield profileBatch(shape, wanted, await completer.complete(rows, completion));
  },
};
