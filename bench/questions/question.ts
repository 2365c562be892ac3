import assert from 'node:assert/strict';
import type { Swapfold } from '@swapfold/core';
import type { Engine } from '../files.ts';
import type { PlainSql } from '../plain/sql.ts';
import type { Target } from '../row.ts';
import type { Samples } from '../samples.ts';

/** A question to Swapfold, and the plain SQL that answers it. `i` varies what is asked about. */
export interface Question {
  readonly operation: string;
  /**
   * Milliseconds that an answer may take at most, or another target, on engines in this process; on ClickHouse the plain SQL is the measure.
   */
  readonly most: Readonly<Record<Exclude<Engine, 'clickhouse'>, number | Target>>;
  /** Milliseconds that the first answer of a process may take on DuckDB, which has just opened its store. */
  readonly first?: number;
  readonly ours: (i: number) => Promise<unknown>;
  readonly baseline: (i: number) => Promise<unknown>;
  /** What the baseline is. */
  readonly what: string;
  readonly check: (ours: never, baseline: never, i: number) => void;
}

/** What questions are made of. */
export interface Asked {
  readonly dex: Swapfold;
  readonly plain: PlainSql;
  readonly samples: Samples;
}

/** Sums of doubles in another order differ in their last bits. */
export function assertNear(actual: number | null, expected: unknown, what: string): void {
  const [a, b] = [actual ?? 0, Number(expected ?? 0)];
  assert.ok(Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(a), Math.abs(b)), `${what}: ${a}, not ${b}`);
}
