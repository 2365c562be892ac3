/** Which writes a state of the store has: those up to a number that are not void. */
export interface Writes {
  /** The greatest write whose rows it sees. */
  readonly write: number;
  /** The void ones of which rows may be there. */
  readonly voids: readonly number[];
}

/** What a snapshot or a write sees of the store. */
export interface View extends Writes {
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** The tables that some rows were removed from, by physical name: which ones, as SQL lists them, or `null` for rows to be looked up. */
  readonly removed: ReadonlyMap<string, string | null>;
  /** For how long all its rows stay, in seconds: afterwards a read has to ask whether they are there. */
  readonly seconds: number;
}

/** Where the rows of a table are: recreating a table gives it another place, and leaves the old one to those who still read it. */
export interface StoredTable {
  readonly physical: string;
  readonly columns: readonly string[];
}

/** The condition that a write's number belongs to the state. */
export function areIn({ write, voids }: Writes): string {
  const isThere = `"write" <= ${write}`;
  return voids.length === 0 ? isThere : `${isThere} and "write" not in (${voids.join(', ')})`;
}
