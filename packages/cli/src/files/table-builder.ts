import type { ColumnBuilder, ReadColumn } from './column-builder.ts';
import type { MatchedColumns } from './fields.ts';
import { newBuilder } from './new-builder.ts';

/** A row of a file that could not be read. */
export interface FileReject {
  /** Counts the file's data rows from 1. */
  readonly row: number;
  /** The field at fault; empty where the row as a whole is. */
  readonly field: string;
  readonly reason: string;
}

/** What is wrong with a row. */
export type Fault = readonly [field: string, reason: string];

/** Rows of a file as columns. A field without a column in the file has none here. */
export interface TableBatch {
  readonly length: number;
  readonly columns: Readonly<Record<string, ReadColumn>>;
  /** 1 for each row whose record does not have the field at all, where records need not have the same fields. */
  readonly absent?: Readonly<Record<string, Uint8Array>>;
  /** Number of each row in the file, counting its data rows from 1. */
  readonly rowNumbers: Float64Array;
  readonly rejects: readonly FileReject[];
  /** How many rows were passed over because they are no swaps, by reason, beside those that the columns still hold. */
  readonly passed: ReadonlyMap<string, number>;
  /** Columns of the file that hold no field, as the import reports them. */
  readonly unused: readonly string[];
  /** True once a time without a zone was read, as UTC. */
  readonly isZoneless: boolean;
  /** With the first batch of a Parquet file whose columns have the types of their fields. */
  readonly plainFile?: PlainFile | undefined;
}

/** A Parquet file that an engine can read by itself. */
export interface PlainFile {
  readonly rows: number;
  /** The file's column of each field. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Gathers rows into batches. A row is begun, set field by field, and ended. */
export class TableBuilder {
  readonly names: readonly string[];
  readonly builders: readonly ColumnBuilder[];
  /** Rows begun so far, which is the number of the row at hand. */
  rowNumber = 0;
  /** Place of the row at hand in the batch. */
  length = 0;
  /** By place of the field: 1 where the row's record does not have it. Only NDJSON sets it. */
  absent: Uint8Array[] | undefined;
  private rowNumbers: Float64Array;
  private rejects: FileReject[] = [];
  private passed = new Map<string, number>();

  constructor(
    private readonly matched: Pick<MatchedColumns, 'fields' | 'unused' | 'passReason'>,
    names: Iterable<string>,
    private readonly rows: number,
  ) {
    this.names = [...names];
    this.builders = this.names.map((name) => newBuilder(matched.fields[name]!, rows));
    this.rowNumbers = new Float64Array(rows);
  }

  get isFull(): boolean {
    return this.length === this.rows || this.rejects.length >= this.rows;
  }

  get isEmpty(): boolean {
    return this.length === 0 && this.rejects.length === 0 && this.passed.size === 0;
  }

  /** Whether bytes of column number `i` are a text rather than an address. */
  isText(i: number): boolean {
    return !this.matched.fields[this.names[i]!]!.isHex;
  }

  beginRow(): void {
    this.rowNumber++;
  }

  /** Keeps the row at hand, or rejects it for its fault. */
  endRow(fault: Fault | undefined): void {
    if (fault === undefined) this.rowNumbers[this.length++] = this.rowNumber;
    else {
      const reason = fault[0] === '' ? undefined : this.matched.passReason?.((name) => this.textAt(name));
      if (reason !== undefined) this.passed.set(reason, (this.passed.get(reason) ?? 0) + 1);
      else this.rejects.push({ row: this.rowNumber, field: fault[0], reason: fault[1] });
    }
  }

  /** The text of the row at hand. Fields that rows are passed over by come first, so that it is set when a later one is at fault. */
  private textAt(name: string): string | null {
    return this.builders[this.names.indexOf(name)]?.textAt?.(this.length) ?? null;
  }

  take(): TableBatch {
    const { length } = this;
    const columns = Object.fromEntries(this.names.map((name, i) => [name, this.builders[i]!.take(length)]));
    const absent = this.absent && {
      absent: Object.fromEntries(this.names.map((name, i) => [name, this.absent![i]!.slice(0, length)])),
    };
    const batch = {
      length,
      columns,
      ...absent,
      rowNumbers: this.rowNumbers.subarray(0, length),
      rejects: this.rejects,
      passed: this.passed,
      unused: this.matched.unused,
      isZoneless: this.builders.some((builder) => builder.isZoneless),
    };
    this.rowNumbers = new Float64Array(this.rows);
    this.rejects = [];
    this.passed = new Map();
    this.length = 0;
    return batch;
  }
}
