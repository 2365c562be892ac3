import { columnOf } from '../../profiles/fields.ts';
import { searchedPlan } from '../../queries/profiles.ts';
import { profileBatch, profileColumns, profilePages } from '../profile-pages.ts';
import type { ExportRequest } from '../request.ts';
import type { ExportThing } from '../thing.ts';

const kindOf = ({ kind }: ExportRequest): 'wallets' | 'tokens' => kind ?? 'wallets';

export const profiles: ExportThing = {
  rows: 'One row a stored profile, in no order that means anything.',
  options: ['kind', 'filter', 'asOf'],
  columns: (shapes, request) => profileColumns(shapes[kindOf(request)].fields),
  async *read(context, request, wanted) {
    const shape = context.shapes[kindOf(request)];
    const { where } = await searchedPlan(context, kindOf(request), request.filter);
    const columns = wanted.map((path) => columnOf(shape.byPath.get(path)!));
    for await (const rows of profilePages(context, { table: shape.table, columns, where }))
      yield profileBatch(shape, wanted, rows);
  },
};
