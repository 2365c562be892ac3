import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SwapfoldError, show } from '@swapfold/core';

/** The longest request body, bytes. */
const MAX_BODY = 1024 * 1024;

/** Refuses a body that is not declared as JSON in UTF-8. Errors: `unsupported-media-type`. */
export function checkContentType(headers: IncomingHttpHeaders): void {
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
 * The body of a request, whole.
 *
 * - Errors: `body-too-large`, as soon as it is known; what comes after is discarded. The error of the stream where the caller hangs up.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (isDeclaredTooLarge(request)) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
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
