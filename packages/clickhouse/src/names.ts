import { quote } from '@swapfold/sql';

/** A cluster of servers, as `system.clusters` lists it. */
export interface ClickhouseCluster {
  readonly name: string;
  /** The column whose hash says which shard a row lies on, in tables that have it. Default: 'wallet'. Others go by their key. */
  readonly sharding?: string;
}

/** The tables of one database, by name as SQL has it. */
export interface Names {
  readonly database: string;
  readonly cluster: Required<ClickhouseCluster> | undefined;
  /** What was written: one row a write begun, committed or undone, and one a table created. */
  readonly log: string;
  /** Which rows a write removed from a table: their numbers, as a bitmap. */
  readonly removed: string;
  /** What a table is read from and written to. */
  of(physical: string): string;
  /** What holds the rows of a table: on a cluster, another one on each server. */
  partsOf(physical: string): string;
  /** What follows the name in statements that all servers run. */
  readonly onCluster: string;
}

export const LOG = 'swapfold_log';
export const REMOVED = 'swapfold_removals';

/** What earlier versions noted removed rows in, one row for each. */
export const REMOVED_BEFORE = 'swapfold_removed';

export function createNames(database: string, cluster?: ClickhouseCluster): Names {
  const of = (name: string): string => `${quote(database)}.${quote(name)}`;
  return {
    database,
    cluster: cluster && { sharding: 'wallet', ...cluster },
    of,
    partsOf: (name) => of(cluster ? `${name}_part` : name),
    onCluster: cluster ? ` on cluster ${quote(cluster.name)}` : '',
    log: of(LOG),
    removed: of(REMOVED),
  };
}

/** The first row number of a write; those of all writes before are less. */
export function rowsBefore(write: number): bigint {
  return BigInt(write) << 32n;
}
