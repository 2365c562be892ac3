export { type ClickhouseOptions, clickhouse } from './clickhouse.ts';
export type { ClickhouseClient } from './connection.ts';
export type { ClickhouseCluster } from './names.ts';
