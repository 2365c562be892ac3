import { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import Database from 'better-sqlite3';

/** How often a statement ran, and the milliseconds from its call until its rows were there, planning included. */
interface Cost {
  runs: number;
  milliseconds: number;
}

let costs: Map<string, Cost> | undefined;
let isPatched = false;

/** Counts what the statements of this process cost until `stop`, on the calling thread and on the engine's; those of other threads of ours are not seen. */
export function traceStatements(): { stop: () => string } {
  if (!isPatched) patchDrivers();
  isPatched = true;
  const counted = new Map<string, Cost>();
  costs = counted;
  return {
    stop() {
      costs = undefined;
      return asText(counted);
    },
  };
}

function count(sql: string, milliseconds: number, runs: number): void {
  if (costs === undefined) return;
  const known = costs.get(sql);
  if (known === undefined) costs.set(sql, { runs, milliseconds });
  else {
    known.runs += runs;
    known.milliseconds += milliseconds;
  }
}

function asText(counted: ReadonlyMap<string, Cost>): string {
  const alike = new Map<string, Cost>();
  for (const [sql, { runs, milliseconds }] of counted) {
    const name = sql.replace(/\s+/g, ' ').replace(/\(-?\d+(, -?\d+)*\)/g, '(numbers)');
    const known = alike.get(name);
    alike.set(name, { runs: runs + (known?.runs ?? 0), milliseconds: milliseconds + (known?.milliseconds ?? 0) });
  }
  const lines = [...alike].sort((a, b) => b[1].milliseconds - a[1].milliseconds);
  const total = lines.reduce((sum, [, { milliseconds }]) => sum + milliseconds, 0);
  const rows = lines.map(
    ([sql, { runs, milliseconds }]) =>
      `${milliseconds.toFixed(1).padStart(10)} ms ${String(runs).padStart(7)} x  ${sql}`,
  );
  return `${total.toFixed(1)} ms in statements; those that run side by side count each\n${rows.join('\n')}\n`;
}

type Method = (this: object, ...given: never[]) => unknown;

/** What a statement or a result is of. */
const sources = new WeakMap<object, string>();

/** Puts a clock around a method. `sqlOf` says which statement a call belongs to. */
function patch(
  prototype: object,
  name: string,
  sqlOf: (self: object, given: readonly unknown[]) => string,
  runs: number,
): void {
  const methods = prototype as Record<string, Method>;
  const plain = methods[name]!;
  methods[name] = function (this: object, ...given: never[]): unknown {
    const sql = sqlOf(this, given);
    const start = performance.now();
    const done = (result: unknown): unknown => {
      count(sql, performance.now() - start, runs);
      if (typeof result === 'object' && result !== null) sources.set(result, sql);
      return result;
    };
    const result = plain.apply(this, given);
    return result instanceof Promise ? result.then(done) : done(result);
  };
}

function patchDrivers(): void {
  const given = (_: object, [sql]: readonly unknown[]): string => String(sql);
  const known = (self: object): string => sources.get(self) ?? 'a statement from before';
  patch(DuckDBConnection.prototype, 'prepare', given, 0);
  patch(DuckDBConnection.prototype, 'run', given, 1);
  patch(DuckDBPreparedStatement.prototype, 'run', known, 1);
  patch(DuckDBPreparedStatement.prototype, 'stream', known, 1);
  patch(DuckDBResult.prototype, 'fetchChunk', known, 0);

  const database = new Database(':memory:');
  const statement = database.prepare('select 1');
  const sqlOf = (self: object): string => (self as Database.Statement).source;
  for (const name of ['run', 'get', 'all']) patch(Object.getPrototypeOf(statement), name, sqlOf, 1);
  patch(Object.getPrototypeOf(statement), 'iterate', sqlOf, 1);
  const cursor = statement.iterate();
  patch(Object.getPrototypeOf(cursor), 'next', known, 0);
  cursor.return?.();
  database.close();
}
