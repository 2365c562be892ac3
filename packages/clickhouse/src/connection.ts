import { Readable } from 'node:stream';
import { type ColumnData, type ColumnType, newColumn } from '@swapfold/core/engine';
import type { SqlConnection, Statement } from '@swapfold/sql';
import { createByteSource } from './byte-source.ts';
import { withValues } from './literal.ts';
import { readBlocks } from './native-reader.ts';

/** What Swapfold uses of the client of @clickhouse/client. */
export interface ClickhouseClient {
  exec(params: {
    query: string;
    values?: Readable;
    clickhouse_settings?: Record<string, string>;
  }): Promise<{ readonly stream: Readable }>;
  close(): Promise<void>;
}

/** Statements with lists in them have megabytes; ClickHouse refuses more than 256 KB unless told. */
const sizes = { max_query_size: '0', max_ast_elements: '0' };

/** Characters, of three bytes at most, that every server takes untold. To tell one costs as much as a third of a small statement. */
const SMALL = 80_000;

/** Statements of the store, one at a time or many: the client opens connections as it needs them. */
export interface Connection extends Pick<SqlConnection, 'run' | 'all' | 'open'> {
  /** Blocks of the Native format, in one insert: `into` is the table with its columns. */
  insert(into: string, blocks: readonly Uint8Array[]): Promise<void>;
}

export function createConnection(client: ClickhouseClient, more: Readonly<Record<string, string>> = {}): Connection {
  const large = { ...sizes, ...more };

  async function execute(query: string, values?: Readable): Promise<Readable> {
    const settings = query.length > SMALL ? large : more;
    const { stream } = await client.exec({ query, clickhouse_settings: settings, ...(values ? { values } : {}) });
    return stream;
  }

  async function select(statement: Statement, types: readonly ColumnType[]): Promise<AsyncGenerator<ColumnData[]>> {
    const stream = await execute(`${withValues(statement)} format Native`);
    return (async function* () {
      try {
        yield* readBlocks(createByteSource(stream), types);
      } finally {
        // A response that is left in its midst would keep its connection, of which the client has ten.
        stream.destroy();
      }
    })();
  }

  return {
    async run(statement) {
      await drain(await execute(withValues(statement)));
    },

    async all(statement, types) {
      const blocks: ColumnData[][] = [];
      for await (const block of await select(statement, types)) blocks.push(block);
      return types.map((type, i) =>
        concat(
          type,
          blocks.map((block) => block[i]!),
        ),
      );
    },

    async open(statement, types) {
      const blocks = await select(statement, types);
      return {
        async next() {
          const { done, value } = await blocks.next();
          return done ? null : value;
        },
        async close() {
          await blocks.return(undefined);
        },
      };
    },

    async insert(into, blocks) {
      const query = `insert into ${into} settings async_insert = 0, max_partitions_per_insert_block = 0 format Native`;
      await drain(await execute(query, Readable.from(blocks)));
    },
  };
}

/** A response that is not read to its end keeps its connection. */
async function drain(stream: Readable): Promise<void> {
  for await (const _chunk of stream);
}

function concat(type: ColumnType, parts: readonly ColumnData[]): ColumnData {
  if (parts.length === 1) return parts[0]!;
  if (type === 'text') return (parts as (string | null)[][]).flat();
  const column = newColumn(
    type,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts as Float64Array[]) {
    column.set(part, at);
    at += part.length;
  }
  return column;
}
