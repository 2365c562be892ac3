import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { show } from '@swapfold/core/host';
import type { FileReject } from './batches.ts';
import { CsvScanner } from './csv-scanner.ts';
import { scratchFile } from './duck.ts';
import { type FieldKind, ITEM, PRESENT } from './fields.ts';
import { columnReader, isRecord, linesOf } from './record-paths.ts';

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
export class Lines {
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
  const lines = new Lines();
  const looked = await carefulRecords(await readFile(path), { width, delimiter, write: (line) => lines.add(line) });
  await lines.end();
  return { path: lines.path, ...looked };
}

/** Looks at each record of CSV without header, and hands out those of the right form with every field quoted. */
export async function carefulRecords(
  records: Buffer,
  o: {
    readonly width: number;
    readonly delimiter: string;
    readonly write: (line: string) => Promise<void>;
  },
): Promise<Omit<Careful, 'path'>> {
  const { width, delimiter } = o;
  const scanner = new CsvScanner(delimiter.charCodeAt(0));
  scanner.push(records);
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
      await o.write(`${fields.join(delimiter)}\n`);
    }
  }
  return { numbers, rejects, rows: row };
}

function csvFault({ fault, count, bytes, starts, ends, isAscii }: CsvScanner, width: number): string | undefined {
  if (fault !== undefined) return fault;
  if (count !== width) return `has ${count} columns where the header has ${width}`;
  return isAscii || isUtf8(bytes.subarray(starts[0], ends[width - 1])) ? undefined : 'is not UTF-8';
}

/** A column of Swapfold's own. */
export interface OwnColumn {
  readonly field: string;
  readonly kind: FieldKind;
}

/**
 * Looks at each line of an NDJSON file, and writes those with objects: the value of each column under `c0`, `c1` and so on.
 *
 * - `own`: Swapfold's own columns by name. Their values have to be of the right type: the number 5 is no text.
 */
export async function carefulJson(
  path: string,
  columns: readonly string[],
  own: ReadonlyMap<string, OwnColumn>,
): Promise<Careful> {
  const readers = columns.map((name) => [columnReader(name), own.get(name)] as const);
  const present = columns.indexOf(PRESENT);
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
    if (present >= 0)
      values[present] = readers.map(([, column], i) => (values[i] === undefined ? '' : column!.field)).join();
    const faults = readers.map(([, column], i) => [column?.field ?? '', typeFault(column?.kind, values[i])] as const);
    const [field, reason] = faults.find(([, fault]) => fault !== undefined) ?? [];
    if (reason !== undefined) {
      rejects.push({ row, field: field!, reason });
      continue;
    }
    numbers.push(row);
    const texts = values.map((value, i) => [`c${i}`, written(value, readers[i]![1]?.kind)] as const);
    await lines.add(`${JSON.stringify(Object.fromEntries(texts))}\n`);
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

function typeFault(kind: FieldKind | undefined, value: unknown): string | undefined {
  const isTexts = kind === 'list' && Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (typeof value === 'string' || isTexts)
    return half.test(String(value)) ? `must be a text without lone surrogates, not ${show(value)}` : undefined;
  if (kind === undefined || value === undefined || value === null) return undefined;
  switch (kind) {
    case 'text':
    case 'hex':
      return `must be a text, not ${show(value)}`;
    case 'list':
      return `must be a list of texts, not ${show(value)}`;
    case 'boolean':
      return typeof value === 'object' ? `must be true or false, not ${show(value)}` : undefined;
    case 'number':
    case 'instant':
    case 'time':
      if (typeof value !== 'number') return `must be a number, not ${show(value)}`;
      return Number.isFinite(value) ? undefined : `is out of the range of numbers: ${value}`;
  }
}

function written(value: unknown, kind: FieldKind | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (kind === 'list') return (value as string[]).map((item) => ITEM + item).join('');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
