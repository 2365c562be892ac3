import { engineNames } from '../files.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Trades as files, beside the engine's own copy of its raw table, which joins no texts. */
export const exportPart: Part = {
  what: "trades as Parquet, CSV and NDJSON; DuckDB's COPY of its raw table beside",
  needsStore: true,
  async run({ engine, swaps, root }): Promise<Row[]> {
    const { result, memory } = await runTask('exportTrades', { engine, swaps, root });
    return Object.entries(result.formats).map(([format, { milliseconds, bytes }]) => ({
      part: 'export',
      engine: engineNames[engine],
      operation: `export ${result.trades.toLocaleString('en-US')} trades as ${format}`,
      unit: 'ms',
      ours: milliseconds,
      baseline: result.copied,
      what: `${(bytes / 1e6).toFixed(0)} MB; COPY of the raw table to Parquet`,
      target: null,
      memory,
    }));
  },
};
