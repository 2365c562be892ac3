import type { ColumnBuilder, ReadColumn } from './column-builder.ts';
import type { Fields } from './fields.ts';
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
  /** Columns of the file that hold no field, as they are told. */
  readonly unused: readonly string[];
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
  unused: readonly string[] = [];
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
    const absent = this.absent && {
      absent: Object.fromEntries(this.names.map((name, i) => [name, this.absent![i]!.slice(0, length)])),
    };
    const batch = {
      length,
      columns,
      ...absent,
      rowNumbers: this.rowNumbers.subarray(0, length),
      rejects: this.rejects,
      unused: this.unused,
    };
    this.rowNumbers = new Float64Array(this.rows);
    this.rejects = [];
    this.length = 0;
    return batch;
  }
}
