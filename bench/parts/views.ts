import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** The views for SQL beside the tables behind them, processor time. */
export const viewsPart: Part = {
  what: 'the views for SQL beside the tables behind them; not on ClickHouse',
  needsStore: true,
  async run({ engine, swaps, root }): Promise<Row[]> {
    if (engine === 'clickhouse') return [];
    const { result } = await runTask('askViews', { engine, swaps, root });
    return result.map(({ question, view, raw }) => ({
      part: 'views',
      engine: engineNames[engine],
      operation: `SQL, processor time: ${question}`,
      unit: 'ms',
      ours: view.median,
      baseline: raw.median,
      what: 'the tables, asked by somebody who knows them',
      target: null,
      spread: view.quartiles,
    }));
  },
};
