import { listedTrades, servedTrades, tradeSchema } from '../../queries/trades.ts';
import { tradesTable } from '../../records/tables.ts';
import { compare } from '../../storage/predicate.ts';
import { addressCondition, chainPages } from '../chain-pages.ts';
import { batchOfRows, columnsOfSchema } from '../column.ts';
import type { ExportThing } from '../thing.ts';

const columns = columnsOfSchema(tradeSchema, ['block_time']);

export const trades: ExportThing = {
  rows: 'One row a trade, in chain order.',
  options: ['wallet', 'token', 'from', 'to', 'asOf'],
  columns: () => columns,
  async *read(context, request) {
    const where = await addressCondition(context, request, (name, id) => compare(name, 'eq', id));
    if (where === undefined) return;
    const scan = { table: tradesTable, columns: listedTrades, where };
    for await (const rows of chainPages(context, scan, request)) {
      const { data } = await servedTrades(context, rows, rows.length);
      yield batchOfRows(columns, data as unknown as Readonly<Record<string, unknown>>[]);
    }
  },
};
