import { type ColumnBuilder, newBuilder, type ReadColumn } from './column-builders.ts';
import type { Fields } from './fields.ts';

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
  /** Number of each row in the file, counting its data rows from 1. */
  readonly rowNumbers: Float64Array;
  readonly rejects: readonly FileReject[];
}

/** Gathers rows into batches. A row is begun, set field by field, and ended. */
export class TableBuilder {
  readonly names: readonly string[];
  readonly builders: readonly ColumnBuilder[];
  /** Rows begun so far, which is the number of the row at hand. */
  rowNumber = 0;
  /** Place of the row at hand in the batch. */
  length = 0;
  private rowNumbers: Float64Array;
  private rejects: FileReject[] = [];

  constructor(
    fields: Fields,
    names: Iterable<string>,
    private readonly rows: number,
  ) {
    this.names = [...names];
    this.builders = this.names.map((name) => newBuilder(fields[name]!, rows));
    this.rowNumbers = new Float64Array(rows);
  }

  get isFull(): boolean {
    return this.length === this.rows || this.rejects.length >= this.rows;
  }

  get isEmpty(): boolean {
    return this.length === 0 && this.rejects.length === 0;
  }

  beginRow(): void {
    this.rowNumber++;
  }

  /** Keeps the row at hand, or rejects it for its fault. */
  endRow(fault: Fault | undefined): void {
    if (fault === undefined) this.rowNumbers[this.length++] = this.rowNumber;
    else this.rejects.push({ row: this.rowNumber, field: fault[0], reason: fault[1] });
  }

  take(): TableBatch {
    const { length } = this;
    const columns = Object.fromEntries(this.names.map((name, i) => [name, this.builders[i]!.take(length)]));
    const batch = { length, columns, rowNumbers: this.rowNumbers.subarray(0, length), rejects: this.rejects };
    this.rowNumbers = new Float64Array(this.rows);
    this.rejects = [];
    this.length = 0;
    return batch;
  }
}
