import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import type { Registry, RegistryContentType } from 'prom-client';
import { Admission, type Limits } from './admission.ts';
import { type Body, pack } from './compress.ts';
import { allowOrigin, checkCors } from './cors.ts';
import { Exchange } from './exchange.ts';
import { type FetchHandler, fetchHandlerOf } from './fetch.ts';
import { checkHost, checkHosts } from './hosts.ts';
import { type KeyEntry, type Keys, WrongKey } from './keys.ts';
import { EventStream, type OpenStream } from './live/events.ts';
import { createSockets, type Upgrade } from './live/sockets.ts';
import { careful, type Logger, silent } from './logger.ts';
import type { Answered } from './metrics.ts';
import type { Operator } from './operator-routes.ts';
import { errorBody, Overload, tooMuch, visibleError } from './overload.ts';
import { pathOf } from './path.ts';
import type { ProxyHeader } from './peers.ts';
import { type PluggedRoute, pluggedRoute } from './plugged.ts';
import type { Rate } from './rate.ts';
import { sendAnswer } from './respond.ts';
import type { Route } from './route.ts';
import { createRoutes, findRoute, healthRoute, READY_PATH, type Routes } from './routes.ts';
import { createSeldomLog } from './seldom-log.ts';
import type { StaticFile } from './static-files.ts';

/** Options of `createHandler`. */
export interface HandlerOptions {
  /** Who may call. Default: `api_keys` of the store's configuration, which is nobody if that is empty; `'none'` asks for no key. */
  readonly keys?: Keys | undefined;
  /** How often each key may call that has no rate of its own, or each address if no key is asked for. Default: as often as it likes. */
  readonly rate?: Rate | undefined;
  readonly limits?: Limits | undefined;
  /** Whether answers of 1 KB and more are compressed for callers that accept it. Default true. */
  readonly compress?: boolean | undefined;
  /** Origins such as `https://app.example` whose pages may read answers and open WebSockets, in addition to the pages of this host; `*` is all. Default: none. */
  readonly cors?: readonly string[] | undefined;
  /**
   * Names such as `dex.internal` by which a server without keys is asked on a loopback address, beside `localhost` and its like: others are
   * refused there, because any site can have its name lead to 127.0.0.1. Default: none.
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Which proxies in front are believed when they say whom they ask for: how many there are one behind the other, or their addresses and subnets
   * (`['10.0.0.0/8', '::1']`). Rates, shares and wrong keys then go by the address of the caller. Default: none, and the address is that of the
   * connection.
   */
  readonly trustProxy?: number | readonly string[] | undefined;
  /** The header in which they say so: another one is never read. Default `x-forwarded-for`. */
  readonly proxyHeader?: ProxyHeader | undefined;
  /** A registry of prom-client, where the metrics of the server and its store are registered beside others. Default: none. */
  readonly registry?: Registry<RegistryContentType> | undefined;
  /** How long the client of a WebSocket has to send its key, seconds. Default 5. */
  readonly keyPatience?: number | undefined;
  /** One line a request, with the cause of an internal error. What it throws ends nothing. Default: silence. */
  readonly logger?: Logger | undefined;
  /** What is answered to anybody who asks for it, such as `await explorerFiles()` of `@swapfold/explorer`. Default: nothing. */
  readonly files?: readonly StaticFile[] | undefined;
  /** Whether keys whose `operations` say so may push swaps, registry rows and rollbacks (docs/guides/live.md). Default false. */
  readonly ingest?: boolean | undefined;
  /** What the server does for keys whose `operations` name `server.backup` or `server.stop` (docs/reference/http.md, "Operate a server"). Default: nothing. */
  readonly operator?: Operator | undefined;
  /** Routes of other packages, such as `mcpRoute()` of `@swapfold/mcp`. Default: none. */
  readonly routes?: readonly PluggedRoute[] | undefined;
  /** Whether `/udf` answers the charting library of TradingView (docs/guides/tradingview.md). Default false. */
  readonly udf?: boolean | undefined;
  /** Seconds that a pushed swap may be ahead of the clock; later ones are rejected. Default 600. */
  readonly maxAhead?: number | undefined;
  /** Once aborted, every new request but `GET /healthz` is answered 503, and connections close after their answer. */
  readonly drain?: AbortSignal | undefined;
  /** Once aborted, `GET /readyz` is answered 503, and all else as before: so that balancers send no more before `drain` is aborted. */
  readonly leaving?: AbortSignal | undefined;
}

/** The routes of a store, for a `node:http` server. */
export interface Handler {
  readonly listener: RequestListener;
  /** The same routes for Web `Request` and `Response`: WebSockets are not among them. */
  readonly fetch: FetchHandler;
  /** For `server.on('upgrade', upgrade)`: WebSockets at `/v1/ws`. */
  readonly upgrade: Upgrade;
  /** When the routes answer. Rejects with what kept the store from opening. */
  readonly ready: Promise<void>;
  /** From now on these keys may call and no others, on open connections too. Errors: `invalid-config`; then the old keys stay. */
  setKeys(keys: readonly KeyEntry[]): void;
}

