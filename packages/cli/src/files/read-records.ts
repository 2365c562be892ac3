import type { ReadColumn } from './column-builder.ts';
import { type ColumnMap, type FieldKind, type Matcher, matchColumns } from './fields.ts';
import type { StreamSource } from './open-stream.ts';
import { type ReadOptions, readTable } from './read-table.ts';
import type { FileReject } from './table-builder.ts';

/** A row of a file as an object: every field that the file has a column for, or the NDJSON record a key; `null` where the value is missing. */
export type FileRecord = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Rows of a file of tokens or wallets. */
export interface RecordBatch {
  readonly records: readonly FileRecord[];
  /** Number of each record in the file, counting its data rows from 1. */
  readonly rowNumbers: Float64Array;
  readonly rejects: readonly FileReject[];
  readonly unused: readonly string[];
  /** True if a time without a zone was read, as UTC. */
  readonly isZoneless: boolean;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** Options of `readRecords`. */
export interface RecordOptions extends ReadOptions {
  /** Column names of the file by the field they hold: `{ their_name: 'our_name' }`. */
  readonly map?: ColumnMap | undefined;
  /** The fields to read, and what each is read as. Times become Unix seconds. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** The fields that the file must have a column for. */
  readonly needed: readonly string[];
}

/** The rows of a registry file as objects. Formats, mapping, rejects and errors are those of `readSwapFile`. */
export async function* readRecords(from: string | StreamSource, options: RecordOptions): AsyncGenerator<RecordBatch> {
  const fields = Object.fromEntries(
    Object.entries(options.fields).map(([name, kind]) => [name, { kind, isNeeded: options.needed.includes(name) }]),
  );
  const map = options.map ?? {};
  const path = typeof from === 'string' ? from : from.name;
  const match: Matcher = (found) => matchColumns(path, { fields, map, found });
  for await (const table of readTable(from, { ...options, match })) {
    const columns = Object.entries(table.columns).map(([name, column]) => ({
      name,
      absent: table.absent?.[name],
      read: readerOf(column, options.fields[name]!),
    }));
    const records = Array.from({ length: table.length }, (_, row) => {
      const held = columns.filter(({ absent }) => absent?.[row] !== 1);
      return Object.fromEntries(held.map(({ name, read }) => [name, read(row)]));
    });
    const { rowNumbers, rejects, unused, isZoneless, bytesRead, bytesTotal } = table;
    yield { records, rowNumbers, rejects, unused, isZoneless, bytesRead, bytesTotal };
  }
}

function readerOf(column: ReadColumn, kind: FieldKind): (row: number) => FileRecord[string] {
  if (column instanceof Float64Array) {
    return (row) => {
      const value = column[row]!;
      return Number.isNaN(value) ? null : kind === 'boolean' ? value === 1 : value;
    };
  }
  if ('ids' in column) return (row) => column.dictionary[column.ids[row]!] ?? null;
  return (row) => column[row] ?? null;
}
