export { type DuckdbInstance, type DuckdbOptions, duckdb } from './duckdb.ts';
