import type { IngestResult, TransfersResult } from './ingest-result.ts';

/** One row an error code: the HTTP status it is served with, what it means, what would help. docs/reference/errors.md is held to this table. */
export const errorCodes = {
  'invalid-request': {
    status: 400,
    meaning: 'The request body breaks a rule of its operation.',
    remedy: 'Correct the fields that the message and `details` name.',
  },
  'unknown-field': {
    status: 400,
    meaning: 'A key, a field path or a label does not exist.',
    remedy: 'Use the nearest name that the message gives, or the fields that the docs list.',
  },
  'unknown-operator': {
    status: 400,
    meaning: 'A filter operator does not exist, or does not suit the type of its field.',
    remedy: 'Use an operator that docs/reference/search.md lists for the type of the field.',
  },
  'invalid-filter': {
    status: 400,
    meaning: 'A filter is malformed or exceeds a limit.',
    remedy: 'Correct the clause that the message names.',
  },
  'invalid-cursor': {
    status: 400,
    meaning: 'The cursor is damaged, or belongs to another request.',
    remedy: 'Repeat the request that gave the cursor, with the same body, or start without a cursor.',
  },
  'cursor-expired': {
    status: 410,
    meaning: 'The commits that follow the cursor of a subscription are not kept any more, or what changed is unknown.',
    remedy: 'Read the list again, and subscribe without a cursor.',
  },
  'too-many-matches': {
    status: 400,
    meaning: 'The filter of a subscription finds more than 1,000 profiles.',
    remedy: 'Add conditions to the filter, or search page by page.',
  },
  'invalid-range': {
    status: 400,
    meaning: 'from, to, count and interval do not form a range, or a time is none.',
    remedy: 'Combine them as docs/reference/http.md says; times are RFC 3339, in-process a `Date` as well.',
  },
  'too-many-points': {
    status: 400,
    meaning: 'The range holds more candles, points or trades than one answer may.',
    remedy: 'Use a longer interval, a shorter range, or several requests.',
  },
  'behind-horizon': {
    status: 410,
    meaning: 'The answer, or what was given, reaches behind the horizon: the store has forgotten the swaps before it.',
    remedy: 'Ask for a later time; `info` says where the store begins. A store that keeps more days answers more.',
  },
  'invalid-json': { status: 400, meaning: 'The request body is not JSON.', remedy: 'Send one JSON object.' },
  unauthorized: {
    status: 401,
    meaning: 'The X-Api-Key header is missing or holds an unknown key.',
    remedy: 'Send a key that the operator has configured.',
  },
  forbidden: {
    status: 403,
    meaning: 'The key is known and may not use this route.',
    remedy: 'Ask the operator for a key that may.',
  },
  'not-found': {
    status: 404,
    meaning: 'No such route, or no profile for this address.',
    remedy: 'Check the path or the address.',
  },
  'method-not-allowed': {
    status: 405,
    meaning: 'The route exists for another method.',
    remedy: 'Use the method in the Allow header.',
  },
  'body-too-large': { status: 413, meaning: 'The request body is over the limit.', remedy: 'Send a smaller body.' },
  'unsupported-media-type': {
    status: 415,
    meaning: 'The request is not declared as JSON.',
    remedy: 'Send Content-Type: application/json.',
  },
  'rate-limited': {
    status: 429,
    meaning: 'The key has used up its rate.',
    remedy: 'Wait for the seconds in Retry-After.',
  },
  'too-many-subscriptions': {
    status: 429,
    meaning: 'The connection has as many subscriptions, or the caller as many live connections, as it may.',
    remedy: 'End some, or ask for several addresses in one subscription.',
  },
  internal: { status: 500, meaning: 'Swapfold failed.', remedy: 'Report it with the request_id.' },
  unavailable: {
    status: 503,
    meaning: 'The server is starting, draining or full.',
    remedy: 'Try again after the seconds in Retry-After.',
  },
  'invalid-config': {
    status: 400,
    meaning: 'The configuration, or an option of `open`, of an adapter or of the server, breaks a rule.',
    remedy: 'Correct what the message names; docs/reference/configuration.md lists the fields.',
  },
  'invalid-input': {
    status: 400,
    meaning: 'What a call was given cannot be used: a batch, a file, a path or an option.',
    remedy: 'Correct what the message names.',
  },
  'source-failed': {
    status: 500,
    meaning: 'The iterable that was handed to ingest threw.',
    remedy: 'See `cause`, and `result` for what is stored; ingest the source again, which skips what is known.',
  },
  'metric-failed': {
    status: 500,
    meaning: 'The function of a metric that the program gave to Swapfold.open threw.',
    remedy: 'Mend the function; `cause` is what it threw. Nothing was changed.',
  },
  'newer-schema': {
    status: 500,
    meaning: 'The store was written by a newer Swapfold.',
    remedy: 'Upgrade Swapfold, or use another store.',
  },
  'foreign-store': {
    status: 500,
    meaning: 'The file or database is not a Swapfold store.',
    remedy: 'Give a Swapfold store, or the name of a file or database that does not exist yet.',
  },
  'store-mismatch': {
    status: 500,
    meaning:
      'The store was folded with another configuration, label rules or metrics, or by another version of Swapfold.',
    remedy:
      'Open it with its own settings, or fold it again: docs/reference/configuration.md ("What a store remembers") lists what does.',
  },
  'store-failed': {
    status: 500,
    meaning: 'The engine failed; on ClickHouse also: another process has begun to write, which ended the write.',
    remedy: 'Read the message and its cause, then try again: nothing was half-written.',
  },
  'snapshot-expired': {
    status: 503,
    meaning: 'A read of one state of the store lasted so long that its rows were taken off the disk.',
    remedy: 'Ask again; raise `snapshot_seconds` for reads that take longer (docs/guides/engines.md).',
  },
  'store-locked': {
    status: 503,
    meaning: 'Another process, or another handle of this one, has the store open.',
    remedy: 'Close the other one, or read beside it where docs/guides/engines.md says that the engine allows it.',
  },
  'store-taken': {
    status: 503,
    meaning:
      'Another process has taken the file of the store over, or it was removed or replaced, since this handle opened it.',
    remedy:
      'Close the handle, see to it that one process writes, and open the store again; repeat what the call was to store.',
  },
  'linked-store': {
    status: 500,
    meaning:
      'The file of the store has a second name (a hard link), under which it would have other locks and another log.',
    remedy: 'Delete the other name, or copy the file while no process has it open, and open the copy.',
  },
  'too-many-files': {
    status: 503,
    meaning: 'The process, or the system, has as many files open as it may.',
    remedy: 'Raise the limit (`ulimit -n`), or close what is not needed, then try again.',
  },
  'not-refreshed': {
    status: 503,
    meaning: 'The store has swaps and no profiles, because no refresh has run.',
    remedy: 'Call `refresh`, or run `swapfold refresh`, then search.',
  },
  'disk-full': {
    status: 500,
    meaning: 'There is no room for what was to be written; it was undone.',
    remedy: 'Make room on the disk that holds the store, then try again.',
  },
  'read-only': {
    status: 500,
    meaning: 'The store, its file or its folder cannot be written.',
    remedy: 'Change the permissions of the file and its folder, or open the store for writing.',
  },
  'store-damaged': {
    status: 500,
    meaning: 'The file is cut short or holds what the engine did not write.',
    remedy: 'Restore a copy of the file, or make a new store from the swaps.',
  },
  'unsupported-by-engine': {
    status: 500,
    meaning: 'The engine cannot do this.',
    remedy: 'docs/guides/engines.md lists what each engine can.',
  },
  'nested-call': {
    status: 500,
    meaning: 'A write or close was called from inside a running write, which it would wait for.',
    remedy: 'Make the call when the running one has ended.',
  },
  closed: { status: 503, meaning: 'The store is closed.', remedy: 'Open it again.' },
  aborted: {
    status: 503,
    meaning: 'The caller aborted the call.',
    remedy: 'What the call was writing is undone; call again.',
  },
} as const satisfies Record<string, { status: number; meaning: string; remedy: string }>;

/** One of the codes of `errorCodes`. */
export type ErrorCode = keyof typeof errorCodes;

/** One thing that is wrong with an input: where, and a sentence that names what was received and what would do. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/**
 * The one error class of Swapfold: the caller's mistake, or a failure of the engine under it.
 *
 * - `code` is a key of `errorCodes`; `status` the HTTP status it is served with.
 * - `message` names the field, the value received and what would do.
 * - `details` lists every fault found, where there can be more than one.
 * - `result`, on an error of an `ingest` that had begun: what the call stored before.
 */
export class SwapfoldError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** What `ingest` stored before it failed, in whole batches. Absent on errors of other calls, and of one that was refused. */
  declare result?: IngestResult | TransfersResult;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: readonly ErrorDetail[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SwapfoldError';
    this.code = code;
    this.details = options.details ?? [];
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

export function invalidInput(message: string, options?: ConstructorParameters<typeof SwapfoldError>[2]): SwapfoldError {
  return new SwapfoldError('invalid-input', message, options);
}