/** Seconds that a pushed swap may be ahead of the clock. */
export const MAX_AHEAD = 600;

const nobodyPushes = new SwapfoldError(
  'invalid-config',
  'No key may push anything, and "ingest" is on: give one "operations" such as ["ingest"]; a server without keys takes nothing.',
);

function checkMaxAhead(given: number | undefined): void {
  if (given === undefined || (typeof given === 'number' && given >= 0)) return;
  throw new SwapfoldError('invalid-config', `"maxAhead": expected seconds from 0, received ${show(given)}.`);
}

/** Seconds after which a caller may try again whom a server that starts or ends has refused. */
const RETRY_AFTER = 5;

/**
 * The routes as a listener for a `node:http` server of your own.
 *
 * - A promise of a store: requests are answered 503 until it is open.
 * - Paths are those of the interface, from the root. A body that was parsed before is taken from `body` of the request.
 * - Errors: `invalid-config` for keys, rates and limits that cannot be read.
 *
 * ```ts
 * const { listener, ready } = createHandler(dex, { keys: ['a-long-random-key'] });
 * http.createServer(listener).listen(8080);
 * ```
 */
export function createHandler(dex: Swapfold | Promise<Swapfold>, options: HandlerOptions = {}): Handler {
  const admission = admissionOf(options);
  return options.registry === undefined
    ? createHandlerOf(dex, admission, options)
    : createMeasuredHandler(dex, admission, { ...options, registry: options.registry });
}

/** Errors: `invalid-config`. */
export function admissionOf({ keys = [], rate, limits, trustProxy, proxyHeader }: HandlerOptions): Admission {
  return new Admission({ keys, rate, limits, trustProxy, proxyHeader });
}

/** A handler with metrics. Their library is loaded when it is wanted, so that `ready` waits for it, and counts what is answered before. */
function createMeasuredHandler(
  dex: Swapfold | Promise<Swapfold>,
  admission: Admission,
  options: HandlerOptions & Required<Pick<HandlerOptions, 'registry'>>,
): Handler {
  let store: Swapfold | undefined;
  let observe = (answered: Answered): void => void measuring.then((metrics) => metrics.observe(answered), ignore);
  const handler = createHandlerOf(dex, admission, options, (answered) => observe(answered));
  const measuring = import('./metrics.ts').then(({ createMetrics }) =>
    createMetrics({ admission, store: () => store, registry: options.registry }),
  );
  const ready = Promise.all([dex, measuring, handler.ready]).then(([opened, metrics]) => {
    store = opened;
    observe = metrics.observe;
  });
  measuring.then(({ dispose }) => options.drain?.addEventListener('abort', dispose), ignore);
  measuring.catch((err: unknown) =>
    careful(options.logger ?? silent).error({ err }, 'the metrics were not registered'),
  );
  ready.catch(ignore);
  return { ...handler, ready };
}

const ignore = (): void => undefined;

