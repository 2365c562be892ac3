import { swapSchema } from '../../queries/swap.ts';
import { listedSwaps, servedSwaps } from '../../queries/swaps.ts';
import { swapsTable } from '../../records/tables.ts';
import { compare, or } from '../../storage/predicate.ts';
import { addressCondition, chainPages } from '../chain-pages.ts';
import { batchOfRows, columnsOfSchema, type ExportColumn } from '../column.ts';
import type { ExportThing } from '../thing.ts';

/** Those of the interface, and what settles ties within a block: an import of the file puts the swaps in the same order. */
const columns: readonly ExportColumn[] = [
  ...columnsOfSchema(swapSchema, ['block_time']),
  { name: 'tx_index', type: 'integer' },
];

export const swaps: ExportThing = {
  rows: 'One row a swap, in chain order.',
  options: ['wallet', 'token', 'pool', 'from', 'to', 'asOf'],
  columns: () => columns,
  async *read(context, request) {
    const where = await addressCondition(context, request, (name, id) =>
      name === 'token' ? or(compare('token_in', 'eq', id), compare('token_out', 'eq', id)) : compare(name, 'eq', id),
    );
    if (where === undefined) return;
    const scan = { table: swapsTable, columns: listedSwaps, where };
    for await (const rows of chainPages(context, scan, request)) {
      const { data, transactions } = await servedSwaps(context, rows, rows.length);
      const whole = data.map((swap, i) => ({ ...swap, tx_index: transactions.get(rows.columns.tx[i]!)!.tx_index }));
      yield batchOfRows(columns, whole);
    }
  },
};
