/** A price as a file has it. */
export interface FilePrice {
  /** Its row in the file, counted from 1, a header left out. */
  readonly row: number;
  /** What the row says of its token: an address or a symbol; absent if the file does not say. */
  readonly token?: string | undefined;
  /** Whole Unix seconds: the first at which the price is known. */
  readonly time: number;
  /** `null` removes the price of that token and time. */
  readonly usd_price: number | null;
}

/** A reference price of a file, as a store takes it. */
export interface PriceRow {
  readonly token: string;
  /** Unix seconds. */
  readonly time: number;
  readonly usd_price: number | null;
}

/** A row of a file that cannot be stored. */
export interface RowReject {
  readonly row: number;
  readonly field: string;
  readonly reason: string;
}

/** What a file of prices holds. */
export interface PriceFile {
  /** The shape that it has, as messages name it. */
  readonly shape: string;
  readonly rows: number;
  readonly prices: readonly FilePrice[];
  readonly rejects: readonly RowReject[];
  /** Rows that were passed over, by reason. */
  readonly passed: ReadonlyMap<string, number>;
}

/** A row as a shape reads it: a price, a reject, or the reason for passing it over. */
export type ReadRow = FilePrice | RowReject | { readonly passed: string };

/** The rows of a file, sorted by what became of them. */
export function priceFile(shape: string, rows: Iterable<ReadRow>): PriceFile {
  const prices: FilePrice[] = [];
  const rejects: RowReject[] = [];
  const passed = new Map<string, number>();
  let count = 0;
  for (const row of rows) {
    count++;
    if ('passed' in row) passed.set(row.passed, (passed.get(row.passed) ?? 0) + 1);
    else if ('reason' in row) rejects.push(row);
    else prices.push(row);
  }
  return { shape, rows: count, prices, rejects, passed };
}