/** As `createHandler`, with the admission and the observer that a server of its own has. */
export function createHandlerOf(
  dex: Swapfold | Promise<Swapfold>,
  admission: Admission,
  options: HandlerOptions,
  observe: (answered: Answered) => void = () => undefined,
): Handler {
  const { drain, compress: isCompressing = true, cors = [], hosts = [], leaving } = options;
  const logger = careful(options.logger ?? silent);
  checkCors(cors);
  checkHosts(hosts);
  const requireHost = (request: IncomingMessage): void => {
    if (admission.isOpen) checkHost(request, { hosts, cors });
  };
  checkMaxAhead(options.maxAhead);
  let areKeysGiven = options.keys !== undefined;
  if (options.ingest && areKeysGiven && !admission.canPush) throw nobodyPushes;
  const open = (opened: Swapfold): Routes => {
    if (!areKeysGiven) admission.setKeys(opened.config.api_keys);
    store = opened;
    if (options.ingest && !admission.canPush) throw nobodyPushes;
    const plugged = options.routes?.map((route) => pluggedRoute(route, { dex: opened, admission, cors, logger }));
    const { files, ingest, udf, operator, maxAhead = MAX_AHEAD } = options;
    return createRoutes(opened, admission, {
      open: streams,
      drain,
      files,
      ingest,
      maxAhead,
      udf,
      operator,
      cors,
      plugged,
    });
  };
  let store: Swapfold | undefined;
  const streams = new Set<OpenStream>();
  drain?.addEventListener('abort', () => {
    for (const stream of streams) stream.end();
  });
  const { keyPatience } = options;
  const seldomWrongKeys = createSeldomLog(logger, {
    count: 'wrong_keys',
    message: 'many wrong API keys: their answers come late',
  });
  const tellWrongKeys = (peer: string): void => seldomWrongKeys({ peer });
  const sockets = createSockets({
    dex: () => store,
    admission,
    cors,
    drain,
    logger,
    keyPatience,
    requireHost,
    tellWrongKeys,
  });
  let routes = dex instanceof Promise ? undefined : open(dex);
  const ready = Promise.resolve(dex).then((opened) => {
    routes ??= open(opened);
  });
  ready.catch((err: unknown) => logger.error({ err }, 'the store did not open'));
  const tellOverload = createSeldomLog(logger, { count: 'refused', message: 'overloaded: requests were answered 503' });

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const exchange = new Exchange(request, response, { requestId: requestIdOf(request), isCompressing });
    try {
      requireHost(request);
      if (allowOrigin(exchange, cors)) return;
      const route = currentRoute(exchange);
      exchange.route = route.path;
      exchange.errorForm = route.errorForm;
      const answer = route.answer(exchange);
      if (answer instanceof Promise)
        answer.then(
          (body) => end(exchange, exchange.status, body, undefined),
          (error: unknown) => fail(exchange, error),
        );
      else end(exchange, exchange.status, answer, undefined);
    } catch (error) {
      fail(exchange, error);
    }
  }

  function fail(exchange: Exchange, error: unknown): void {
    if (!(error instanceof WrongKey)) {
      refuse(exchange, error);
      return;
    }
    const peer = admission.addressOf(exchange.request);
    admission.wrongKeys.take(peer, ({ isMany, isLast }) => {
      if (isMany) tellWrongKeys(peer);
      if (isLast) exchange.headers.Connection = 'close';
      refuse(exchange, error);
    });
  }

  function refuse(exchange: Exchange, error: unknown): void {
    const visible = visibleError(error);
    const { headers, requestId } = exchange;
    if (visible.status === 401) headers['WWW-Authenticate'] = 'ApiKey realm="swapfold"';
    if (visible instanceof Overload && visible.reason === 'cut') headers.Connection = 'close';
    if (visible instanceof Overload) headers['Retry-After'] = String(visible.retryAfter);
    else if (visible.status === 503) headers['Retry-After'] = String(RETRY_AFTER);
    const described = errorBody(visible, requestId);
    const text = JSON.stringify(exchange.errorForm?.(described) ?? described);
    const body = pack(exchange, text);
    if (body instanceof Promise)
      body.then(
        (packed) => end(exchange, visible.status, packed, error),
        () => end(exchange, visible.status, text, error),
      );
    else end(exchange, visible.status, body, error);
  }

  function currentRoute(exchange: Exchange): Route {
    if (routes === undefined || drain?.aborted) {
      if (pathOf(exchange.request) === healthRoute.path) return findRoute(healthRoutes, exchange);
      if (drain?.aborted) throw new Overload('draining', 'The server is shutting down; use another one.', RETRY_AFTER);
    }
    if (leaving?.aborted && pathOf(exchange.request) === READY_PATH)
      throw new Overload('draining', 'The server is about to shut down; use another one.', RETRY_AFTER);
    if (routes !== undefined) return findRoute(routes, exchange);
    throw new Overload('starting', 'The server is starting: its store is not open yet; try again later.', RETRY_AFTER);
  }

  function end(exchange: Exchange, status: number, body: Body | EventStream, error: unknown): void {
    const { request, response, route, headers } = exchange;
    const isSent = exchange.isWanted;
    if (isSent) {
      if (drain?.aborted) headers.Connection = 'close';
      if (body instanceof EventStream) body.begin(response, headers);
      else sendAnswer(request, response, status, headers, body);
    } else if (body instanceof EventStream) body.cancel();
    const milliseconds = performance.now() - exchange.start;
    const overload = error instanceof Overload ? error : undefined;
    observe({ route, status: isSent ? status : undefined, milliseconds, overload });
    if (overload !== undefined && tooMuch.has(overload.reason)) tellOverload({ reason: overload.reason });
    if (logger === silent) return;
    const isOurs =
      status >= 500 && overload === undefined && !(error instanceof SwapfoldError && error.code === 'aborted');
    const note: Note = { request_id: exchange.requestId, method: request.method };
    if (route !== undefined) note.route = route;
    if (exchange.caller !== undefined) note.caller = exchange.caller;
    if (status === 401) note.peer = admission.addressOf(request);
    if (isSent) note.status = status;
    note.ms = Math.round(milliseconds);
    if (isOurs) note.err = error;
    if (!isSent) logger[isOurs ? 'error' : 'info'](note, 'the caller hung up');
    else logger[isOurs ? 'error' : 'info'](note, 'request');
  }

  return {
    listener,
    fetch: fetchHandlerOf(listener),
    upgrade: sockets.upgrade,
    ready,
    setKeys(keys) {
      admission.setKeys(keys);
      sockets.checkKeys();
      for (const stream of streams) stream.checkKey();
      areKeysGiven = true;
    },
  };
}

const healthRoutes: Routes = new Map([[healthRoute.path, healthRoute]]);

/** The fields of a line of the log. */
interface Note {
  readonly request_id: string;
  readonly method: string | undefined;
  route?: string;
  caller?: string;
  /** The address of a caller whose key is missing or unknown. */
  peer?: string;
  status?: number;
  ms?: number;
  err?: unknown;
}

/** The caller's `X-Request-Id` if it is a plain name, else a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
