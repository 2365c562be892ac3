import { basename } from 'node:path';
import { SwapfoldError, show } from '@swapfold/core';
import { openArrow } from './arrow-lines.ts';
import type { FileReject } from './batches.ts';
import { type OnProgress, openText, peekFile, type StreamSource } from './bytes.ts';
import { csvRows, jsonLines } from './careful.ts';
import { columnsOf, connect, firstLine, sqlName, sqlPath } from './duck.ts';
import { type ColumnMap, type FieldKind, type MatchedColumns, matchColumns } from './fields.ts';
import { formatOf } from './format.ts';
import { jsonColumns } from './inputs.ts';
import { parseNumber, secondsOf, TimeTexts } from './parse-time.ts';
import { columnReader } from './record-paths.ts';
import { readHeader, searchJson } from './records.ts';

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

/** A row as it is read: a record, or what is wrong with it. */
type Row = Readonly<Record<string, unknown>> | string;

/** What a file has, before it is matched with fields. */
interface Rows {
  readonly found: readonly string[];
  /** The rows, those of each piece of the input together. */
  readonly rows: AsyncGenerator<readonly Row[]>;
  /** Closes the file, whether the rows have been read or not. */
  readonly close: () => unknown;
}

/** The rows of a registry file as objects. Formats, mapping, rejects and errors are those of `readSwapFile`. */
export async function* readRecords(from: string | StreamSource, options: RecordOptions): AsyncGenerator<RecordBatch> {
  let at = { bytesRead: 0, bytesTotal: Number.NaN };
  const onProgress: OnProgress = (progress) => {
    at = progress;
    options.onProgress?.(progress);
  };
  const path = typeof from === 'string' ? from : from.name;
  const { found, rows, close } = await openRows(from, path, onProgress);
  try {
    const fields = Object.fromEntries(
      Object.keys(options.fields).map((name) => [name, { isNeeded: options.needed.includes(name) }]),
    );
    const reader = new RecordReader(matchColumns(path, { fields, map: options.map ?? {}, found }), options.fields);
    const most = options.batchRows ?? 32_768;
    for await (const piece of rows) {
      for (const row of piece) {
        reader.add(row);
        if (reader.length >= most) yield { ...reader.take(), ...at };
      }
    }
    if (reader.length > 0) yield { ...reader.take(), ...at };
  } finally {
    await close();
  }
}

