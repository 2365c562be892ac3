import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { joined } from './bytes.ts';
import { CsvScanner, delimiterOf, UnclosedQuote } from './csv-scanner.ts';
import { withoutColumns } from './fields.ts';
import { beginsDocument, JsonSlicer } from './json-slices.ts';
import { linesOf } from './record-paths.ts';
import { LONGEST_RECORD } from './spool.ts';

/** Records that are searched for columns: later records may hold further optional ones. */
const PROBED = 1000;
/** Bytes of a JSON document that are searched for lists. */
const SEARCHED = 8 << 20;

/** The header of a CSV file, and what comes after it. */
export interface CsvHead {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly rest: AsyncGenerator<Buffer>;
  /** The first records after it, of those that are read already. */
  readonly firstRows: () => readonly (readonly string[])[];
}

/** Errors: `invalid-input` for a file without a line. */
export async function readHeader(path: string, chunks: AsyncGenerator<Buffer>): Promise<CsvHead> {
  let scanner: CsvScanner | undefined;
  let delimiter = 44;
  let all: Buffer = Buffer.alloc(0);
  try {
    for (let isLast = false; !isLast; ) {
      const { done, value } = await chunks.next();
      isLast = done === true;
      if (!done) all = withoutMark(all.length === 0 ? value : Buffer.concat([all, value]));
      if (scanner === undefined && all.length > 0) delimiter = delimiterOf(all);
      scanner = new CsvScanner(delimiter);
      scanner.push(all);
      while (scanner.next(isLast)) {
        if (scanner.count === 1 && scanner.starts[0] === scanner.ends[0]) continue;
        const header = Array.from({ length: scanner.count }, (_, i) => scanner!.text(i).trim());
        const after = all.subarray(all.length - scanner.waiting);
        return {
          header,
          delimiter: String.fromCharCode(delimiter),
          rest: joined(after, chunks),
          firstRows: () => rowsOf(after, delimiter, header.length),
        };
      }
      if (all.length > LONGEST_RECORD) throw new UnclosedQuote();
    }
  } catch (error) {
    throw error instanceof UnclosedQuote ? unclosed(path, 1) : error;
  }
  throw withoutColumns(`${basename(path)} is empty: a CSV file begins with the names of its columns.`);
}

/** Records that hints look at. */
const SAMPLED = 100;

/** The first whole records of the right width. */
function rowsOf(bytes: Buffer, delimiter: number, width: number): string[][] {
  const scanner = new CsvScanner(delimiter);
  scanner.push(bytes);
  const rows: string[][] = [];
  while (rows.length < SAMPLED && scanner.next(false)) {
    if (scanner.count !== width || scanner.fault !== undefined) continue;
    rows.push(Array.from({ length: width }, (_, i) => scanner.text(i)));
  }
  return rows;
}

export function unclosed(path: string, row: number): SwapfoldError {
  return new SwapfoldError('invalid-input', `${basename(path)}: a quote that opens in row ${row} is never closed.`);
}

/** A list of a JSON file that may hold its rows. */
export interface JsonList {
  /** The keys that lead to it: `data.items`; an empty text for the lines, or for a document that is a list. */
  readonly path: string;
  /** Its first items. */
  readonly items: readonly unknown[];
  /** Items that were found in the part of the file that was searched. */
  readonly count: number;
}

/** The list that `--records` names, as `data.items` or `$.data.items[]`. Errors: `invalid-input` if there is none. */
export function listNamed(file: string, lists: readonly JsonList[], records: string): JsonList {
  const wanted = records.replaceAll('[]', '').replace(/^\$?\.|\.$/g, '');
  const found = lists.find(({ path }) => path === wanted);
  if (found !== undefined) return found;
  throw new SwapfoldError('invalid-input', `${basename(file)} has no list "${records}". It has: ${shownLists(lists)}.`);
}

export function shownLists(lists: readonly JsonList[]): string {
  return lists.map(({ path, count }) => `${path === '' ? 'its lines or items' : path} (${count})`).join(', ');
}

/** What a JSON file may hold. */
export interface JsonHead {
  readonly lists: readonly JsonList[];
  /** Whether it is one object, which may be an answer around the rows. */
  readonly isAnswer: boolean;
  /** The items of one of the lists, one a line. */
  readonly lines: (list: JsonList) => AsyncGenerator<Buffer>;
}

