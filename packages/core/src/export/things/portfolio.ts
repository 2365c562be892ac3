import { portfolio as portfolioOf, portfolioTokenSchema } from '../../queries/portfolio.ts';
import { batchOfRows, columnsOfSchema } from '../column.ts';
import type { ExportThing } from '../thing.ts';

const columns = columnsOfSchema(portfolioTokenSchema, []);

export const portfolio: ExportThing = {
  rows: 'One row a token that the wallet holds, the largest value first.',
  options: ['wallet', 'asOf'],
  needs: [['wallet']],
  columns: () => columns,
  async *read(context, { wallet }) {
    const { tokens } = await portfolioOf(context, { wallet: wallet! });
    yield batchOfRows(columns, tokens as unknown as Readonly<Record<string, unknown>>[]);
  },
};
