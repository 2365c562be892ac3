import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type SwapFieldName, show, swapField } from '@swapfold/core';
import type { FileReject } from './batches.ts';
import { CsvScanner, UnclosedQuote } from './csv-scanner.ts';
import { scratchFile } from './duck.ts';
import { columnReader, isRecord, linesOf } from './record-paths.ts';
import { unclosed } from './records.ts';
import { LONGEST_RECORD } from './spool.ts';

/** Records of a piece of a file that could be read, written anew; the others are rejects. Rows count from 1 within the piece. */
export interface Careful {
  readonly path: string;
  /** The number of each record that was written. */
  readonly numbers: readonly number[];
  readonly rejects: readonly FileReject[];
  /** Records, with those at fault. */
  readonly rows: number;
}

/** Writes texts to a new file. */
class Lines {
  readonly path = scratchFile('txt');
  readonly #stream = createWriteStream(this.path);
  #waiting: string[] = [];
  #length = 0;

  async add(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#length += line.length;
    if (this.#length > 1 << 20) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#stream.end();
    await once(this.#stream, 'close');
  }

  async #flush(): Promise<void> {
    if (!this.#stream.write(this.#waiting.join(''))) await once(this.#stream, 'drain');
    this.#waiting = [];
    this.#length = 0;
  }
}

/** Looks at each record of a CSV file without header, and writes those of the right form with every field quoted. */
export async function carefulCsv(path: string, width: number, delimiter: string): Promise<Careful> {
  const scanner = new CsvScanner(delimiter.charCodeAt(0));
  scanner.push(await readFile(path));
  const lines = new Lines();
  const numbers: number[] = [];
  const rejects: FileReject[] = [];
  let row = 0;
  while (scanner.next(true)) {
    const { bytes, starts, ends, count } = scanner;
    if (count === 1 && starts[0] === ends[0]) continue;
    row++;
    const reason = csvFault(scanner, width);
    if (reason !== undefined) rejects.push({ row, field: '', reason });
    else {
      numbers.push(row);
      const fields = Array.from({ length: width }, (_, i) =>
        starts[i] === ends[i] ? '' : `"${bytes.toString('utf8', starts[i], ends[i])}"`,
      );
      await lines.add(`${fields.join(delimiter)}\n`);
    }
  }
  await lines.end();
  return { path: lines.path, numbers, rejects, rows: row };
}

function csvFault({ fault, count, bytes, starts, ends, isAscii }: CsvScanner, width: number): string | undefined {
  if (fault !== undefined) return fault;
  if (count !== width) return `has ${count} columns where the header has ${width}`;
  return isAscii || isUtf8(bytes.subarray(starts[0], ends[width - 1])) ? undefined : 'is not UTF-8';
}

/**
 * Looks at each line of an NDJSON file, and writes those with objects: the value of each column under `c0`, `c1` and so on.
 *
 * - `own`: the fields of Swapfold's own columns by column. Their values have to be of the right type, since a text such as "5" is no number.
 */
export async function carefulJson(
  path: string,
  columns: readonly string[],
  own: ReadonlyMap<string, SwapFieldName>,
): Promise<Careful> {
  const readers = columns.map((name) => [columnReader(name), own.get(name)] as const);
  const lines = new Lines();
  const numbers: number[] = [];
  const rejects: FileReject[] = [];
  let row = 0;
  for (const line of linesOf(await readFile(path))) {
    row++;
    const record = recordOf(line);
    if (typeof record === 'string') {
      rejects.push({ row, field: '', reason: record });
      continue;
    }
    const values = readers.map(([read]) => read(record));
    const faults = readers.map(([, field], i) => [field ?? '', typeFault(field, values[i])] as const);
    const [field, reason] = faults.find(([, fault]) => fault !== undefined) ?? [];
    if (reason !== undefined) {
      rejects.push({ row, field: field!, reason });
      continue;
    }
    numbers.push(row);
    await lines.add(`${JSON.stringify(Object.fromEntries(values.map((value, i) => [`c${i}`, written(value)])))}\n`);
  }
  await lines.end();
  return { path: lines.path, numbers, rejects, rows: row };
}

/** The record of a line, or what is wrong with it. */
function recordOf(line: Buffer): Readonly<Record<string, unknown>> | string {
  const text = line.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(line)) return 'is not UTF-8';
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : `must be a JSON object, not ${show(value)}`;
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`;
  }
}

/** Half of a character, which DuckDB takes in no text. */
const half = /\p{Surrogate}/u;

function typeFault(field: SwapFieldName | undefined, value: unknown): string | undefined {
  if (typeof value === 'string' && half.test(value))
    return `must be a text without lone surrogates, not ${show(value)}`;
  if (field === undefined || value === undefined || value === null || typeof value === 'string') return undefined;
  const { type } = swapField(field);
  if (!['time', 'whole', 'index', 'quantity'].includes(type)) return `must be a text, not ${show(value)}`;
  if (typeof value !== 'number') return `must be a number, not ${show(value)}`;
  return Number.isFinite(value) ? undefined : `is out of the range of numbers: ${value}`;
}

function written(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The rows of a CSV file as records, or what is wrong with them. */
export async function* csvRows(
  path: string,
  chunks: AsyncGenerator<Buffer>,
  { header, delimiter }: { readonly header: readonly string[]; readonly delimiter: string },
): AsyncGenerator<(Readonly<Record<string, string | null>> | string)[]> {
  const scanner = new CsvScanner(delimiter.charCodeAt(0));
  let row = 0;
  const next = (isLast: boolean): boolean => {
    try {
      return scanner.next(isLast);
    } catch (error) {
      throw error instanceof UnclosedQuote ? unclosed(path, row + 1) : error;
    }
  };
  const rows = (isLast: boolean): (Readonly<Record<string, string | null>> | string)[] => {
    const found = [];
    while (next(isLast)) {
      if (scanner.count === 1 && scanner.starts[0] === scanner.ends[0]) continue;
      row++;
      const texts = (): [string, string | null][] =>
        header.map((name, i) => [name, missing.has(scanner.text(i)) ? null : scanner.text(i)]);
      found.push(csvFault(scanner, header.length) ?? Object.fromEntries(texts()));
    }
    if (scanner.waiting > LONGEST_RECORD) throw unclosed(path, row + 1);
    return found;
  };
  for await (const chunk of chunks) {
    scanner.push(chunk);
    yield rows(false);
  }
  yield rows(true);
}

/** What exports write for nothing: `<nil>` (Dune's API), `\\N` (PostgreSQL, MySQL). */
const missing: ReadonlySet<string> = new Set(['', '<nil>', '\\N']);

/** The records of lines of JSON, or what is wrong with them. */
export async function* jsonLines(
  chunks: AsyncGenerator<Buffer>,
): AsyncGenerator<(Readonly<Record<string, unknown>> | string)[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    yield [...linesOf(bytes.subarray(0, end))].map(recordOf);
  }
  yield [...linesOf(rest)].map(recordOf);
}
