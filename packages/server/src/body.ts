import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SwapfoldError, show } from '@swapfold/core';
import { Refusal } from './refusal.ts';

/** The longest request body, bytes. */
const MAX_BODY = 1024 * 1024;

/** Refuses a body that is not declared as JSON in UTF-8. Errors: `unsupported-media-type`. */
export function checkContentType(headers: IncomingHttpHeaders): void {
  if (headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined) return;
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (type?.toLowerCase() !== 'application/json') {
    const received = type ? `not ${show(type)}` : 'which is missing';
    throw new SwapfoldError('unsupported-media-type', `Content-Type must be application/json, ${received}.`);
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset))
    throw new SwapfoldError('unsupported-media-type', `The charset must be utf-8, not ${show(charset)}.`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new SwapfoldError(
      'unsupported-media-type',
      `Content-Encoding ${show(encoding)} is not supported; send the body as it is.`,
    );
}

/** The bytes of bodies that the server holds at once, those of all callers together. */
export class BodyBudget {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Errors: `unavailable` where so many bytes more would be too many. */
  check(bytes: number): void {
    if (this.#held + bytes > this.#most)
      throw new Refusal('bodies', 'The server is receiving too many large requests at once; try again later.', 1);
  }

  add(bytes: number): void {
    this.#held += bytes;
  }
}

/**
 * The body of a request, whole. It counts as held until the caller of this function gives its bytes back.
 *
 * - Errors: `body-too-large`, `unavailable`, as soon as it is known; what comes after is discarded; `aborted` where the caller hangs up.
 */
export function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BODY) throw tooLarge();
  budget.check(declared);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused = false;
    const refuse = (error: unknown): void => {
      budget.add(-length);
      length = 0;
      chunks.length = 0;
      isRefused = true;
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      if (length + chunk.length > MAX_BODY) {
        refuse(tooLarge());
        return;
      }
      try {
        budget.check(chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      budget.add(chunk.length);
      length += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', (cause) => {
      if (!request.complete) refuse(new SwapfoldError('aborted', 'The caller hung up.', { cause }));
    });
  });
}

/** Whether a request says of its body that it is over the limit; one that is sent in chunks says nothing. */
export function isDeclaredTooLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > MAX_BODY;
}

function tooLarge(): SwapfoldError {
  return new SwapfoldError(
    'body-too-large',
    `The request body is over ${MAX_BODY} bytes (1 MiB); ask for less in one request.`,
  );
}
