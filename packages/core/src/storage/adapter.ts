import type { Batch, ColumnName, Table } from '../records/columns.ts';
import type { BulkLoad } from './bulk.ts';
import type { Predicate } from './predicate.ts';

/** One key of an order. Nulls come last in both directions; text orders by code point. */
export interface Order {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** The order of columns, ascending. */
export const ascending = (...columns: readonly string[]): readonly Order[] =>
  columns.map((column) => ({ column, direction: 'asc' }));

/** What to read of a table. Without `order`, rows come in any order. */
export interface Scan<T extends Table = Table, C extends ColumnName<T> = ColumnName<T>> {
  readonly table: T;
  readonly columns: readonly C[];
  readonly where?: Predicate | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly limit?: number | undefined;
  /** Whether the rows are among the last that came, for engines that have the rest of a table in another order as well. */
  readonly isRecent?: boolean | undefined;
}

/**
 * The row with the greatest `by` for each key, or the `most` greatest: `latest print of these tokens at or before`. Keys without a row are
 * absent, rows without a `by` do not count, and of rows with the same one the greatest by the table's key is taken. With `most` the rows
 * come by key and `by`, else in any order.
 */
export interface Latest<T extends Table = Table, C extends ColumnName<T> = ColumnName<T>> {
  readonly table: T;
  readonly columns: readonly C[];
  readonly key: ColumnName<T>;
  readonly keys: Int32Array | Float64Array;
  readonly by: ColumnName<T>;
  /** Rows of each key. Default 1. */
  readonly most?: number | undefined;
  /** Only rows with `by` <= this. */
  readonly until?: number | undefined;
  /** Only rows that hold. */
  readonly where?: Predicate | undefined;
}

/** The rows that hold, counted, and the first of them by one number. */
export interface Leading<T extends Table = Table> {
  readonly table: T;
  readonly where: Predicate;
  readonly by: Order;
  readonly limit: number;
}

/** Reads of one consistent state of the store. */
export interface Reader {
  /** The whole answer as one batch. */
  read<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): Promise<Batch<T, C>>;
  /** The answer in batches of bounded size; the arrays of a batch are the receiver's to keep. */
  stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>>;
  latest<T extends Table, C extends ColumnName<T>>(query: Latest<T, C>): Promise<Batch<T, C>>;
  count(table: Table, where?: Predicate): Promise<number>;
  /**
   * How many rows hold, and the numbers in the first key column of the first `limit` of them and of those that equal the last: in one pass.
   * `keys` is absent where fewer rows have the number, or too many equal the last. `undefined`, or absent, where a count and a page cost no more.
   */
  leading?(query: Leading): Promise<{ readonly count: number; readonly keys?: Float64Array } | undefined>;
  /** The greatest value of a numeric column, `null` over no row. */
  max<T extends Table>(table: T, column: ColumnName<T>, where?: Predicate): Promise<number | null>;
  /**
   * The committed state that it reads, the same number for every handle of the store in any process; each commit has another. A write
   * has that of the state that it began with. Absent where the store cannot be opened a second time beside its writer.
   */
  version?(): Promise<number>;
  /**
   * What of the tables is not as it was written: the engine checks its own structures, and rows are compared with their checksums where
   * the engine does not check what it reads. Absent where nothing is read from a disk of this process.
   */
  findDamage?(tables: readonly Table[]): Promise<DamageReport>;
}

/** What `Damage.table` says of a finding of the engine. */
export const WHOLE_FILE = 'the file';

/** Something that was not written so: a row that does not have its checksum, or a finding of the engine, which stands in `row`. */
export interface Damage {
  readonly table: string;
  /** The row's key, as `column=value`. */
  readonly row: string;
  readonly stored: number | null;
  readonly expected: number | null;
}

/** What a look for damage found. */
export interface DamageReport {
  /** Rows compared with their checksums. */
  readonly rows: number;
  /** All findings. */
  readonly count: number;
  /** The first of them. */
  readonly found: readonly Damage[];
  /** Tables whose rows have no checksums, because an older Swapfold made them. */
  readonly unchecked: readonly string[];
}

/** Reads and writes of one transaction: reads see its writes, nobody else does before it ends. */
export interface Writer extends Reader {
  append<T extends Table>(table: T, batch: Batch<T>): Promise<void>;
  /** Stores rows, each in the place of the one with the same key if there is one. The table has a key of one column. */
  replace<T extends Table>(table: T, batch: Batch<T>): Promise<void>;
  /** Removes the rows for which `where` holds. */
  remove(table: Table, where: Predicate): Promise<void>;
  /** Drops a table with its indexes and creates it empty, with the columns given. */
  recreate(table: Table): Promise<void>;
  /** Makes anew what the rows of a table are found by, as its `indexes` say: for a store whose tables had other ones. */
  reindex(table: Table): Promise<void>;
  /** Adds the columns of the record that the stored table lacks, none of them in a key or an index: null, and `NO_ID`, in every row. Undone with the write. */
  addColumns(table: Table): Promise<void>;
  /** Makes views, each in place of the one of its name. Undone with the write. Absent where the adapter has no `views`. */
  defineViews?(views: readonly ViewDefinition[]): Promise<void>;
}

