/** An event of a transaction that tells who traded, addresses and data in lower case. */
export interface EventLog {
  /** The number of the log in its block. */
  readonly at: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}
