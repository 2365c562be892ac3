import type { IncomingMessage } from 'node:http';
import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import type { Exchange } from './exchange.ts';

/** Errors: `invalid-config` for what is no origin. */
export function checkCors(cors: readonly string[]): void {
  for (const [i, origin] of cors.entries()) {
    const isText = typeof origin === 'string';
    if (isText && (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin))) continue;
    const message = `expected an origin such as "https://app.example", received ${show(origin)}`;
    throw new SwapfoldError('invalid-config', `"cors.${i}": ${message}.`, {
      details: [{ path: `cors.${i}`, message }],
    });
  }
}

const isListed = (origin: string, cors: readonly string[]): boolean => cors.includes(origin) || cors.includes('*');

/** Lets the pages of listed origins read the answer. True for a preflight of theirs, which is answered. */
export function allowOrigin({ request, response, headers }: Exchange, cors: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !isListed(origin, cors)) return false;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = 'Retry-After, X-Request-Id, RateLimit, RateLimit-Policy';
  headers.Vary = 'Origin';
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  response.writeHead(204, {
    ...headers,
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Content-Type, X-Api-Key, X-Request-Id, Last-Event-ID, Mcp-Protocol-Version',
    'Access-Control-Max-Age': '86400',
  });
  response.end();
  return true;
}

/** Refuses what the page of another site does, unless its origin is listed. Programs send no `Origin`. Errors: `forbidden`. */
export function checkOrigin({ headers }: IncomingMessage, cors: readonly string[], what = 'open a WebSocket'): void {
  const { origin, host } = headers;
  if (origin === undefined || isListed(origin, cors)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new SwapfoldError(
    'forbidden',
    `Pages of ${show(origin)} may not ${what} here; the operator lists it in "cors" to allow it.`,
  );
}
