import { isAscii } from 'node:buffer';
import { SwapfoldError } from '@swapfold/core';
import { JsonDepth, show } from '@swapfold/core/host';
import { jsonFault } from './json-fault.ts';

/** Deeper than any request means something, and shallow enough for every recursive reader. */
export const MAX_DEPTH = 64;

/**
 * The value of a request body, or of `what` in it; of an empty one `{}`, as clients send it for a call without arguments.
 *
 * - Errors: `invalid-json` for a body that is not UTF-8, not JSON (with line and column) or nested deeper than 64 levels.
 */
export function parseJson(body: Buffer, what = 'The request body'): unknown {
  if (body.length === 0) return {};
  const text = decode(body, what);
  // Each level takes a character.
  if (text.length > MAX_DEPTH && isDeep(text))
    throw new SwapfoldError('invalid-json', `${what} is nested deeper than ${MAX_DEPTH} levels.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (text.trim() === '')
      throw new SwapfoldError('invalid-json', `${what} is blank; send JSON, or nothing at all.`, { cause });
    throw new SwapfoldError('invalid-json', `${what} is not JSON: ${faultOf(text)}.`, { cause });
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

function isDeep(text: string): boolean {
  const place = new JsonDepth();
  for (let i = 0; i < text.length; i++) {
    place.take(text.charCodeAt(i));
    if (place.depth > MAX_DEPTH) return true;
  }
  return false;
}

function faultOf(text: string): string {
  const at = jsonFault(text) ?? 0;
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${before[before.length - 1]!.length + 1}`;
  return at < text.length
    ? `unexpected ${show(String.fromCodePoint(text.codePointAt(at)!))} at ${place}`
    : `it ends too early, at ${place}`;
}
