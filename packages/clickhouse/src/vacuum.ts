import { fragment } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { deleteRows, dropTable } from './definition.ts';
import { textLiteral } from './literal.ts';
import type { Names } from './names.ts';
import { type Head, readHead, voidWrites } from './read-log.ts';
import { bitmapOfRemoved } from './removed.ts';
import { createUndo } from './undo.ts';
import type { StoredTable, Writes } from './view.ts';

/** Removed rows of a table that are worth a pass over it: reads skip fewer at no cost that can be measured. */
const WORTH = 50_000;

/** Writes between two looks at what there is to do. */
const EVERY = 16;

/** Seconds after which no statement of a void write is held to be on its way: a day. */
const LATE = 86_400;

export interface Vacuum {
  /** Call it after each write; `oldest` is the least write that a snapshot of this process still reads at. */
  afterWrite(oldest: number | undefined): Promise<void>;
}

/** A table that was recreated, and the write that had made it. */
interface Replaced {
  readonly physical: string;
  readonly write: number;
}

/**
 * Takes rows off the disk that were removed before any snapshot still open.
 *
 * Snapshots of other processes are held to be over after `snapshotSeconds`, or what a process that writes has longer; one that is not
 * finds the `floor`, which is noted first. A row goes before the note of its removal, by that much, when no query can have read the rows
 * before and the notes after. The log says since when, for processes that live shorter. Several processes may do all this at a time.
 */
export function createVacuum(connection: Connection, names: Names, snapshotSeconds: number): Vacuum {
  const undo = createUndo(connection, names);
  let writes = EVERY;

  const run = (sql: string): Promise<void> => connection.run(fragment(sql));

  const note = (write: number, kind: string, name = ''): Promise<void> =>
    run(`insert into ${names.log} ("write", "kind", "name") select ${write}, '${kind}', ${textLiteral(name)}`);

  async function numbers(sql: string): Promise<number[]> {
    const [column] = await connection.all(fragment(sql), ['long']);
    return [...(column as Float64Array)];
  }

  /** The tables whose removed rows are gone, up to which write, and whether their notes may go. */
  async function emptiedTables(seconds: number): Promise<{ physical: string; write: number; isOver: boolean }[]> {
    const isOver = `min("at") <= now() - ${seconds}`;
    const sql = `select "name", max("write"), toInt32(${isOver}) from ${names.log} where "kind" = 'emptied' group by "name"`;
    const [tables, marks, over] = await connection.all(fragment(sql), ['text', 'long', 'id']);
    return (tables as string[]).map((physical, i) => ({
      physical,
      write: (marks as Float64Array)[i]!,
      isOver: (over as Int32Array)[i] === 1,
    }));
  }

  async function forgetNotes(physical: string, write: number): Promise<void> {
    const table = textLiteral(physical);
    await run(`delete from ${names.removed} where "physical" = ${table} and "write" <= ${write}`);
    await run(`delete from ${names.log} where "kind" = 'emptied' and "name" = ${table}`);
  }

  /** The tables with removed rows that are worth a pass, and those whose rows have gone already left out. */
  async function fullTables({ write }: Writes, isEmptied: ReadonlySet<string>): Promise<string[]> {
    const isIn = `"write" <= ${write} and "write" not in (${voidWrites(names)})`;
    const counts = `select "physical", sum("count") from ${names.removed} where ${isIn} group by "physical"`;
    const [tables, rows] = await connection.all(fragment(counts), ['text', 'long']);
    return (tables as string[]).filter((name, i) => !isEmptied.has(name) && (rows as Float64Array)[i]! >= WORTH);
  }

  async function emptyTable(physical: string, state: Writes): Promise<void> {
    const removed = `select arrayJoin(bitmapToArray((${bitmapOfRemoved(names, physical, state)})))`;
    await run(deleteRows(names, physical, `"_row" in (${removed})`));
    await note(state.write, 'emptied', physical);
  }

  /** Tables that were recreated before the horizon. */
  async function replacedTables(horizon: number): Promise<Replaced[]> {
    const isMade = `"kind" = 'table' and "write" <= ${horizon} and "write" not in (${voidWrites(names)})`;
    const made = `select "name", "write", "detail" from ${names.log} where ${isMade}`;
    const newest = `select "name", max("write") as "newest" from ${names.log} where ${isMade} group by "name"`;
    const [details, marks] = await connection.all(
      fragment(
        `select "detail", "write" from (${made}) as "made" inner join (${newest}) as "last" using ("name") where "write" < "newest"`,
      ),
      ['text', 'long'],
    );
    return (details as string[]).map((detail, i) => ({
      physical: (JSON.parse(detail) as StoredTable).physical,
      write: (marks as Float64Array)[i]!,
    }));
  }

  /** The note in the log goes last: of a table that is noted and missing the undo knows what to think, of one that is not noted no one knows. */
  async function dropReplaced({ physical, write }: Replaced): Promise<void> {
    for (const drop of dropTable(names, physical)) await run(drop);
    const name = textLiteral(physical);
    await run(`delete from ${names.removed} where "physical" = ${name}`);
    const isNote = `"kind" = 'table' and "write" = ${write} and JSONExtractString("detail", 'physical') = ${name}`;
    await run(`delete from ${names.log} where (${isNote}) or ("kind" = 'emptied' and "name" = ${name})`);
  }

  /** Void writes of which nothing can arrive any more. */
  async function undoLate(): Promise<void> {
    const undone = `select "write" from ${names.log} where "kind" = 'undone'`;
    const isLate = `"kind" = 'void' and "at" <= now() - ${LATE} and "write" not in (${undone})`;
    for (const write of await numbers(`select distinct "write" from ${names.log} where ${isLate}`))
      await undo(write, true);
  }

  async function forgetWrites(horizon: number, { greatest }: Head, seconds: number): Promise<void> {
    await run(`delete from ${names.log} where "write" < ${horizon} and "kind" in ('begin', 'commit', 'floor')`);
    const isOld = `"kind" = 'undone' and "write" < ${greatest} and "at" <= now() - ${seconds}`;
    const old = await numbers(`select distinct "write" from ${names.log} where ${isOld}`);
    if (old.length === 0) return;
    await run(
      `delete from ${names.log} where "write" in (${old.join(', ')}) and "kind" in ('begin', 'void', 'undone')`,
    );
  }

  return {
    async afterWrite(oldest) {
      if (++writes < EVERY) return;
      writes = 0;
      await undoLate();
      const head = await readHead(connection, names);
      const seconds = Math.max(snapshotSeconds, head.seconds);
      const emptied = await emptiedTables(seconds);
      for (const { physical, write, isOver } of emptied) if (isOver) await forgetNotes(physical, write);
      const isSeenByAll = `"kind" = 'commit' and "at" <= now() - ${seconds}`;
      const [committed] = await numbers(`select max("write") from ${names.log} where ${isSeenByAll}`);
      const horizon = Math.min(committed!, oldest ?? Number.POSITIVE_INFINITY);
      const state = { write: horizon, voids: head.voids };
      const full = await fullTables(state, new Set(emptied.map(({ physical }) => physical)));
      const replaced = await replacedTables(horizon);
      if (full.length + replaced.length > 0) await note(horizon, 'floor');
      for (const physical of full) await emptyTable(physical, state);
      for (const table of replaced) await dropReplaced(table);
      await forgetWrites(horizon, head, seconds);
    },
  };
}
