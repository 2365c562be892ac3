import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createClient } from '@clickhouse/client';

export type ChdbClient = ReturnType<typeof createClient>;
type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

/** Where `npm run test:clickhouse` puts chDB: ClickHouse in this process, 540 MB that no other command needs. */
const installed = resolve(import.meta.dirname, '../../.chdb');

/**
 * The client of one ClickHouse: the server of CLICKHOUSE_URL, or chDB on a new folder that `dispose` removes. A folder that is given
 * stays; one process at a time has it open.
 */
export async function openClient(
  given?: string,
): Promise<{ readonly client: ChdbClient; readonly dispose: () => Promise<void> }> {
  const url = process.env.CLICKHOUSE_URL;
  if (url !== undefined) {
    const client = createClient({ url, request_timeout: 600_000 });
    return { client, dispose: () => client.close() };
  }
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'swapfold-chdb-')));
  const client = openChdb(folder);
  return {
    client,
    dispose: async () => {
      await client.close();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A client of chDB on a folder, which is made. A process has one folder, with as many clients as it likes. */
export function openChdb(folder: string): ChdbClient {
  if (!existsSync(join(installed, 'node_modules')))
    throw new Error(
      `chDB (540 MB) is not installed; "node --import tsx packages/clickhouse/test/support/install-chdb.ts" puts it into ${installed}.`,
    );
  mkdirSync(folder, { recursive: true });
  const { createChdbConnection } = createRequire(join(installed, 'index.js'))('chdb/connection');
  const connection = createChdbConnection({ path: join(folder, 'data') }) as Connection;
  return createClient({ connection: withBinaryBodies(connection, folder) });
}

/**
 * chDB's connection takes the body of an insert as UTF-8 text and so breaks a binary one: the body goes by a file instead, which
 * ClickHouse reads with its parser of the same format.
 */
function withBinaryBodies(connection: Connection, folder: string): Connection {
  return {
    query: (params) => connection.query(params),
    insert: (params) => connection.insert(params),
    command: (params) => connection.command(params),
    ping: (params) => connection.ping(params),
    close: () => connection.close(),
    async exec({ values, ...params }) {
      if (values === undefined) return connection.exec(params);
      const [, into, columns] = /^(insert into \S+) \((.*?)\) settings .* format Native$/.exec(params.query) ?? [];
      if (into === undefined) throw new Error(`No insert of the Native format: ${params.query}`);
      const file = join(folder, `${randomUUID()}.native`);
      try {
        await writeFile(file, values as Readable);
        const query = `${into} (${columns}) select ${columns} from file('${file}', Native)`;
        return await connection.exec({ ...params, query });
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}
