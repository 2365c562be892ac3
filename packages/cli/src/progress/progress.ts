/** Tells how far a piece of work is: a file, a refresh. One at a time. */
export interface Progress {
  /** `unit` is what is counted, in the plural: `rows`. */
  begin(label: string, unit: string): void;
  /** `fraction` of the work is done, which is `count` units. */
  advance(fraction: number, count: number): void;
  /** Gives what was done: `swaps.csv: 200,000 rows in 3.1 s, 64,000 rows/s`. */
  end(): string;
}
