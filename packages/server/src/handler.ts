import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { createKeyRing, type Keys } from './keys.ts';
import { type Logger, silent } from './logger.ts';
import { errorBody, visibleError } from './refusal.ts';
import { sendJson } from './respond.ts';
import { createRoutes, findRoute, healthRoute, pathOf, type Routes } from './routes.ts';

export interface HandlerOptions {
  /** Who may call. Default: `api_keys` of the store's configuration, which is nobody where that is empty; `'none'` asks for no key. */
  readonly keys?: Keys | undefined;
  /** One line a request, with the cause of an internal error. Default: silence. */
  readonly logger?: Logger | undefined;
  /** Once aborted, every new request but `GET /healthz` is answered 503, and connections close after their answer. */
  readonly drain?: AbortSignal | undefined;
}

export interface Handler {
  readonly listener: RequestListener;
  /** When the routes answer. Rejects with what kept the store from opening. */
  readonly ready: Promise<void>;
}

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 5;

/**
 * The routes as a listener for a `node:http` server of your own.
 *
 * - A promise of a store: requests are answered 503 until it is open.
 * - Paths are those of the interface, from the root; the body must not have been read before.
 * - Errors: `invalid-config` for keys that cannot be read.
 *
 * ```ts
 * const { listener, ready } = createHandler(dex, { keys: ['a-long-random-key'] });
 * http.createServer(listener).listen(8080);
 * ```
 */
export function createHandler(dex: Swapfold | Promise<Swapfold>, options: HandlerOptions = {}): Handler {
  const { logger = silent, drain } = options;
  const keys = options.keys === undefined ? undefined : createKeyRing(options.keys);
  const routesOf = (opened: Swapfold): Routes => createRoutes(opened, keys ?? createKeyRing(opened.config.api_keys));
  let routes = dex instanceof Promise ? undefined : routesOf(dex);
  const ready = Promise.resolve(dex).then((opened) => {
    routes ??= routesOf(opened);
  });
  ready.catch((err: unknown) => logger.error({ err }, 'the store did not open'));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = requestIdOf(request);
    const note: Note = { request_id: requestId, method: request.method };
    const start = performance.now();
    response.setHeader('X-Request-Id', requestId);
    try {
      const route = currentRoute(request, response);
      note.route = route.path;
      send(request, response, 200, await route.answer(request));
    } catch (error) {
      const visible = visibleError(error);
      if (visible.status >= 500) note.err = error;
      if (visible.status === 401) response.setHeader('WWW-Authenticate', 'ApiKey realm="swapfold"');
      if (visible.status === 503) response.setHeader('Retry-After', RETRY_AFTER);
      send(request, response, visible.status, errorBody(visible, requestId));
    }
    note.ms = Math.round(performance.now() - start);
    if (response.destroyed) logger.info(note, 'the caller hung up');
    else logger[response.statusCode < 500 ? 'info' : 'error']({ ...note, status: response.statusCode }, 'request');
  }

  function currentRoute(request: IncomingMessage, response: ServerResponse) {
    if (pathOf(request) === healthRoute.path) return findRoute(healthRoutes, request, response);
    if (drain?.aborted) throw new SwapfoldError('unavailable', 'The server is shutting down; use another one.');
    if (routes === undefined)
      throw new SwapfoldError('unavailable', 'The server is starting: its store is not open yet; try again later.');
    return findRoute(routes, request, response);
  }

  function send(request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void {
    if (response.destroyed) return;
    if (drain?.aborted) response.setHeader('Connection', 'close');
    sendJson(request, response, status, value);
  }

  return { listener: (request, response) => void answer(request, response), ready };
}

const healthRoutes: Routes = new Map([[healthRoute.path, healthRoute]]);

interface Note {
  readonly request_id: string;
  readonly method: string | undefined;
  route?: string;
  ms?: number;
  err?: unknown;
}

/** The caller's `X-Request-Id` where it is a plain name, else a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