async function openRows(from: string | StreamSource, path: string, onProgress: OnProgress): Promise<Rows> {
  const { format } = typeof from === 'string' ? formatOf(from, (await peekFile(from)).head) : { format: undefined };
  if (format === 'parquet') return parquetRows(path, onProgress);
  if (format === 'arrow') {
    const { names, lines, close } = await openArrow(path, onProgress);
    return { found: names, rows: jsonLines(lines), close };
  }
  const { format: text, chunks, close } = await openText(from, onProgress);
  try {
    if (text === 'csv') {
      const { header, delimiter, rest } = await readHeader(path, chunks);
      return { found: header, rows: csvRows(path, rest, { header, delimiter }), close };
    }
    const { lists, lines } = await searchJson(path, chunks, { isLines: text === 'ndjson', isEager: false });
    const list = lists[0]!;
    return { found: jsonColumns(list.items).found, rows: jsonLines(lines(list)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A column as JSON may hold it: bytes that are a text as that text, others as hex, and what is no number of JSON as text. */
function jsonOf(column: string, type: string): string {
  if (type === 'BLOB')
    return `case when octet_length(${column}) <> 20 and length(${column}::varchar) = octet_length(${column}) then ${column}::varchar else '0x' || lower(hex(${column})) end`;
  if (type === 'DOUBLE' || type === 'FLOAT')
    return `if(isfinite(${column}), to_json(${column}), to_json(${column}::varchar))`;
  return type.startsWith('TIMESTAMP') || type === 'DATE' ? `floor(epoch_us(${column}) / 1e6)` : column;
}

/** DuckDB writes each row as JSON. */
async function parquetRows(path: string, onProgress: OnProgress): Promise<Rows> {
  const { size } = await peekFile(path);
  const connection = await connect();
  const from = `read_parquet(${sqlPath(path)}, hive_partitioning = false)`;
  const failed = (cause: Error): never => {
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} is not a whole Parquet file: ${firstLine(cause.message)}`,
      { cause },
    );
  };
  const types = await columnsOf(connection, `select * from ${from}`).catch((error: Error) => {
    connection.closeSync();
    return failed(error);
  });
  const columns = [...types].map(([name, type]) => {
    return `${jsonOf(sqlName(name), type)} as ${sqlName(name)}`;
  });
  return {
    found: [...types.keys()],
    rows: (async function* () {
      const result = await connection
        .stream(`select to_json(t)::varchar from (select ${columns.join(', ')} from ${from}) t`)
        .catch(failed);
      for (
        let chunk = await result.fetchChunk().catch(failed);
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk().catch(failed)
      )
        yield chunk.getColumnValues(0).map((line) => JSON.parse(line as string) as Row);
      onProgress({ bytesRead: size, bytesTotal: size });
    })(),
    close: () => connection.closeSync(),
  };
}

/** Gathers records. */
class RecordReader {
  readonly #matched: MatchedColumns;
  readonly #readers: readonly (readonly [
    field: string,
    kind: FieldKind,
    read: (record: Readonly<Record<string, unknown>>) => unknown,
  ])[];
  readonly #times = new TimeTexts();
  #records: FileRecord[] = [];
  #numbers: number[] = [];
  #rejects: FileReject[] = [];
  #row = 0;

  constructor(matched: MatchedColumns, kinds: RecordOptions['fields']) {
    this.#matched = matched;
    const columns = [...matched.byField, ...matched.later.map((name) => [name, name] as const)];
    this.#readers = columns.map(([field, column]) => [field, kinds[field]!, columnReader(column)]);
  }

  get length(): number {
    return this.#records.length + this.#rejects.length;
  }

  add(row: Row): void {
    this.#row++;
    if (typeof row === 'string') this.#rejects.push({ row: this.#row, field: '', reason: row });
    else {
      const record: Record<string, FileRecord[string]> = {};
      for (const [field, kind, read] of this.#readers) {
        const value = read(row);
        if (value === undefined) continue;
        const found = value === null || value === '' ? { value: null } : this.#jsonOf(kind, value);
        if ('reason' in found) {
          this.#rejects.push({ row: this.#row, field, reason: found.reason });
          return;
        }
        record[field] = found.value;
      }
      this.#records.push(record);
      this.#numbers.push(this.#row);
    }
  }

  take(): Omit<RecordBatch, 'bytesRead' | 'bytesTotal'> {
    const taken = {
      records: this.#records,
      rowNumbers: Float64Array.from(this.#numbers),
      rejects: this.#rejects,
      unused: this.#matched.unused,
      isZoneless: this.#times.isZoneless,
    };
    [this.#records, this.#numbers, this.#rejects] = [[], [], []];
    return taken;
  }

  #jsonOf(kind: FieldKind, value: unknown): { readonly value: FileRecord[string] } | { readonly reason: string } {
    switch (kind) {
      case 'text':
        return typeof value === 'string' ? { value } : { reason: `must be a text, not ${show(value)}` };
      case 'boolean': {
        const found = { true: true, false: false, '1': true, '0': false }[String(value).trim().toLowerCase()];
        return found === undefined ? { reason: `must be true or false, not ${show(value)}` } : { value: found };
      }
      case 'list': {
        if (typeof value === 'string')
          return {
            value: value
              .split(';')
              .map((item) => item.trim())
              .filter((item) => item !== ''),
          };
        const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
        return isList ? { value } : { reason: `must be a list of texts, not ${show(value)}` };
      }
      case 'number':
      case 'time':
        return this.#numberOf(kind, value);
    }
  }

  #numberOf(kind: 'number' | 'time', value: unknown): { readonly value: number | null } | { readonly reason: string } {
    if (typeof value === 'string' && /^\s*(?:null)?\s*$/i.test(value)) return { value: null };
    if (typeof value !== 'string' && typeof value !== 'number')
      return { reason: `must be a number, not ${show(value)}` };
    const written = kind === 'time' && typeof value === 'string' ? this.#times.secondsOf(value.trim()) : Number.NaN;
    if (!Number.isNaN(written)) return { value: written };
    const number = typeof value === 'number' ? value : parseNumber(value);
    if (Number.isFinite(number)) return { value: kind === 'time' ? secondsOf(number) : number };
    if (kind === 'time' && Number.isNaN(number))
      return {
        reason: `is no time: give Unix seconds, milliseconds or microseconds, "2024-01-05 00:00:00" in UTC, or RFC 3339 such as "2024-01-05T00:00:00Z", not ${show(value)}`,
      };
    return {
      reason: Number.isNaN(number)
        ? `is not a number: ${show(value)}`
        : `is out of the range of numbers: ${show(value)}`,
    };
  }
}
