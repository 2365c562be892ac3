import { type ErrorCode, type ErrorDetail, SwapfoldError } from '@swapfold/core';

/** The body of every answer that is an error. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly request_id: string;
}

/** Why the server turned a request away that was right in itself. */
export const overloadReasons = ['starting', 'draining', 'full', 'waited-too-long', 'bodies', 'cut', 'rate'] as const;
export type OverloadReason = (typeof overloadReasons)[number];

/** Those of a server that has too much to do. */
export const tooMuch: ReadonlySet<OverloadReason> = new Set(['full', 'waited-too-long', 'bodies', 'cut']);

/** A request that the server turns away on purpose; the caller may come back. */
export class Overload extends SwapfoldError {
  readonly reason: OverloadReason;
  /** Seconds. */
  readonly retryAfter: number;

  constructor(reason: OverloadReason, message: string, retryAfter: number) {
    super(reason === 'rate' ? 'rate-limited' : 'unavailable', message);
    this.reason = reason;
    this.retryAfter = Math.max(1, Math.ceil(retryAfter));
  }
}

/** A body parser in front of the handler has read a body and thrown it away: the request would wait for it for ever. */
export class BodyTaken extends SwapfoldError {
  constructor() {
    super(
      'internal',
      'The body of the request was read before the handler got it, and is not in "body" of the request: its operator puts the handler before the body parser (docs/guides/frameworks.md).',
    );
  }
}

/** An error as callers may see it: their mistakes in full, of ours only that there was one. */
export function visibleError(error: unknown): SwapfoldError {
  if (!(error instanceof SwapfoldError)) return internal;
  if (error instanceof BodyTaken) return error;
  if (error.status < 500 || error.code === 'unavailable') return error;
  if (error.code === 'not-refreshed') return notRefreshed;
  if (error.code === 'read-only') return notLive;
  return error.status === 503 ? unavailable : internal;
}

export function errorBody({ message, code, details }: SwapfoldError, requestId: string): ErrorBody {
  return { error: message, code, details, request_id: requestId };
}

const internal = new SwapfoldError(
  'internal',
  'The server failed at this request; its operator finds the cause in the log, under the request_id.',
);
const notRefreshed = new SwapfoldError(
  'unavailable',
  'There are no profiles to search yet: the operator of this server has yet to refresh its store; try again later.',
);
const notLive = new SwapfoldError(
  'not-found',
  'There is nothing to subscribe to here: this server reads a store that another process writes.',
);
const unavailable = new SwapfoldError('unavailable', 'The store is not open now; try again later.');
