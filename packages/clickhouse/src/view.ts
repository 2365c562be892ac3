/** What a snapshot or a write sees of the store. */
export interface View {
  /** The greatest write whose rows it sees. */
  readonly write: number;
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** The tables that some rows were removed from, by physical name: which ones, as SQL lists them, or `null` for rows to be looked up. */
  readonly removed: ReadonlyMap<string, string | null>;
}

/** Where the rows of a table are: recreating a table gives it another place, and leaves the old one to those who still read it. */
export interface StoredTable {
  readonly physical: string;
  readonly columns: readonly string[];
}
