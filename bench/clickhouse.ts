import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type ClickhouseClient, clickhouse } from '@swapfold/clickhouse';
import type { StorageAdapter } from '@swapfold/core/engine';
import { createConnection } from '../packages/clickhouse/src/connection.ts';
import { createDialect } from '../packages/clickhouse/src/dialect.ts';
import { createNames } from '../packages/clickhouse/src/names.ts';
import { readHead, readView } from '../packages/clickhouse/src/read-log.ts';
import { type ChdbClient, openChdb } from '../packages/clickhouse/test/support/chdb.ts';
import { serveOverHttp } from '../packages/clickhouse/test/support/http-server.ts';

/**
 * ClickHouse as a library keeps all databases of a process in one folder. A database of the benchmark is told by an empty file beside
 * it, so that it has a path as those of the other engines.
 */
export function connectClickhouse(path: string): { readonly client: ChdbClient; readonly database: string } {
  return { client: openChdb(join(dirname(path), 'chdb')), database: databaseOf(path) };
}

function databaseOf(path: string): string {
  return basename(path, extname(path));
}

/** A store whose connection ends with it. */
export function clickhouseStore(path: string): StorageAdapter {
  const { client, database } = connectClickhouse(path);
  const store = clickhouse({ server: client, database });
  return {
    ...store,
    close: async () => {
      await store.close();
      await client.close();
    },
  };
}

/** Lends `work` the address of a store, as the command line takes it. */
export async function withAddress<R>(path: string, work: (address: string) => Promise<R>): Promise<R> {
  const { client, database } = connectClickhouse(path);
  const server = await serveOverHttp(client);
  try {
    writeFileSync(path, '');
    return await work(`${server.url}/${database}`);
  } finally {
    await server.close();
    await client.close();
  }
}

export async function removeClickhouse(path: string): Promise<void> {
  await withClient(path, (client, database) => drop(client, database));
  rmSync(path, { force: true });
}

export async function copyClickhouse(from: string, to: string): Promise<void> {
  const source = databaseOf(from);
  await withClient(to, async (client, database) => {
    await drop(client, database);
    await client.command({ query: `create database "${database}"` });
    for (const name of await tablesOf(client, source))
      await client.command({ query: `create table "${database}"."${name}" clone as "${source}"."${name}"` });
  });
  writeFileSync(to, '');
}

/** Every row of a store into empty tables made as its own are, one `insert ... select` a table. Milliseconds. */
export async function rewriteClickhouse(from: string, to: string): Promise<number> {
  const source = databaseOf(from);
  return withClient(to, async (client, database) => {
    await drop(client, database);
    await client.command({ query: `create database "${database}"` });
    const tables = await tablesOf(client, source);
    for (const name of tables)
      await client.command({ query: `create table "${database}"."${name}" as "${source}"."${name}"` });
    const start = performance.now();
    for (const name of tables)
      await client.command({ query: `insert into "${database}"."${name}" select * from "${source}"."${name}"` });
    const milliseconds = performance.now() - start;
    await drop(client, database);
    return milliseconds;
  });
}

async function tablesOf(client: ChdbClient, database: string): Promise<readonly string[]> {
  const query = `select name from system.tables where database = '${database}'`;
  const listed = await client.query({ query, format: 'JSONEachRow' });
  return (await listed.json<{ name: string }>()).map(({ name }) => name);
}

export async function clickhouseBytes(path: string): Promise<number> {
  return withClient(path, async (client, database) => {
    const sum = `select sum(bytes_on_disk) as bytes from system.parts where active and database = '${database}'`;
    const [row] = await (await client.query({ query: sum, format: 'JSONEachRow' })).json<{ bytes: string }>();
    return Number(row!.bytes);
  });
}

/** The rows of a store's table that are committed and not removed, as a subquery. */
export async function clickhouseRows(path: string): Promise<(table: string) => string> {
  return withClient(path, async (client, database) => {
    const names = createNames(database);
    const connection = createConnection(client as ClickhouseClient);
    const view = await readView(connection, names, await readHead(connection, names));
    const { rowsOf } = createDialect(names, view);
    return (name) => {
      const { from, where } = rowsOf({ name } as Parameters<typeof rowsOf>[0]);
      return `(select * except("_row") from ${from} where ${where})`;
    };
  });
}

async function drop(client: ChdbClient, database: string): Promise<void> {
  await client.command({ query: `drop database if exists "${database}" sync` });
}

async function withClient<R>(path: string, work: (client: ChdbClient, database: string) => Promise<R>): Promise<R> {
  const { client, database } = connectClickhouse(path);
  try {
    return await work(client, database);
  } finally {
    await client.close();
  }
}
