import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import { isDeclaredTooLarge } from './body.ts';
import { type Connections, watchConnections } from './connections.ts';
import { admissionOf, createHandlerOf, type Handler, type HandlerOptions } from './handler.ts';
import type { KeyEntry } from './keys.ts';
import { closeServer, listen, urlOf } from './listening.ts';
import { UpgradableRequest } from './live/sockets.ts';
import { careful, silent } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';
import { createSeldomLog } from './seldom-log.ts';
import { refuseUnreadable } from './unreadable.ts';

/** Options of `serve`. */
export interface ServeOptions extends Omit<HandlerOptions, 'drain' | 'leaving' | 'keyPatience'> {
  /** Address to listen on. Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined;
  /** Default 8080; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Where `GET /metrics` answers in the format of Prometheus, without a key. Default: nowhere; its `host` is `127.0.0.1` unless it is given. */
  readonly metrics?: { readonly host?: string | undefined; readonly port: number } | undefined;
  /** How many may be open; beyond them the address that has most gives one up to others, or the new one is closed. Default 1024. */
  readonly connections?: number | undefined;
  /** How many of them one address may have, an IPv6 address by its /64. Default: all, as behind a proxy all have one address. */
  readonly connectionsPerAddress?: number | undefined;
  readonly timeouts?: Timeouts | undefined;
}

/** How long the server waits, seconds. */
export interface Timeouts {
  /** For the headers of a request. Default 10. */
  readonly headers?: number | undefined;
  /** For a whole request, its body included. Default 30. */
  readonly request?: number | undefined;
  /** For a caller that takes nothing of its answer. Default 30. */
  readonly stall?: number | undefined;
  /** For the next request on an open connection: longer than the 60 of the usual proxies. Default 65. */
  readonly keepAlive?: number | undefined;
  /** For the key of a WebSocket whose handshake had none. Default 5. */
  readonly key?: number | undefined;
  /** How long a server that closes goes on as before while `GET /readyz` is answered 503, so that balancers send no more. Default 0. */
  readonly leave?: number | undefined;
  /** For running requests when the server closes; then their connections are cut. Default 8: containers are killed after 10. */
  readonly drain?: number | undefined;
}

/** What holds where the options of `serve` say nothing. docs/reference/http.md is held to it. */
export const serveDefaults = {
  host: '127.0.0.1',
  port: 8080,
  connections: 1024,
  timeouts: {
    headers: 10,
    request: 30,
    stall: 30,
    keepAlive: 65,
    key: 5,
    leave: 0,
    drain: 8,
  } satisfies Required<Timeouts>,
} as const;

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Where it serves its metrics, such as `http://127.0.0.1:9464/metrics`. */
  readonly metricsUrl: string | undefined;
  /** When the routes answer. Rejects with what kept the store from opening. */
  readonly ready: Promise<void>;
  /** From now on these keys may call and no others, on open connections too. Errors: `invalid-config`; then the old keys stay. */
  setKeys(keys: readonly KeyEntry[]): void;
  /**
   * After `timeouts.leave` it takes no new requests, lets running ones end, gives up those whose bodies are still on their way a second later, then closes every connection. The store stays open: it is the caller's.
   * `await using server = ...` closes it at the end of its block.
   */
  close(): Promise<void>;
}

/**
 * Serves a store over HTTP. Resolves once the port is open; with the promise of a store, requests are answered 503 until it resolves.
 *
 * - Errors: `invalid-config` for keys, rates and limits that cannot be read, or an address that cannot be listened on.
 *
 * ```ts
 * const server = await serve(dex, { port: 8080, keys: ['a-long-random-key'] });
 * console.log(server.url); // http://127.0.0.1:8080
 * await server.close();
 * ```
 */
export async function serve(dex: Swapfold | Promise<Swapfold>, options: ServeOptions = {}): Promise<RunningServer> {
  const base = serveDefaults;
  const { host = base.host, port = base.port, connections: most = base.connections, timeouts = {} } = options;
  const { connectionsPerAddress: mostOfAddress = most } = options;
  for (const [name, value] of Object.entries({ connections: most, connectionsPerAddress: mostOfAddress }))
    if (!Number.isInteger(value) || value < 1)
      throw new SwapfoldError('invalid-config', `"${name}": expected a whole number from 1, received ${show(value)}.`);
  const { headers, request, stall, keepAlive, key: keyPatience, leave, drain: patience } = timeoutsOf(timeouts);
  const drain = new AbortController();
  const leaving = new AbortController();
  let store: Swapfold | undefined = dex instanceof Promise ? undefined : dex;
  const admission = admissionOf(options);
  const server = createServer({
    IncomingMessage: UpgradableRequest,
    headersTimeout: headers * 1000,
    requestTimeout: request * 1000,
    keepAliveTimeout: keepAlive * 1000,
    connectionsCheckingInterval: Math.min(1, headers / 2) * 1000,
  });
  server.on('connection', () => admission.turns.connected());
  const { unsentBytes } = admission;
  const connections: Connections = watchConnections(server, { most, mostOfAddress, unsentBytes, stall });
  // Loaded when it is wanted: so is the client library behind it.
  const { registry } = options;
  const isMeasured = options.metrics !== undefined || registry !== undefined;
  const { createMetrics } = isMeasured ? await import('./metrics.ts') : {};
  let metrics: Metrics | undefined;
  let handler: Handler;
  try {
    metrics = createMetrics?.({ admission, connections, store: () => store, registry });
    const how = { ...options, keyPatience, drain: drain.signal, leaving: leaving.signal };
    handler = createHandlerOf(dex, admission, how, metrics?.observe);
  } catch (error) {
    metrics?.dispose();
    connections.dispose();
    throw error;
  }
  handler.ready.then(
    async () => {
      store = await dex;
    },
    () => undefined,
  );
  server.on('request', handler.listener);
  server.on('upgrade', handler.upgrade);
  server.on('checkContinue', (incoming, response) => {
    if (!isDeclaredTooLarge(incoming)) response.writeContinue();
    server.emit('request', incoming, response);
  });
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, connections.isAnswering(socket)));
  let metricsServer: MetricsServer | undefined;
  try {
    if (options.metrics !== undefined)
      metricsServer = await serveMetrics(metrics!, {
        host: options.metrics.host ?? base.host,
        port: options.metrics.port,
      });
    await listen(server, { host, port, backlog: most });
    // A connection that cannot be taken, such as for too many open files, is the caller's loss alone.
    const tellUntaken = createSeldomLog(careful(options.logger ?? silent), {
      count: 'failed',
      message: 'connections could not be taken',
    });
    server.on('error', (err) => tellUntaken({ err }));
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    leaving.abort();
    if (leave > 0 && server.listening) await sleep(leave * 1000);
    drain.abort();
    connections.drain();
    if (server.listening) await closeServer(server, patience);
    connections.dispose();
    metrics?.dispose();
    await metricsServer?.close();
  }
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closed ??= close();
    return closed;
  };
  return {
    url: urlOf(server),
    metricsUrl: metricsServer && `${metricsServer.url}/metrics`,
    ready: handler.ready,
    setKeys: handler.setKeys,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function timeoutsOf(given: Timeouts): Readonly<Record<keyof Timeouts, number>> {
  const base = serveDefaults.timeouts;
  return {
    headers: given.headers ?? base.headers,
    request: given.request ?? base.request,
    stall: given.stall ?? base.stall,
    keepAlive: given.keepAlive ?? base.keepAlive,
    key: given.key ?? base.key,
    leave: given.leave ?? base.leave,
    drain: given.drain ?? base.drain,
  };
}
