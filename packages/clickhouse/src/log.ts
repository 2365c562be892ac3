import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SwapfoldError } from '@swapfold/core';
import { fragment } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { textLiteral } from './literal.ts';
import type { Names } from './names.ts';
import { type Head, readHead, readView } from './read-log.ts';
import { createUndo } from './undo.ts';
import type { StoredTable, View } from './view.ts';

/** How long a write waits for one of another process to end before it ends that one itself, in milliseconds. */
const PATIENCE = 1000;

/** Milliseconds between two looks at the write of another process. */
const BETWEEN = 25;

/** How a write has ended: 'undone' has no rows in the store, and 'void' may have some, which no one reads. */
export type Ending = 'commit' | 'void' | 'undone';

/** A write whose number belongs to this process, and the log as it was then. */
export interface Claim {
  readonly write: number;
  readonly head: Head;
}

/**
 * What ClickHouse lacks of transactions: which writes are committed, and what the tables were at each (docs/guides/engines.md).
 *
 * - A number belongs to the first claim of it. It can be claimed when all before it have ended.
 * - A write ends once: the first row that ends it counts, its own commit or the 'void' of a process that takes over.
 * - Rows of a void write are never read, whenever they arrive.
 */
export interface Log {
  head(): Promise<Head>;
  /** The state after the last committed write of a head. */
  view(head: Head): Promise<View>;
  /** Takes the next number, after the write before has ended: where that lasts longer than a second, it is made void. */
  claim(): Promise<Claim>;
  /** The statement that notes a new table. */
  noting(write: number, name: string, table: StoredTable): string;
  /** Throws `store-failed` where another process has made the write void. */
  commit(write: number): Promise<void>;
  /** Ends a write that has changed nothing. */
  release(write: number): Promise<void>;
  /** Makes a write void and takes out what it left. `isOver`: none of its statements is on its way. Answers whether it is committed after all. */
  abandon(write: number, isOver: boolean): Promise<boolean>;
}

export function createLog(connection: Connection, names: Names, snapshotSeconds: number): Log {
  const self = randomUUID();
  const undo = createUndo(connection, names);
  let claims = 0;

  const run = (sql: string): Promise<void> => connection.run(fragment(sql));
  const head = (): Promise<Head> => readHead(connection, names);

  /**
   * Adds a row where the greatest number is `greatest` and no row with the token was added before: the server drops a second insert of a
   * token in the moment that it would become visible, so of two rows at the same time one is the first. The token is forgotten after 10,000
   * others; what arrives that late finds a greater number.
   */
  async function addFirst(greatest: number, token: string, [write, kind, name, detail]: LogRow): Promise<void> {
    const values = `${write}, '${kind}', ${textLiteral(name)}, ${textLiteral(detail)}`;
    const where = `(select max("write") from ${names.log}) = ${greatest}`;
    const settings = `insert_deduplicate = 1, insert_deduplication_token = '${token}'`;
    // Without an order, some versions (26.1, 26.2) do not drop the second insert of a select.
    await run(
      `insert into ${names.log} (${COLUMNS}) select ${values} where ${where} order by all settings ${settings}`,
    );
  }

  /** How a write has ended; `undefined` where it has not. */
  async function endingOf(write: number): Promise<Ending | undefined> {
    const sql = `select min("kind") from ${names.log} where "write" = ${write} and "kind" in ('commit', 'void', 'undone')`;
    const [kinds] = await connection.all(fragment(sql), ['text']);
    return ((kinds as string[])[0] || undefined) as Ending | undefined;
  }

  async function end(write: number, ending: Ending): Promise<Ending | undefined> {
    await addFirst(write, `end ${write}`, [write, ending, '', '']);
    return endingOf(write);
  }

  /** Ends the write of another process, which may live and go on: its rows are taken out again when nothing more of it can arrive. */
  async function takeOver(write: number): Promise<void> {
    if ((await end(write, 'void')) !== 'void') return;
    // What this fails of, the vacuum does: no one reads the rows meanwhile.
    await undo(write, false).catch(() => undefined);
  }

  return {
    head,
    view: (at) => readView(connection, names, at),
    noting: (write, name, table) =>
      `insert into ${names.log} (${COLUMNS}) select ${write}, 'table', ${textLiteral(name)}, ${textLiteral(JSON.stringify(table))}`,

    async claim() {
      let patience: number | undefined;
      for (;;) {
        const { greatest, isEnded, owner: other } = await head();
        if (isEnded) {
          const write = greatest + 1;
          const owner = `${self} ${++claims}`;
          await addFirst(greatest, `begin ${write}`, [write, 'begin', owner, String(snapshotSeconds)]);
          const now = await head();
          if (now.greatest === write && now.owner === owner && !now.isEnded) return { write, head: now };
          continue;
        }
        patience ??= performance.now() + PATIENCE;
        // A number of this process is one whose claim failed and has arrived all the same.
        if (other.startsWith(self) || performance.now() >= patience) await takeOver(greatest);
        else await wait(BETWEEN);
      }
    },

    async commit(write) {
      let failure: unknown;
      await addFirst(write, `end ${write}`, [write, 'commit', '', '']).catch((error: unknown) => {
        failure = error;
      });
      // A commit that failed may have arrived, or may yet: then it has to be too late.
      const ending = failure === undefined ? await endingOf(write) : await end(write, 'void');
      if (ending === 'commit') return;
      throw (
        failure ??
        new SwapfoldError(
          'store-failed',
          `Another process has begun to write to the ClickHouse database "${names.database}"; a store has one writing process at a time.`,
        )
      );
    },

    async release(write) {
      await addFirst(write, `end ${write}`, [write, 'undone', '', '']);
    },

    async abandon(write, isOver) {
      const ending = await end(write, 'void');
      if (ending === 'commit') return true;
      // Without an ending it was one of long ago, which another process may have seen to.
      if (ending !== undefined) await undo(write, isOver);
      return false;
    },
  };
}

type LogRow = readonly [write: number, kind: Ending | 'begin', name: string, detail: string];

const COLUMNS = '"write", "kind", "name", "detail"';
