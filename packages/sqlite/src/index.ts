export type { SqliteHandle, SqliteStatement } from './handle.ts';
export { type SqliteOptions, sqlite } from './sqlite.ts';
