import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { SwapfoldError } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { checkOptions, type OptionNames } from '@swapfold/core/host';
import { createAdapter } from './adapter.ts';
import { type ClickhouseClient, createConnection } from './connection.ts';
import { type ClickhouseCluster, createNames } from './names.ts';

/** Options of `clickhouse`. */
export interface ClickhouseOptions {
  /** Address of the server, as in 'https://user:password@host:8443' with the database as its path, or a client of @clickhouse/client, which stays yours to close. */
  readonly server: string | ClickhouseClient;
  /** Database of the store, made when it is missing. Default: 'swapfold'. */
  readonly database?: string;
  /** How long a snapshot may be read in another process than the writing one, in seconds: removed rows stay that long, or as long as another writing process of the store has been given. Then reads fail as `snapshot-expired`. Default: 600. */
  readonly snapshot_seconds?: number;
  /** Never writes: opening leaves another process's write alone. The store has to be there. Default: false. */
  readonly read_only?: boolean;
  /** Spread the store over the servers of a cluster. The statements are tested as text; no test has run on a cluster. */
  readonly cluster?: ClickhouseCluster;
}

const optionNames: OptionNames<ClickhouseOptions> = {
  server: true,
  database: true,
  snapshot_seconds: true,
  read_only: true,
  cluster: true,
};

/** Statements may take ten minutes; headers that tell of their progress keep proxies from giving them up. Errors are thrown, not logged. */
const clientOptions = {
  request_timeout: 600_000,
  clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' },
  log: { level: ClickHouseLogLevel.OFF },
} as const;

/** Every read sees what was committed before it, whichever server it asks; a row is on its shard when its insert ends. */
const clusterSettings = {
  distributed_foreground_insert: '1',
  insert_quorum: 'auto',
  insert_quorum_parallel: '0',
  select_sequential_consistency: '1',
};

/**
 * A store in a database of a ClickHouse server, through @clickhouse/client.
 *
 * - `source`: options, or the server's address: 'http://localhost:8123/swaps'.
 * - One process writes at a time: a second one waits a second for a write of the first, then takes over, and the first fails at its commit. Any number may read.
 * - Errors: `invalid-config` for an address that is none; `foreign-store` where the database has tables and none of Swapfold's, or, with
 *   `read_only`, none of them at all; `read-only` for a write with `read_only`; `snapshot-expired` for a read that lasted too long;
 *   `store-failed` for what the server refuses, and for a write that another process has ended.
 *
 * @example
 * const dex = await Swapfold.open({ storage: clickhouse('http://localhost:8123/swaps') });
 */
export function clickhouse(source: string | ClickhouseOptions): StorageAdapter {
  const given = typeof source === 'string' ? { server: source } : source;
  checkOptions('clickhouse', given, optionNames);
  const {
    server,
    database = 'swapfold',
    snapshot_seconds: snapshotSeconds = 600,
    cluster,
    read_only: isReadOnly = false,
  }: ClickhouseOptions = typeof given.server === 'string' ? { ...given, ...splitAddress(given.server) } : given;
  const isOwned = typeof server === 'string';
  const client = isOwned ? createClient({ url: server, ...clientOptions }) : server;
  return createAdapter({
    connection: createConnection(client as ClickhouseClient, cluster ? clusterSettings : {}),
    names: createNames(database, cluster),
    snapshotSeconds,
    isReadOnly,
    close: async () => {
      if (isOwned) await client.close();
    },
    failure: (cause) => toSwapfoldError(cause, database),
  });
}

function splitAddress(address: string): ClickhouseOptions {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new SwapfoldError(
      'invalid-config',
      `"${address}" is no address of a ClickHouse server; give one like "http://localhost:8123/swaps".`,
    );
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '';
  return { server: url.href, ...(database === '' ? {} : { database }) };
}

function toSwapfoldError(cause: unknown, database: string): SwapfoldError {
  const { message, type } = cause as { message?: unknown; type?: unknown };
  const said = `${String(message ?? cause)}${type === undefined ? '' : ` (${type})`}`;
  return new SwapfoldError('store-failed', `ClickHouse failed on the database "${database}": ${said}`, { cause });
}
