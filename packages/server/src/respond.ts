import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_BODY } from './body.ts';
import type { Body } from './compress.ts';
import { FREE, pace } from './paced.ts';

/** How long a caller that sends more than it may is listened to after its answer, ms. */
const LINGER = 2000;

/** Whether too much of a body may come to be read for nothing. */
function isLarge({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > MAX_BODY;
}

/** Whether more of a body may come than the system hands over at once. */
function mayBeLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > FREE;
}

/**
 * Sends an answer, as it is or compressed: JSON that nobody may store unless the headers say otherwise.
 *
 * A connection on which too much of the request may still come is closed after it, but not at once: bytes that arrive at a closed
 * socket reset the connection, and the caller would lose the answer.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Body,
): void {
  headers['Content-Type'] ??= 'application/json; charset=utf-8';
  const isText = typeof body === 'string';
  const length = isText ? Buffer.byteLength(body) : body.bytes.length;
  if (!isText) headers['Content-Encoding'] = body.encoding;
  // For a 304 it would be the length of the answer that the caller has.
  if (status !== 304) headers['Content-Length'] = String(length);
  headers['Cache-Control'] ??= 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  // What nobody has begun to read, Node would throw away as fast as it comes.
  if (!request.complete && mayBeLong(request) && !request.readableDidRead) pace(request);
  const isUnread =
    !request.complete &&
    (request.headers['transfer-encoding'] !== undefined ||
      isLarge(request) ||
      status === 413 ||
      headers.Connection === 'close');
  if (!isUnread) {
    response.writeHead(status, headers);
    // As a text, so that Node sends it in one piece with the headers; ASCII as Latin-1, which needs no encoding.
    if (isText) response.end(body, length === body.length ? 'latin1' : 'utf8');
    else response.end(body.bytes);
    return;
  }
  headers.Connection = 'close';
  response.writeHead(status, headers);
  response.write(isText ? body : body.bytes);
  const timer = setTimeout(() => response.end(), LINGER);
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end());
  request.resume();
}
