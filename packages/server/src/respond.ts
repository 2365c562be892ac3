import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeclaredTooLarge } from './body.ts';

/** How long a caller that sends more than it may is listened to after its answer, ms. */
const LINGER = 2000;

/**
 * Sends a value as JSON.
 *
 * A connection on which too much of the request may still come is closed after it, but not at once: bytes that arrive at a closed
 * socket reset the connection, and the caller would lose the answer.
 */
export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const isUnread = !request.complete && (isChunked || isDeclaredTooLarge(request));
  if (isUnread) response.setHeader('Connection', 'close');
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  if (!isUnread) {
    response.end(bytes);
    return;
  }
  response.write(bytes);
  const timer = setTimeout(() => response.end(), LINGER);
  response.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end());
  request.resume();
}
