import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { withoutColumns } from './fields.ts';

/** `ndjson` has a value a line; `json` may have, or be a document. */
export type FileFormat = 'csv' | 'ndjson' | 'json' | 'parquet' | 'arrow';

/** Formats by the end of a file's name. */
const extensions: ReadonlyMap<string, FileFormat> = new Map([
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
  ['arrow', 'arrow'],
  ['arrows', 'arrow'],
  ['feather', 'arrow'],
]);

/** How files begin that are read from their end, which no stream and no gzip file can be. */
const binary = [
  { format: 'parquet', name: 'Parquet', start: 'PAR1' },
  { format: 'arrow', name: 'Arrow', start: 'ARROW1' },
] as const;

/** What a stored stream of Arrow begins with. */
const ARROW_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff]);

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Whether the end of a file's name tells that it can be read. */
export function hasKnownExtension(path: string): boolean {
  return extensions.has(extensionOf(path));
}

function extensionOf(path: string): string {
  return basename(path)
    .toLowerCase()
    .replace(/\.(gz|zst|zstd)$/, '')
    .split('.')
    .at(-1)!;
}

/** How a file is packed, if it is. */
export type Packing = 'gzip' | 'zstd' | undefined;

/** What a file's name and first bytes tell. `format` is undefined where it takes the unpacked content to tell. */
export function formatOf(path: string, head: Buffer): { format: FileFormat | undefined; packing: Packing } {
  const packing = packingOf(head);
  const format = extensions.get(extensionOf(path));
  if (head.length === 0) throw withoutColumns(`${basename(path)} is empty.`);
  const named = binary.find((one) => one.format === format);
  if (packing !== undefined) return { format: named === undefined ? format : undefined, packing };
  const found = binaryOf(head);
  if (found !== undefined) return { format: found.format, packing };
  if (format === 'arrow' && head.subarray(0, 4).equals(ARROW_STREAM)) return { format, packing };
  refuseForeign(path, head);
  if (named !== undefined && !isText(head))
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} is not ${named.name === 'Arrow' ? 'an' : 'a'} ${named.name} file: it does not begin with ${named.start}.`,
    );
  refuseBinary(path, head);
  return { format: named === undefined && format !== undefined ? format : formatOfContent(path, head), packing };
}

function packingOf(head: Buffer): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.subarray(0, 4).equals(ZSTD) || isSkippable(head) ? 'zstd' : undefined;
}

/** A frame of zstd that holds nothing, as `pzstd` writes one before each frame. */
function isSkippable(head: Buffer): boolean {
  return head.length >= 4 && (head.readUInt32LE() & 0xfffffff0) === 0x184d2a50;
}

/** CSV or JSON, by the first character. */
export function formatOfContent(path: string, head: Buffer): 'csv' | 'json' {
  const found = binaryOf(head);
  if (found !== undefined)
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} is a packed file around ${found.name === 'Arrow' ? 'an' : 'a'} ${found.name} file: unpack it first.`,
    );
  refuseForeign(path, head);
  refuseBinary(path, head);
  const first = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return first.startsWith('{') || first.startsWith('[') ? 'json' : 'csv';
}

function binaryOf(head: Buffer): (typeof binary)[number] | undefined {
  return binary.find(({ start }) => head.subarray(0, start.length).equals(Buffer.from(start)));
}

/** A file of another kind: what its bytes begin with, where, what it is, and what would do. */
interface Foreign {
  readonly start: string | readonly number[];
  readonly at?: number;
  readonly what: string;
}

const SHEET = 'save the sheet as CSV (UTF-8), with times as text or Unix seconds';
const foreign: readonly Foreign[] = [
  { start: [0xff, 0xfe], what: 'UTF-16 text: save it as UTF-8' },
  { start: [0xfe, 0xff], what: 'UTF-16 text: save it as UTF-8' },
  {
    start: 'SQLite format 3\0',
    what: 'a SQLite database: write its table as CSV, sqlite3 -csv -header FILE "select ..."',
  },
  { start: 'DUCK', at: 8, what: "a DuckDB database: write its table as Parquet, copy TABLE to 'swaps.parquet'" },
  { start: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], what: `an Excel file (.xls): ${SHEET}` },
  ...['[Content_Types].xml', '_rels/', 'xl/', 'docProps/'].map(
    (start): Foreign => ({ start, at: 30, what: `an Excel file (.xlsx): ${SHEET}` }),
  ),
  { start: [0x50, 0x4b, 0x03, 0x04], what: 'a zip file: unpack it, or pack it with gzip' },
  { start: [0x42, 0x5a, 0x68], what: 'packed with bzip2: unpack it, or pack it with gzip' },
  { start: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], what: 'packed with xz: unpack it, or pack it with gzip' },
  { start: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], what: 'a 7z file: unpack it, or pack it with gzip' },
  { start: 'Obj\x01', what: 'an Avro file: write it as Parquet, CSV or JSON' },
  { start: 'ORC', what: 'an ORC file: write it as Parquet, CSV or JSON' },
  { start: '%PDF-', what: 'a PDF: export the table as CSV' },
  { start: '<!DOCTYPE html', what: 'a page of HTML, maybe of a login or an error: fetch the data itself' },
  { start: '<html', what: 'a page of HTML, maybe of a login or an error: fetch the data itself' },
  { start: '<?xml', what: 'XML: export it as CSV or JSON' },
];

function refuseForeign(path: string, head: Buffer): void {
  const text = head.toString('latin1');
  for (const { start, at = 0, what } of foreign) {
    const wanted = typeof start === 'string' ? start : String.fromCharCode(...start);
    const found = text.slice(at, at + wanted.length);
    const isFound = wanted.startsWith('<') ? found.toLowerCase() === wanted.toLowerCase() : found === wanted;
    if (isFound && (start !== 'ORC' || !isText(head)))
      throw new SwapfoldError('invalid-input', `${basename(path)} is ${what}.`);
  }
}

function refuseBinary(path: string, head: Buffer): void {
  if (isText(head)) return;
  const nulls = (odd: number): number => head.filter((byte, i) => byte === 0 && i % 2 === odd).length;
  const isWide = Math.max(nulls(0), nulls(1)) > head.length / 3 && Math.min(nulls(0), nulls(1)) === 0;
  throw new SwapfoldError(
    'invalid-input',
    `${basename(path)} is ${isWide ? 'UTF-16 text: save it as UTF-8' : 'no text: it has a byte of 0. Swaps are read from CSV, JSON, Parquet and Arrow'}.`,
  );
}

/** No text has a byte of 0. */
function isText(head: Buffer): boolean {
  return !head.includes(0);
}

/**
 * The format of a text whose name tells one, if its content does not tell another: a name is what somebody typed.
 *
 * - `head` are its first bytes, up to a chunk. A text that is to be JSON is CSV if no line of it begins as a value of JSON does.
 * - Errors: `invalid-input` for what is no text, which a packed file may hold.
 */
export function textFormat(path: string, format: FileFormat, head: Buffer): FileFormat {
  refuseForeign(path, head.subarray(0, 64));
  refuseBinary(path, head.subarray(0, 64));
  const text = head.subarray(0, SEARCHED).toString('latin1');
  if (format === 'csv') return /^(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*[[{\]])/.test(text) ? 'json' : 'csv';
  const isJson = /^\s*(?:\xef\xbb\xbf)?\s*[[{]/m.test(text);
  return isJson || !/^[^\n]*[,;\t]/.test(text.trimStart()) ? format : 'csv';
}

/** Bytes that are searched for a line of JSON. */
const SEARCHED = 1 << 16;
