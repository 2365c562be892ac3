import type { Work } from '@swapfold/core/host';

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may stand in a string as it is. */
const plain = /[ !#-[\]-\uffff]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Tokens after which others may have their turn. */
const PIECE = 4096;

/**
 * Where a text stops being JSON: the offset of the first character that cannot stand there, the text's length where it ends too early.
 *
 * `undefined` for JSON. The engine's own message gives a position for some faults only, and in other words from version to version.
 */
export function* jsonFault(text: string): Work<number | undefined> {
  const open: string[] = [];
  let expected = 'value' as Expected;
  let at = skip(space, text, 0);
  for (let tokens = 1; at < text.length; tokens++) {
    if (tokens % PIECE === 0) yield;
    const char = text[at]!;
    const end = closing(open);
    if (char === end && expected !== 'value' && expected !== 'key' && expected !== 'colon') {
      open.pop();
      expected = 'comma-or-end';
      at++;
    } else if (expected === 'comma-or-end') {
      if (char !== ',' || end === undefined) return at;
      expected = end === ']' ? 'value' : 'key';
      at++;
    } else if (expected === 'colon') {
      if (char !== ':') return at;
      expected = 'value';
      at++;
    } else if (char === '"') {
      const close = yield* skipString(text, at + 1);
      if (text[close] !== '"') return close;
      expected = expected === 'key' || expected === 'key-or-end' ? 'colon' : 'comma-or-end';
      at = close + 1;
    } else if (expected === 'key' || expected === 'key-or-end') return at;
    else if (char === '[' || char === '{') {
      open.push(char);
      expected = char === '[' ? 'value-or-end' : 'key-or-end';
      at++;
    } else {
      const after = skip(scalar, text, at);
      if (after === at) return at;
      expected = 'comma-or-end';
      at = after;
    }
    at = skip(space, text, at);
  }
  return expected === 'comma-or-end' && open.length === 0 ? undefined : text.length;
}

function closing(open: readonly string[]): string | undefined {
  if (open.length === 0) return undefined;
  return open[open.length - 1] === '[' ? ']' : '}';
}

/** The offset of the quote that ends a string, or of what may not stand in it. */
function* skipString(text: string, from: number): Work<number> {
  let at = skip(plain, text, from);
  for (let escapes = 1; text[at] === '\\'; escapes++) {
    if (escapes % PIECE === 0) yield;
    const after = skip(escaped, text, at);
    if (after === at) return at;
    at = skip(plain, text, after);
  }
  return at;
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
