import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** As much of nodejs-polars as the benchmark uses. */
export interface Polars {
  readonly col: (name: string) => Expression;
  readonly readParquet: (path: string) => Frame;
}

export interface Expression {
  eq(value: number): Expression;
  gt(value: number): Expression;
  gtEq(value: number): Expression;
  and(other: Expression): Expression;
  minus(other: Expression): Expression;
  modulo(value: number): Expression;
  dropNulls(): Expression;
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
  sort(by: { by: readonly string[]; descending: readonly boolean[] }): Frame;
  head(rows: number): Frame;
  rows(): unknown[][];
}

const VERSION = '0.25.2';
const folder = resolve(import.meta.dirname, '../../.swapfold/polars');

/** How to install it. It is no dependency: a native library of 50 MB a platform, for two rows of the benchmark. */
export const polarsAdvice = `npm install --prefix .swapfold/polars --include=optional nodejs-polars@${VERSION}; on Node 20 name the platform's package too, such as nodejs-polars-linux-x64-gnu@${VERSION}`;

/** nodejs-polars, or `undefined` where it is not installed. */
export function loadPolars(): Polars | undefined {
  try {
    const module = createRequire(join(folder, 'package.json'))('nodejs-polars') as Polars & { default?: Polars };
    return module.default ?? module;
  } catch {
    return undefined;
  }
}
