import { createHash } from 'node:crypto';
import type { SwapfoldError } from '../errors.ts';
import { requestError } from '../faults.ts';
import { isText } from '../filter/reading.ts';
import type { OrderTuple } from '../memory/first-rows.ts';

const VERSION = 1;

/**
 * A cursor: base64url of the JSON `[version, request, tuple, check]`.
 *
 * `request` names the request the cursor belongs to, `tuple` the sort values of the last row of its page, and `check` is a digest
 * of the other three. The check finds damage; it is no secret, and a forged cursor can only choose where in its own answer it starts.
 */
export function writeCursor(request: string, tuple: OrderTuple): string {
  return Buffer.from(JSON.stringify([VERSION, request, tuple, checkOf(request, tuple)])).toString('base64url');
}

/** What a place of a cursor's tuple may hold. */
export interface CursorValue {
  readonly type: 'number' | 'text';
  readonly isNullable: boolean;
  /** The greatest of the whole numbers from 0 on that the place may hold, where it holds such. */
  readonly greatest?: number;
}

/**
 * The sort values that a cursor holds.
 *
 * - Errors: `invalid-cursor` if it is damaged, of another version, or of another request; also where a value is not what `accepts` says of its place.
 */
export function readCursor(cursor: unknown, request: string, accepts: readonly CursorValue[]): OrderTuple {
  const { owner, tuple } = checkCursor(cursor);
  if (owner !== request)
    throw cursorError(
      '"cursor" belongs to another request; send it with the body that gave it (only "limit" may change), or start without a cursor.',
    );
  if (tuple.length !== accepts.length || !tuple.every((value, i) => isAccepted(value, accepts[i]!))) throw damaged();
  return tuple;
}

/** What a cursor holds, of whatever request. Errors: `invalid-cursor` if it is damaged, or of another version. */
export function checkCursor(cursor: unknown): { readonly owner: string; readonly tuple: OrderTuple } {
  const content = decode(cursor);
  if (!Array.isArray(content) || content.length !== 4) throw damaged();
  const [version, owner, tuple, check] = content as unknown[];
  if (version !== VERSION)
    throw cursorError('"cursor" was made by another version of Swapfold; start again without a cursor.');
  if (typeof owner !== 'string' || !isTuple(tuple) || check !== checkOf(owner, tuple)) throw damaged();
  return { owner, tuple };
}

/** Names a request, whatever the order of its keys: every key of `body` but `limit` and `cursor` counts. */
export function requestKey(kind: string, body: object): string {
  const { limit: _limit, cursor: _cursor, ...rest } = body as Record<string, unknown>;
  return digest(`${kind} ${canonical(rest)}`);
}

function decode(cursor: unknown): unknown {
  if (typeof cursor !== 'string') throw damaged();
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) throw damaged();
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw damaged(cause);
  }
}

function checkOf(request: string, tuple: OrderTuple): string {
  return digest(JSON.stringify([VERSION, request, tuple]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, held]) => held !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonical(held)}`).join()}}`;
}

function isTuple(tuple: unknown): tuple is OrderTuple {
  return (
    Array.isArray(tuple) &&
    tuple.every((value) => value === null || typeof value === 'string' || Number.isFinite(value))
  );
}

function isAccepted(value: number | string | null, { type, isNullable, greatest }: CursorValue): boolean {
  if (value === null) return isNullable;
  if (typeof value === 'string') return type === 'text' && isText(value);
  return type === 'number' && (greatest === undefined || (Number.isInteger(value) && value >= 0 && value <= greatest));
}

function damaged(cause?: unknown): SwapfoldError {
  return cursorError('"cursor" is damaged; send it exactly as a response gave it, or start without a cursor.', cause);
}

function cursorError(message: string, cause?: unknown): SwapfoldError {
  return requestError('invalid-cursor', 'cursor', message, cause);
}
