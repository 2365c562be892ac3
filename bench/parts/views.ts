import { type Part, rowMaker } from '../part.ts';
import { runTask } from '../run-task.ts';

export const viewsPart: Part = {
  what: 'the views for SQL beside the tables behind them; not on ClickHouse',
  needsStore: true,
  async run({ engine, swaps, root }) {
    if (engine === 'clickhouse') return [];
    const { result, memory } = await runTask('askViews', { engine, swaps, root });
    const row = rowMaker('views', engine, memory);
    return result.map(({ question, view, raw }) =>
      row(`SQL, processor time: ${question}`, view, 'the tables, asked by somebody who knows them', { baseline: raw }),
    );
  },
};
