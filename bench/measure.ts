/** One measure: ours beside a baseline that does the same work, in the same run. */
export interface Measured {
  readonly operation: string;
  readonly engine: string;
  /** Milliseconds, the median of the runs. */
  readonly ours: number;
  readonly baseline: number;
  readonly what: string;
}

/** A pair to time: both must have given the same answer before (`check` throws where they do not). */
export interface Pair {
  readonly operation: string;
  readonly engine: string;
  readonly ours: () => Promise<unknown>;
  readonly baseline: () => Promise<unknown> | unknown;
  /** What the baseline is. */
  readonly what: string;
  readonly check?: (ours: unknown, baseline: unknown) => void;
  readonly runs?: number;
}

/** Times a pair in turns, ours first in one round and last in the next, after a warm-up whose answers are compared. */
export async function measure(pair: Pair): Promise<Measured> {
  for (let i = 0; i < 3; i++) {
    const [ours, baseline] = [await pair.ours(), await pair.baseline()];
    pair.check?.(ours, baseline);
  }
  const times: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  const runs = pair.runs ?? 31;
  for (let i = 0; i < runs; i++) {
    for (const side of i % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)) {
      const start = performance.now();
      consume(await pair[side]());
      times[side].push(performance.now() - start);
    }
  }
  return {
    operation: pair.operation,
    engine: pair.engine,
    ours: median(times.ours),
    baseline: median(times.baseline),
    what: pair.what,
  };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

let sink = 0;

/** Uses a result, so that no engine can leave the work out. */
function consume(result: unknown): void {
  sink = (sink + (typeof result === 'object' && result !== null ? Object.keys(result).length : 1)) % 1e9;
}

/** The measures as a table, in the order given. */
export function asTable(rows: readonly Measured[]): string {
  const cells = [
    ['operation', 'engine', 'ours', 'baseline', 'ratio', 'the baseline is'],
    ...rows.map((row) => [
      row.operation,
      row.engine,
      time(row.ours),
      time(row.baseline),
      `${(row.ours / row.baseline).toFixed(2)}x`,
      row.what,
    ]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column >= 2 && column <= 4 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function time(milliseconds: number): string {
  return milliseconds >= 1000
    ? `${(milliseconds / 1000).toFixed(2)} s`
    : `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;
}
