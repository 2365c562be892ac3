import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { SwapfoldError, show } from '@swapfold/core';
import { isRecord, type JsonRecord, type RecordPath, recordsIn } from './record-paths.ts';

const LONGEST_LINE = 1 << 24;
const LF = 10;

/** A record, or what is wrong with it. */
export type JsonItem = JsonRecord | string;

/** The records of a JSON file with a value a line, a list for each piece of the input; empty lines are none. */
export async function* lineItems(
  chunks: AsyncIterable<Buffer>,
  o: { readonly path: string; readonly records: readonly RecordPath[] },
): AsyncGenerator<readonly JsonItem[]> {
  // An array is no record, and a line of one is a mistake.
  const paths = o.records.filter(({ array }) => array.length > 0);
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    isFirst = false;
    const items: JsonItem[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
      addLine(items, bytes.subarray(at, end), paths);
      at = end + 1;
    }
    rest = bytes.subarray(at);
    if (rest.length > LONGEST_LINE)
      throw new SwapfoldError(
        'invalid-input',
        `${basename(o.path)} has a line of over ${LONGEST_LINE} bytes: it is no NDJSON file.`,
      );
    yield items;
  }
  const items: JsonItem[] = [];
  addLine(items, rest, paths);
  yield items;
}

function addLine(items: JsonItem[], line: Buffer, paths: readonly RecordPath[]): void {
  if (isBlank(line)) return;
  const text = line.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(line)) items.push('is not UTF-8');
  else {
    try {
      for (const item of recordsIn(JSON.parse(text), paths)) items.push(itemOf(item));
    } catch (error) {
      items.push(`is not JSON: ${(error as Error).message}`);
    }
  }
}

/** A value as a record, or what is wrong with it. */
export function itemOf(value: unknown): JsonItem {
  return isRecord(value) ? value : `must be a JSON object, not ${show(value)}`;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
