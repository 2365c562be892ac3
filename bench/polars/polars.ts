import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** As much of nodejs-polars as the benchmark uses. */
export interface Polars {
  readonly col: (name: string) => Expression;
  readonly readParquet: (path: string) => Frame;
}

export interface Expression {
  eq(value: number): Expression;
  neq(value: number): Expression;
  gt(value: number): Expression;
  lt(value: number): Expression;
  ltEq(value: number): Expression;
  filter(condition: Expression): Expression;
  gtEq(value: number): Expression;
  and(other: Expression): Expression;
  minus(other: Expression): Expression;
  mul(value: number): Expression;
  modulo(value: number): Expression;
  first(): Expression;
  last(): Expression;
  max(): Expression;
  min(): Expression;
  sum(): Expression;
  count(): Expression;
  isNotNull(): Expression;
  alias(name: string): Expression;
}

export interface Frame {
  readonly height: number;
  filter(condition: Expression): Frame;
  withColumns(...columns: readonly Expression[]): Frame;
  groupBy(name: string): { agg(...columns: readonly Expression[]): Frame };
  sort(by: { by: readonly Expression[]; descending: boolean }): Frame;
  head(rows: number): Frame;
  rows(): unknown[][];
}

const folder = resolve(import.meta.dirname, '../peers');

/** How to install it. It is no dependency: a native library of 50 MB a platform, for a few rows of the benchmark. */
export const polarsAdvice = 'npm ci --ignore-scripts --prefix bench/peers';

/** nodejs-polars, or `undefined` where it is not installed. */
export function loadPolars(): Polars | undefined {
  try {
    const module = createRequire(join(folder, 'package.json'))('nodejs-polars') as Polars & { default?: Polars };
    return module.default ?? module;
  } catch {
    return undefined;
  }
}
