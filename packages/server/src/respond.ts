import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeclaredTooLarge } from './body.ts';

/** How long a caller that sends more than it may is listened to after its answer, ms. */
const LINGER = 2000;

/**
 * Sends a text that is JSON.
 *
 * A connection on which too much of the request may still come is closed after it, but not at once: bytes that arrive at a closed
 * socket reset the connection, and the caller would lose the answer.
 */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  text: string,
): void {
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const length = Buffer.byteLength(text);
  headers['Content-Length'] = String(length);
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  const isUnread =
    !request.complete &&
    (request.headers['transfer-encoding'] !== undefined ||
      isDeclaredTooLarge(request) ||
      headers.Connection === 'close');
  if (!isUnread) {
    response.writeHead(status, headers);
    // As a text, so that Node sends it in one piece with the headers; ASCII as Latin-1, which needs no encoding.
    response.end(text, length === text.length ? 'latin1' : 'utf8');
    return;
  }
  headers.Connection = 'close';
  response.writeHead(status, headers);
  response.write(text);
  const timer = setTimeout(() => response.end(), LINGER);
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end());
  request.resume();
}
