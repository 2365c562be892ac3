import type { DuckDBConnection } from '@duckdb/node-api';

/** Options of `duckdb`. */
export interface DuckdbOptions {
  /** File of the store, made when it is missing, or ':memory:'. */
  readonly path: string;
  /** Threads that DuckDB runs queries on. Default: one a core. */
  readonly threads?: number;
  /** Memory that DuckDB may use before it spills to disk, as in '4GB'. Default: a twentieth of the machine's, at least 1 GiB; all that DuckDB wants where `path` is ':memory:'. */
  readonly memory_limit?: string;
  /** Reads beside other processes that only read, and writes nothing. The store has to be there. Default false. */
  readonly read_only?: boolean;
}

/** What Swapfold uses of a `DuckDBInstance`. */
export interface DuckdbInstance {
  connect(): Promise<DuckDBConnection>;
}
