import { basename } from 'node:path';
import { JSONParser } from '@streamparser/json';
import { SwapfoldError } from '@swapfold/core';
import { itemOf, type JsonItem } from './json-lines.ts';
import { innerRecord, type RecordPath } from './record-paths.ts';

const [LF, QUOTE, BACKSLASH] = [10, 34, 92];

/** Whether the input begins with a JSON document of several lines or an array, rather than with an object a line. */
export function beginsDocument(head: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === 0x5b && depth === 0) return true;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === LF && depth > 0) return true;
    if (depth === 0 && byte === 0x7d) return false;
  }
  return depth > 0;
}

/**
 * The records of JSON documents, a list for each piece of the input: those at one of the paths, which an array's own items always are, else the
 * objects that follow one another. Only one record is held at a time.
 *
 * - Errors: `invalid-input` for what is not JSON, or ends too early.
 */
export async function* documentItems(
  chunks: AsyncIterable<Buffer>,
  o: { readonly path: string; readonly records: readonly RecordPath[] },
): AsyncGenerator<readonly JsonItem[]> {
  let parse: ReturnType<typeof documentParser> | undefined;
  for await (const chunk of chunks) {
    parse ??= documentParser(o.path, pathsFor(chunk, o.records));
    yield parse(chunk);
  }
  parse?.(undefined);
}

/** The paths that lead to records in a document that begins so. */
function pathsFor(head: Buffer, records: readonly RecordPath[]): readonly RecordPath[] {
  if (/^\ufeff?\s*\[/.test(head.subarray(0, 1000).toString('utf8'))) {
    return [...records.filter(({ array }) => array.length === 0), { array: [], inner: [] }];
  }
  const nested = records.filter(({ array }) => array.length > 0);
  const [parser, found] = parserOf(nested);
  try {
    parser.write(head);
  } catch {
    // It is told when the document is read.
  }
  const first = found.find(({ item }) => typeof item !== 'string');
  // One array holds the records. A path that leads to what is around it would have the array itself as a record.
  return nested.filter(({ array }) => array.join('.') === first?.array.join('.'));
}

interface FoundItem {
  readonly item: JsonItem;
  /** The keys of the array that it is of. */
  readonly array: readonly string[];
}

function parserOf(paths: readonly RecordPath[]): [JSONParser, FoundItem[]] {
  const items: FoundItem[] = [];
  const arrays = [...new Map(paths.map(({ array }) => [array.join('.'), array])).values()];
  const parser = new JSONParser({
    paths: arrays.length === 0 ? ['$'] : arrays.map((array) => ['$', ...array, '*'].join('.')),
    keepStack: false,
    separator: '',
  });
  parser.onValue = ({ value, stack }) => {
    const array = stack.slice(1).map(({ key }) => String(key));
    items.push({ item: itemOf(innerRecord(value, array, paths)), array });
  };
  return [parser, items];
}

/** Parses piece by piece, and gives the records that end in it; `undefined` ends the input. */
function documentParser(
  path: string,
  paths: readonly RecordPath[],
): (chunk: Buffer | undefined) => readonly JsonItem[] {
  const [parser, items] = parserOf(paths);
  let fault: Error | undefined;
  parser.onError = (error) => {
    fault ??= error;
  };
  const check = (): void => {
    if (fault === undefined) return;
    const reason = fault.message.includes('ended in mid') ? 'it ends too early' : fault.message;
    throw new SwapfoldError('invalid-input', `${basename(path)} is not JSON: ${reason}.`, { cause: fault });
  };
  return (chunk) => {
    if (chunk === undefined) {
      if (!parser.isEnded) parser.end();
    } else parser.write(chunk);
    check();
    return items.splice(0).map(({ item }) => item);
  };
}