/**
 * Looks at the beginning of a JSON file: an object a line, or documents.
 *
 * - `isLines`: the file's name says that it has a value a line. `isEager`: the first complete line is enough.
 * - Errors: `invalid-input` for a file without a value.
 */
export async function searchJson(
  path: string,
  given: AsyncGenerator<Buffer>,
  o: { readonly isLines: boolean; readonly isEager: boolean },
): Promise<JsonHead> {
  const parts: Buffer[] = [];
  let [length, lines, isWhole] = [0, 0, false];
  const isDocument = (head: Buffer): boolean => (o.isLines ? isList(head) : beginsDocument(head));
  for (let kind: boolean | undefined; ; ) {
    const { done, value } = await given.next();
    if (done) {
      isWhole = true;
      break;
    }
    const chunk = parts.length === 0 ? withoutMark(value) : value;
    parts.push(chunk);
    length += chunk.length;
    if (kind === undefined && length > 1000) kind = isDocument(Buffer.concat(parts));
    for (let at = chunk.indexOf(10); at >= 0 && lines <= PROBED; at = chunk.indexOf(10, at + 1)) lines++;
    if (o.isEager ? lines > 0 && kind !== true : length > SEARCHED || (kind === false && lines > PROBED)) break;
  }
  const head = Buffer.concat(parts);
  if (head.every((byte) => byte === 32 || byte === 10 || byte === 13 || byte === 9))
    throw new SwapfoldError('invalid-input', `${basename(path)} is empty: it has no line with an object.`);
  const isOfLines = !isDocument(head);
  const within = listsWithin(path, head, isWhole);
  const plain = isOfLines
    ? itemsOf([...linesOf(isWhole ? head : head.subarray(0, head.lastIndexOf(10) + 1))])
    : (listsIn(path, head, false, isWhole).get('') ?? { path: '', items: [], count: 0 });
  // A single object may be an answer around the rows, but not where the name says that it is a line.
  const isAnswer = plain.count === 1 && !o.isLines && !isList(head);
  const lists = isAnswer ? [...within, plain] : [plain, ...within];
  return {
    lists,
    isAnswer,
    lines: (list) => {
      const all = joined(head, given);
      return isOfLines && list === plain ? all : sliced(path, all, list);
    },
  };
}

function isList(head: Buffer): boolean {
  return head
    .subarray(0, 1 << 16)
    .toString('latin1')
    .trimStart()
    .startsWith('[');
}

const listsWithin = (path: string, head: Buffer, isWhole: boolean): JsonList[] =>
  [...listsIn(path, head, true, isWhole).values()].filter(
    (list) => list.path !== '' && list.items.some((item) => typeof item === 'object' && item !== null),
  );

/** The lists of a beginning of documents. The reader says what is wrong with them. */
function listsIn(path: string, head: Buffer, isDeep: boolean, isWhole: boolean): Map<string, JsonList> {
  const found = new Map<string, { path: string; items: unknown[]; count: number }>();
  const slicer = new JsonSlicer(basename(path), isDeep, (item, list) => {
    const one = found.get(list) ?? { path: list, items: [], count: 0 };
    found.set(list, one);
    one.count++;
    if (one.items.length < PROBED) one.items.push(parsed(item));
  });
  try {
    slicer.push(head);
    if (isWhole) slicer.end();
  } catch {
    // The reader tells.
  }
  return found;
}

function itemsOf(lines: readonly Buffer[]): JsonList {
  return { path: '', items: lines.slice(0, PROBED).map(parsed), count: lines.length };
}

function parsed(item: Buffer): unknown {
  try {
    return JSON.parse(item.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The items of a list of documents, one a line. */
async function* sliced(
  path: string,
  chunks: AsyncIterable<Buffer>,
  { path: wanted }: JsonList,
): AsyncGenerator<Buffer> {
  let lines: Buffer[] = [];
  const slicer = new JsonSlicer(basename(path), wanted !== '', (item, list) => {
    if (list === wanted) lines.push(item, LINE_END);
  });
  for await (const chunk of chunks) {
    slicer.push(chunk);
    if (lines.length > 0) yield Buffer.concat(lines);
    lines = [];
  }
  slicer.end();
  if (lines.length > 0) yield Buffer.concat(lines);
}

const LINE_END = Buffer.from('\n');

function withoutMark(chunk: Buffer): Buffer {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}
