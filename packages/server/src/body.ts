import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SwapfoldError } from '@swapfold/core';
import { type OperationCost, operations, type Share, show } from '@swapfold/core/host';
import type { BodyBudget, Receiving } from './body-budget.ts';
import { pushLimits } from './ingest/read-rows.ts';
import { pace } from './paced.ts';
import { takenBody } from './taken-body.ts';

/** The longest request body, bytes. */
export const MAX_BODY = 1024 * 1024;

/** The longest body of a look-up, bytes: more than a get-price of 1,000 tokens takes. */
export const MAX_LOOKUP = 64 * 1024;

/** The longest body of an operation of a cost that takes no rows, bytes. */
export const mostOf = (cost: OperationCost): number => (cost === 'point' ? MAX_LOOKUP : MAX_BODY);

/** What is read of a body, and for whom. */
export interface BodyReading {
  readonly budget: BodyBudget;
  readonly share: Share;
  /** Bytes of the longest. Default 1 MiB. */
  readonly most?: number;
}

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

/**
 * The body of a request, whole. It counts as held until the caller of this function gives its bytes back.
 *
 * - Errors: `body-too-large`, `unavailable`, as soon as it is known; what comes after is discarded; `aborted` where the caller hangs up;
 *   `internal` if it was read before and thrown away.
 */
export async function readBody(request: IncomingMessage, reading: BodyReading): Promise<Buffer> {
  const { budget, share, most = MAX_BODY } = reading;
  const taken = takenBody(request);
  if (taken !== undefined) return held(taken, { budget, share, most });
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) throw tooLarge(most);
  budget.makeRoom(share, declared);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused = false;
    const refuse = (error: unknown): void => {
      budget.end(receiving);
      budget.add(share, -length);
      length = 0;
      chunks.length = 0;
      isRefused = true;
      reject(error);
    };
    const receiving: Receiving = { share, cut: refuse };
    budget.begin(receiving);
    pace(request);
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      if (length + chunk.length > most) {
        refuse(tooLarge(most));
        return;
      }
      try {
        budget.makeRoom(share, chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      budget.add(share, chunk.length);
      length += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      budget.end(receiving);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('error', (cause) => {
      if (!request.complete && !isRefused) refuse(new SwapfoldError('aborted', 'The caller hung up.', { cause }));
    });
  });
}

/** Counts a body that is here already. */
function held(body: Buffer, { budget, share, most }: Required<BodyReading>): Buffer {
  if (body.length > most) throw tooLarge(most);
  budget.makeRoom(share, body.length);
  budget.add(share, body.length);
  return body;
}

/** Whether a request says of its body that it is over the limit; one that is sent in chunks says nothing. */
export function isDeclaredTooLarge({ headers, url = '' }: IncomingMessage): boolean {
  const [, most = MAX_BODY] = mostByAddress.find(([address]) => address.test(url)) ?? [];
  return Number(headers['content-length'] ?? 0) > most;
}

/** Addresses of operations, as they may be written, with the longest bodies: the routes themselves say so in the end. */
const mostByAddress = operations.map(({ path, cost, write }): readonly [RegExp, number] => [
  new RegExp(`^/+v1/+[^/]+${path.replaceAll('/', '/+')}(\\?|$)`),
  write?.takesRows ? pushLimits.sentBytes : mostOf(cost),
]);

function tooLarge(most: number): SwapfoldError {
  const size = most < MAX_BODY ? `${most / 1024} KiB` : `${most / MAX_BODY} MiB`;
  return new SwapfoldError(
    'body-too-large',
    `The request body is over ${most} bytes (${size}); ask for less in one request.`,
  );
}
