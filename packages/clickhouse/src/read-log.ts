import { fragment } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import type { Names } from './names.ts';
import { readRemoved } from './removed.ts';
import type { StoredTable, View } from './view.ts';

/** What the log says as a whole. */
export interface Head {
  /** The last committed write. */
  readonly last: number;
  /** The greatest number that was claimed, who has it, and whether that write has ended. */
  readonly greatest: number;
  readonly owner: string;
  readonly isEnded: boolean;
  /** Void writes of which rows may be there, or may yet arrive. */
  readonly voids: readonly number[];
  /** Rows may be gone that only states before this write have. */
  readonly floor: number;
  /** How long rows stay that an earlier state has: the most that a writer has said, in seconds. */
  readonly seconds: number;
}

export async function readHead(connection: Connection, { log }: Names): Promise<Head> {
  const of = (kind: string): string => `groupUniqArrayIf("write", "kind" = '${kind}')`;
  const facts = [
    `maxIf("write", "kind" = 'commit') as "last"`,
    `max("write") as "greatest"`,
    `argMaxIf("name", "write", "kind" = 'begin') as "owner"`,
    `maxIf("write", "kind" in ('commit', 'void', 'undone')) as "ended"`,
    `maxIf("write", "kind" = 'floor') as "floor"`,
    `maxIf(toUInt64OrZero("detail"), "kind" = 'begin') as "seconds"`,
    `${of('void')} as "void"`,
    `${of('undone')} as "undone"`,
  ];
  const voids = `arrayStringConcat(arrayFilter(write -> not has("undone", write), "void"), ',')`;
  const sql = `select "last", "greatest", "owner", "ended", "floor", "seconds", ${voids} from (select ${facts.join(', ')} from ${log})`;
  const columns = await connection.all(fragment(sql), ['long', 'long', 'text', 'long', 'long', 'long', 'text']);
  const [last, greatest, owner, ended, floor, seconds, listed] = columns.map((column) => column[0]) as [
    number,
    number,
    string,
    number,
    number,
    number,
    string,
  ];
  return {
    last,
    greatest,
    owner,
    isEnded: ended === greatest,
    voids: listed === '' ? [] : listed.split(',').map(Number),
    floor,
    seconds,
  };
}

/** The state after the last committed write. All writes before it have ended, so it is the same whenever it is read. */
export async function readView(connection: Connection, names: Names, { last, voids, seconds }: Head): Promise<View> {
  const statement = fragment(
    `select "name", argMax("detail", "write") from ${names.log} ` +
      `where "kind" = 'table' and "write" <= ${last} and "write" not in (${voidWrites(names)}) group by "name"`,
  );
  const [keys, details] = (await connection.all(statement, ['text', 'text'])) as [string[], string[]];
  const tables = new Map(keys.map((name, i) => [name, JSON.parse(details[i]!) as StoredTable]));
  const state = { write: last, voids };
  return { ...state, seconds, tables, removed: await readRemoved(connection, names, state) };
}

/** The query of the writes that are void, also of those that have left nothing. */
export function voidWrites({ log }: Names): string {
  return `select "write" from ${log} where "kind" = 'void'`;
}
