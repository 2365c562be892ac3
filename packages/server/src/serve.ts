import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { isDeclaredTooLarge } from './body.ts';
import { createHandler, type HandlerOptions } from './handler.ts';
import { refuseUnreadable } from './unreadable.ts';

export interface ServeOptions extends Omit<HandlerOptions, 'drain'> {
  /** Address to listen on. Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined;
  /** Default 8080; 0 takes a free one. */
  readonly port?: number | undefined;
  readonly timeouts?: Timeouts | undefined;
}

/** How long the server waits, seconds. */
export interface Timeouts {
  /** For the headers of a request. Default 10. */
  readonly headers?: number | undefined;
  /** For a whole request, its body included. Default 30. */
  readonly request?: number | undefined;
  /** For the next request on an open connection: longer than the 60 of the usual proxies. Default 65. */
  readonly keepAlive?: number | undefined;
  /** For running requests when the server closes; then their connections are cut. Default 10. */
  readonly drain?: number | undefined;
}

export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** When the routes answer. Rejects with what kept the store from opening. */
  readonly ready: Promise<void>;
  /** Takes no new requests, lets running ones end, then closes every connection. The store stays open: it is the caller's. */
  close(): Promise<void>;
}

/**
 * Serves a store over HTTP. Resolves once the port is open; with the promise of a store, requests are answered 503 until it resolves.
 *
 * - Errors: `invalid-config` for keys that cannot be read, or an address that cannot be listened on.
 *
 * ```ts
 * const server = await serve(dex, { port: 8080, keys: ['a-long-random-key'] });
 * console.log(server.url); // http://127.0.0.1:8080
 * await server.close();
 * ```
 */
export async function serve(dex: Swapfold | Promise<Swapfold>, options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080, timeouts = {} } = options;
  const drain = new AbortController();
  const { listener, ready } = createHandler(dex, { ...options, drain: drain.signal });
  const { headers = 10, request = 30, keepAlive = 65 } = timeouts;
  const server = createServer({
    headersTimeout: headers * 1000,
    requestTimeout: request * 1000,
    keepAliveTimeout: keepAlive * 1000,
    connectionsCheckingInterval: Math.min(1, headers / 2) * 1000,
  });
  /** How many answers are under way on each open connection. */
  const connections = new Map<Duplex, number>();
  server.on('connection', (socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (incoming, response) => {
    const { socket } = incoming;
    connections.set(socket, (connections.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const answers = connections.get(socket);
      if (answers === undefined) return;
      connections.set(socket, answers - 1);
      if (drain.signal.aborted && answers === 1) socket.end();
    });
    listener(incoming, response);
  });
  server.on('checkContinue', (incoming, response) => {
    if (!isDeclaredTooLarge(incoming)) response.writeContinue();
    server.emit('request', incoming, response);
  });
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, connections.get(socket) !== 0));
  await listen(server, host, port);

  let closed: Promise<void> | undefined;
  return {
    url: urlOf(server.address() as AddressInfo),
    ready,
    close() {
      drain.abort();
      for (const [socket, answers] of connections) if (answers === 0) socket.end();
      closed ??= closeServer(server, timeouts.drain ?? 10);
      return closed;
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
      reject(new SwapfoldError('invalid-config', `Cannot listen on ${host}, port ${port}: ${reason}.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: Server, patience: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), patience * 1000);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(timer);
}

function urlOf({ address, port }: AddressInfo): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
