import type { DictionaryColumn } from '@swapfold/core/host';
import type { FileReject } from './batches.ts';
import type { OnProgress, StreamSource } from './bytes.ts';
import { type ColumnMap, type FieldKind, type Fields, ITEM, PRESENT } from './fields.ts';
import { OWN } from './presets.ts';
import { batchesOfParts, numberOf, readParts } from './read-swap-file.ts';
import { NO_FIELDS } from './row-kinds.ts';

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
export interface RecordOptions {
  /** Most rows of a batch. Default 32768. */
  readonly batchRows?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Column names of the file by the field they hold: `{ their_name: 'our_name' }`. */
  readonly map?: ColumnMap | undefined;
  /** The fields to read, and what each is read as. Times become Unix seconds. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** The fields that the file must have a column for. */
  readonly needed: readonly string[];
}

/** The rows of a registry file as objects. Formats, mapping, rejects and errors are those of `readSwapFile`. */
export async function* readRecords(from: string | StreamSource, options: RecordOptions): AsyncGenerator<RecordBatch> {
  const { fields: kinds, needed, ...reading } = options;
  const fields: Fields = Object.fromEntries(
    [...Object.entries(kinds), [PRESENT, 'text'] as const].map(([name, kind]) => [
      name,
      { kind, isNeeded: needed.includes(name) },
    ]),
  );
  for await (const read of batchesOfParts(
    readParts(
      from,
      { ...reading, presets: [OWN] },
      { rows: 'swaps', noun: 'record', index: '', madeIndex: Number.NaN, hashed: NO_FIELDS, fields },
    ),
  )) {
    const { batch, rejects, unused, isZoneless, bytesRead, bytesTotal } = read;
    const columns = batch.columns as unknown as Readonly<Record<string, Column>>;
    const records = recordsOf(columns, batch.length, kinds);
    const rowNumbers = Float64Array.from({ length: batch.length }, (_, row) => numberOf(batch, row));
    yield { records, rowNumbers, rejects, unused, isZoneless, bytesRead, bytesTotal };
  }
}

type Column = Float64Array | DictionaryColumn;

function recordsOf(
  columns: Readonly<Record<string, Column>>,
  length: number,
  kinds: RecordOptions['fields'],
): FileRecord[] {
  const { [PRESENT]: present, ...held } = columns;
  const fields = Object.entries(held).map(([name, column]) => [name, valuesOf(column, kinds[name]!)] as const);
  const namesOf = present === undefined ? undefined : valuesOf(present, 'text');
  return Array.from({ length }, (_, row) => {
    const names = (namesOf?.(row) as string | undefined)?.split(',');
    const of = names === undefined ? fields : fields.filter(([name]) => names.includes(name));
    return Object.fromEntries(of.map(([name, read]) => [name, read(row)]));
  });
}

function valuesOf(column: Column, kind: FieldKind): (row: number) => FileRecord[string] {
  if (column instanceof Float64Array) {
    const numberOf = (row: number) => (Number.isNaN(column[row]) ? null : column[row]!);
    return kind === 'boolean' ? (row) => (numberOf(row) === null ? null : column[row] === 1) : numberOf;
  }
  const { ids, dictionary } = column;
  const textOf = (row: number) => dictionary[ids[row]!] ?? null;
  if (kind !== 'list') return textOf;
  return (row) => {
    const text = textOf(row);
    if (text === null || text.startsWith(ITEM)) return text?.split(ITEM).slice(1) ?? null;
    return text
      .split(';')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  };
}
