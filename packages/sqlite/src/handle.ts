/** What Swapfold uses of a better-sqlite3 `Database`. */
export interface SqliteHandle {
  readonly name: string;
  readonly memory: boolean;
  readonly open: boolean;
  prepare(sql: string): SqliteStatement;
  pragma(sql: string): unknown;
  backup(path: string, options: { progress(state: { readonly remainingPages: number }): number }): Promise<unknown>;
  close(): unknown;
}

/** What Swapfold uses of a better-sqlite3 `Statement`. */
export interface SqliteStatement {
  readonly busy: boolean;
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  iterate(...values: unknown[]): IterableIterator<unknown>;
  raw(isRaw: boolean): SqliteStatement;
  safeIntegers(isBigInt: boolean): SqliteStatement;
}
