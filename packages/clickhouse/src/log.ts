import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fragment, SwapfoldError } from '@swapfold/core';
import type { Connection } from './connection.ts';
import { dropTable } from './definition.ts';
import { textLiteral } from './literal.ts';
import { type Names, rowsBefore } from './names.ts';
import { readRemoved } from './removed.ts';
import type { StoredTable, View } from './view.ts';

/** How long a commit that another process has sent may take to arrive, in milliseconds. */
const IN_FLIGHT = 1000;

/**
 * What ClickHouse lacks of transactions: which writes are committed, and what the tables were at each.
 *
 * A write has a number greater than all before it. It notes that it begins, adds rows that carry its number, and is committed by one
 * insert into the log: the rows of all its tables appear in that moment. Rows of a write that did not end are taken out before the
 * next write begins, so that all rows up to the last committed number belong to committed writes.
 */
export interface Log {
  /** The last committed write; asking for it costs a third of what its state does. */
  last(): Promise<number>;
  /** The state after the last committed write. */
  view(): Promise<View>;
  /** The number of the next write, after writes that never ended have been undone. */
  prepare(): Promise<number>;
  begin(write: number): Promise<void>;
  /** The statement that notes a new table. */
  noting(write: number, name: string, table: StoredTable): string;
  /** Throws `store-failed` where another process has begun to write since. */
  commit(write: number): Promise<void>;
  undo(writes: readonly number[]): Promise<void>;
}

export function createLog(connection: Connection, names: Names): Log {
  const self = randomUUID();

  const run = (sql: string): Promise<void> => connection.run(fragment(sql));

  async function numbers(sql: string): Promise<number[]> {
    const [column] = await connection.all(fragment(sql), ['long']);
    return [...(column as Float64Array)];
  }

  /** Physical names of the tables whose note in the log holds. */
  async function tablesWhere(condition: string): Promise<string[]> {
    const sql = `select "detail" from ${names.log} where "kind" = 'table' and ${condition}`;
    const [details] = await connection.all(fragment(sql), ['text']);
    return (details as string[]).map((detail) => (JSON.parse(detail) as StoredTable).physical);
  }

  function adding(write: number, kind: string, name: string, detail: string): string {
    const values = `${write}, '${kind}', ${textLiteral(name)}, ${textLiteral(detail)}`;
    return `insert into ${names.log} ("write", "kind", "name", "detail") select ${values}`;
  }

  /** Writes that began and neither were committed nor undone. */
  function unended(): Promise<number[]> {
    const ended = `select "write" from ${names.log} where "kind" in ('commit', 'undone')`;
    return numbers(`select distinct "write" from ${names.log} where "kind" = 'begin' and "write" not in (${ended})`);
  }

  async function undo(writes: readonly number[]): Promise<void> {
    const list = writes.join(', ');
    for (const table of await tablesWhere(`"write" in (${list})`))
      for (const drop of dropTable(names, table)) await run(drop);
    const ranges = writes.map((write) => `("_row" >= ${rowsBefore(write)} and "_row" < ${rowsBefore(write + 1)})`);
    const isTheirs = ranges.join(' or ');
    for (const table of await tablesWhere(`"write" not in (${list})`)) {
      const [rows] = await numbers(`select count() from ${names.of(table)} where ${isTheirs}`);
      if (rows! > 0) await run(`delete from ${names.partsOf(table)}${names.onCluster} where ${isTheirs}`);
    }
    await run(`delete from ${names.removed} where "write" in (${list})`);
    await run(`delete from ${names.log} where "write" in (${list}) and "kind" = 'table'`);
    for (const write of writes) await run(adding(write, 'undone', '', ''));
  }

  const lastCommit = `select max("write") from ${names.log} where "kind" = 'commit'`;

  return {
    undo,
    last: async () => (await numbers(lastCommit))[0]!,
    begin: (write) => run(adding(write, 'begin', self, '')),
    noting: (write, name, table) => adding(write, 'table', name, JSON.stringify(table)),

    async view() {
      const statement = fragment(
        `select "kind", "name", max("write"), argMax("detail", "write") from ${names.log} ` +
          `where "kind" in ('commit', 'table') and "write" <= (${lastCommit}) group by "kind", "name"`,
      );
      const [kinds, keys, writes, details] = (await connection.all(statement, ['text', 'text', 'long', 'text'])) as [
        string[],
        string[],
        Float64Array,
        string[],
      ];
      const tables = new Map<string, StoredTable>();
      let write = 0;
      kinds.forEach((kind, i) => {
        if (kind === 'commit') write = writes[i]!;
        else tables.set(keys[i]!, JSON.parse(details[i]!) as StoredTable);
      });
      return { write, tables, removed: await readRemoved(connection, names, write) };
    },

    async prepare() {
      const [greatest] = await numbers(`select max("write") from ${names.log}`);
      const next = greatest! + 1;
      if ((await unended()).length === 0) return next;
      // The other process, if it lives, finds this and does not commit; what it has sent before has arrived after the wait.
      await run(adding(next, 'begin', self, ''));
      await wait(IN_FLIGHT);
      await undo(await unended());
      return next + 1;
    },

    async commit(write) {
      const isOvertaken = `"kind" = 'begin' and ("write" > ${write} or ("write" = ${write} and "name" != '${self}'))`;
      const others = `(select count() from ${names.log} where ${isOvertaken})`;
      await run(
        `insert into ${names.log} ("write", "kind", "name", "detail") select ${write}, 'commit', '', '' where ${others} = 0`,
      );
      const [committed] = await numbers(
        `select count() from ${names.log} where "write" = ${write} and "kind" = 'commit'`,
      );
      if (committed === 0) {
        throw new SwapfoldError(
          'store-failed',
          `Another process has begun to write to the ClickHouse database "${names.database}"; a store has one writing process at a time.`,
        );
      }
    },
  };
}
