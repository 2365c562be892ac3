import { isAscii } from 'node:buffer';
import { SwapfoldError } from '@swapfold/core';
import { finish, JsonDepth, show, type Work } from '@swapfold/core/host';
import { jsonFault } from './json-fault.ts';

/** Deeper than any request means something, and shallow enough for every recursive reader. */
export const MAX_DEPTH = 64;

/** Names of one object: more than any request has. Objects with many names are what takes longest to parse. */
export const MAX_NAMES = 256;

/** Values of one body, of which an empty list or object counts as two: more than the longest lists that a request may hold, and few enough to be parsed in one turn. */
export const MAX_VALUES = 30_000;

/** Characters that are looked at before others may have their turn. */
const PIECE = 65_536;

/** How much a body may hold. */
interface Most {
  readonly names: number;
  readonly values: number;
}

const unbounded: Most = { names: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** As `readJson`, without a pause and of any number of names and values: for what is short by itself, such as a pushed row. */
export function parseJson(body: Buffer, what?: string): unknown {
  return finish(readJson(body, what, unbounded));
}

/**
 * The value of a request body, or of `what` in it; of an empty one `{}`, as clients send it for a call without arguments.
 *
 * - Errors: `invalid-json` for a body that is not UTF-8, not JSON (with line and column), nested deeper than 64 levels, with more than
 *   256 names in an object, or with more than 30,000 values.
 */
export function* readJson(
  body: Buffer,
  what = 'The request body',
  most: Most = { names: MAX_NAMES, values: MAX_VALUES },
): Work<unknown> {
  if (body.length === 0) return {};
  const text = decode(body, what);
  // Each level takes a character, as each name and each value do.
  if (text.length > MAX_DEPTH) yield* checkSize(text, what, most);
  try {
    return JSON.parse(text);
  } catch (cause) {
    yield;
    if (text.trim() === '')
      throw new SwapfoldError('invalid-json', `${what} is blank; send JSON, or nothing at all.`, { cause });
    throw new SwapfoldError('invalid-json', `${what} is not JSON: ${yield* faultOf(text)}.`, { cause });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(body: Buffer, what: string): string {
  if (isAscii(body)) return body.toString('latin1');
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new SwapfoldError('invalid-json', `${what} is not UTF-8.`, { cause });
  }
}

const [COMMA, COLON] = [0x2c, 0x3a];

/** Refuses what would take long to parse, before it is. Errors: `invalid-json`. */
function* checkSize(text: string, what: string, most: Most): Work<void> {
  const place = new JsonDepth();
  /** Names of the object that is open on each level. */
  const names = new Uint32Array(MAX_DEPTH + 1);
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    if (i % PIECE === PIECE - 1) yield;
    const code = text.charCodeAt(i);
    const { depth } = place;
    if (!place.take(code)) continue;
    if (place.depth > depth) {
      if (place.depth > MAX_DEPTH)
        throw new SwapfoldError('invalid-json', `${what} is nested deeper than ${MAX_DEPTH} levels.`);
      names[place.depth] = 0;
    }
    if (place.depth > depth || code === COMMA) values++;
    else if (code === COLON && depth >= 0) names[depth]!++;
    if (names[depth]! > most.names)
      throw new SwapfoldError(
        'invalid-json',
        `${what} has an object with more than ${most.names} fields; no request has so many.`,
      );
    if (values > most.values)
      throw new SwapfoldError(
        'invalid-json',
        `${what} holds more than ${most.values} values; ask for less in one request.`,
      );
  }
}

function* faultOf(text: string): Work<string> {
  const at = (yield* jsonFault(text)) ?? 0;
  let [line, begin] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
    line++;
    begin = end + 1;
    if (line % 4096 === 0) yield;
  }
  const place = `line ${line}, column ${at - begin + 1}`;
  return at < text.length
    ? `unexpected ${show(String.fromCodePoint(text.codePointAt(at)!))} at ${place}`
    : `it ends too early, at ${place}`;
}