/**
 * A load that can end. What it fills is aside until `write`, whose transaction begins with it in the place of the store's own tables. A load
 * that ends without one leaves the store empty.
 */
export interface WritableLoad extends BulkLoad {
  write<R>(change: (writer: Writer) => Promise<R>): Promise<R>;
}

/** What ends a transaction that began beside the writes: its `write` takes its turn among them, goes on in that transaction, and commits it. */
export type AsideEnd = Pick<StorageAdapter, 'write'>;

/**
 * What a snapshot reads: a few rows by their keys, or any number. Engines that work on the thread of their caller do so for 'point' alone.
 * One that is 'held' reads any number, and may wait for its caller between reads: other snapshots do not wait for it.
 */
export type ReadCost = 'point' | 'scan' | 'held';

/** The tables a store consists of. */
export interface Schema {
  readonly tables: readonly Table[];
  /** Receives what fails without denying any call, such as what follows a commit. An adapter that has no such work needs none. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What `open` found. */
export type Opened = 'created' | 'existing';

/**
 * The seam between Swapfold and an engine: small, and the same for all engines.
 *
 * - One writer at a time: `write` runs its function in one transaction, one after the other, and rolls back when it throws.
 * - `snapshot` gives reads of one committed state, beside a running write; inside a snapshot it shares that one's state.
 * - A `write` inside a write, and a `close` inside either, would wait for itself: it is refused as `nested-call`.
 * - Failures of the engine are thrown as `SwapfoldError` with the engine's error as cause: `store-failed`, or what is known to be the
 *   matter (`disk-full`, `read-only`, `store-locked`, `store-taken`, `too-many-files`, `store-damaged`, `foreign-store`). After a failed
 *   write the store is as before it.
 */
export interface StorageAdapter {
  readonly engine: string;
  /** True where the store is open for reading only: `write` is refused as `read-only`, and another process may be writing. */
  readonly isReadOnly?: boolean;
  /** Creates what is missing of the tables; an existing table keeps its columns (Swapfold compares and migrates). */
  open(schema: Schema): Promise<Opened>;
  /** The tables of the store by name, each with its columns in the engine's order; an engine may have tables of its own among them. */
  tables(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** `use` is 'scan' by default. */
  snapshot<R>(read: (reader: Reader) => Promise<R>, use?: ReadCost): Promise<R>;
  /** A number that changes when something else than this adapter has changed the store; absent where nothing else can. Costs microseconds. */
  externalVersion?(): number;
  write<R>(change: (writer: Writer) => Promise<R>): Promise<R>;
  /**
   * Begins a transaction that writes to these tables beside the writes, which must not touch them until it has ended. It reads the state that it
   * began with. If `work` ends without a `write` of `end`, the transaction is undone. Absent if only one transaction of the engine can write.
   */
  writeAside?<R>(tables: readonly Table[], work: (writer: Writer, end: AsideEnd) => Promise<R>): Promise<R>;
  /** The views of a store for people who read it with SQL. Absent if nobody does. */
  views?(source: ViewSource): readonly ViewDefinition[];
  /**
   * Copies one committed state of the store into a new file of the engine, beside running reads and writes. The caller has seen to it that
   * no file is there; a copy that fails or is aborted may leave a part of one. Absent if the engine's stores are not files.
   */
  backup?(path: string, signal?: AbortSignal): Promise<void>;
  /** Fills these tables of an empty store by the engine's own means, as one of the writes. Absent if batches written one by one are as good. */
  load?<R>(tables: readonly Table[], fill: (load: WritableLoad) => Promise<R>): Promise<R>;
  /** Idempotent; waits for what is running. */
  close(): Promise<void>;
}

/**
 * What a column of a view holds.
 *
 * - `number`, `integer`: as in the interface. `flag`: true or false. `list`: texts.
 * - `time`, `date`: an instant, stored as Unix seconds.
 */
export type ViewType = 'text' | 'list' | 'number' | 'integer' | 'time' | 'date' | 'flag';

/** Something that the interface has a name for, as a view may show it. */
export interface ViewField {
  readonly name: string;
  readonly type: ViewType;
  /** One phrase with the unit, for documentation. */
  readonly meaning: string;
}

/** What views are made of: the fields of the interface, in its order, and the configured quote tokens. */
export interface ViewSource {
  readonly swaps: readonly ViewField[];
  readonly trades: readonly ViewField[];
  readonly transfers: readonly ViewField[];
  readonly candles: readonly ViewField[];
  /** Fields of profiles that are stored, by the names of their columns. */
  readonly profiles: Readonly<Record<'tokens' | 'wallets' | 'positions', readonly ViewField[]>>;
  /** Columns of the registries. */
  readonly registries: Readonly<Record<'tokens' | 'wallets', readonly ViewField[]>>;
  /** In the order in which prices are quoted in them. */
  readonly quotes: readonly { readonly address: string; readonly symbol: string }[];
}

/** A view as an engine makes it. */
export interface ViewDefinition {
  readonly name: string;
  /** What makes it, in place of the one of that name; run one after the other. */
  readonly statements: readonly string[];
}
