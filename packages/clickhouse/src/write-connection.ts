import { columnsOf, type Table } from '@swapfold/core/engine';
import { quote, type SqlConnection } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { isNullable, storedType } from './definition.ts';
import { type Names, rowsBefore } from './names.ts';
import { columnBytes, serialBytes, writeBlock } from './native-writer.ts';

/** Bytes of appended rows that wait to be sent together: each insert makes a part of its own on disk. */
const WAITING = 64 * 2 ** 20;

/** The connection of one write. */
export interface WriteConnection extends Pick<SqlConnection, 'run' | 'all' | 'open' | 'append'> {
  readonly hasChanged: boolean;
  /** Whether each statement that was sent has been answered with success: one that failed may yet arrive. */
  readonly isSure: boolean;
  /** Sends what was appended, and waits for it. Every other statement does so before it runs. */
  flush(): Promise<void>;
  /** Waits until nothing is on its way any more, arrived or failed. */
  settle(): Promise<void>;
}

export interface WriteOptions {
  readonly write: number;
  readonly names: Names;
  /** The record of a physical table. */
  readonly recordOf: (physical: string) => Table;
}

export function createWriteConnection(connection: Connection, options: WriteOptions): WriteConnection {
  const { write, names } = options;
  const waiting = new Map<string, Uint8Array[]>();
  let bytes = 0;
  /** What is on its way: the server stores it while the next rows are made. */
  let sending: Promise<void> = Promise.resolve();
  let nextRow = rowsBefore(write);
  let hasChanged = false;
  let isSure = true;

  async function surely(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      isSure = false;
      throw error;
    }
  }

  async function insert(tables: ReadonlyMap<string, readonly Uint8Array[]>): Promise<void> {
    for (const [physical, blocks] of tables) {
      const columns = [...columnsOf(options.recordOf(physical)), '_row'].map(quote).join(', ');
      await connection.insert(`${names.of(physical)} (${columns})`, blocks);
    }
  }

  /** Sends what waits, once what was sent before has arrived: so much more memory is taken, and no more. */
  async function send(): Promise<void> {
    await sending;
    if (waiting.size === 0) return;
    const tables = new Map(waiting);
    waiting.clear();
    bytes = 0;
    sending = surely(insert(tables));
    // Errors surface on the next query.
    sending.catch(() => undefined);
  }

  async function flush(): Promise<void> {
    await send();
    await sending;
  }

  return {
    flush,
    settle: () => sending.catch(() => undefined),

    get hasChanged() {
      return hasChanged;
    },

    get isSure() {
      return isSure;
    },

    async run(statement) {
      await flush();
      hasChanged = true;
      await surely(connection.run(statement));
    },

    async all(statement, types) {
      await flush();
      return connection.all(statement, types);
    },

    async open(statement, types) {
      await flush();
      return connection.open(statement, types);
    },

    async append({ name }, batch) {
      hasChanged = true;
      const table = options.recordOf(name);
      const columns = Object.entries(table.columns).map(([column, type]) => ({
        name: column,
        type: storedType(table, column, type),
        bytes: columnBytes(type, batch.columns[column]!, isNullable(table, column, type)),
      }));
      const rows = { name: '_row', type: 'UInt64', bytes: [serialBytes(nextRow, batch.length)] };
      const block = writeBlock(batch.length, [...columns, rows]);
      nextRow += BigInt(batch.length);
      const blocks = waiting.get(name);
      if (blocks) blocks.push(block);
      else waiting.set(name, [block]);
      bytes += block.length;
      if (bytes > WAITING) await send();
    },
  };
}
