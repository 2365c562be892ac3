import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { WebSocketServer } from 'ws';
import { type Admission, keyOf } from '../admission.ts';
import { checkOrigin } from '../cors.ts';
import { WrongKey } from '../keys.ts';
import type { Logger } from '../logger.ts';
import { errorBody, Overload, visibleError } from '../overload.ts';
import { pathOf } from '../path.ts';
import { networkOf } from '../rate.ts';
import { closeCodes, LiveSocket } from './socket.ts';

/** Where WebSockets are opened. */
export const SOCKET_PATH = '/v1/ws';

/** The longest frame of a client, bytes. */
export const MAX_FRAME = 65_536;

/** How often a client is asked whether it is there, ms; one that has not answered by the next time is gone. */
const PING = 20_000;

export interface SocketsOptions {
  /** `undefined` until the store is open. */
  readonly dex: () => Swapfold | undefined;
  readonly admission: Admission;
  readonly cors: readonly string[];
  readonly drain: AbortSignal | undefined;
  readonly logger: Logger;
  /** How long a client has to send its key, seconds. */
  readonly keyPatience: number | undefined;
  /** Errors: `forbidden` for a request by a name that does not count. */
  readonly requireHost: (request: IncomingMessage) => void;
  /** Logs the address of many wrong keys. */
  readonly tellWrongKeys: (peer: string) => void;
}

/** Answers a request that wants to go on as a WebSocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The WebSockets of a server; `checkKeys` closes the sockets of keys that may call no more. */
export interface Sockets {
  readonly upgrade: Upgrade;
  checkKeys(): void;
}

export function createSockets(options: SocketsOptions): Sockets {
  const { admission, cors, drain, logger, keyPatience } = options;
  const { connections } = admission;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME,
    clientTracking: false,
    // Messages are written as whole frames, the same for all who subscribed to the same.
    perMessageDeflate: false,
    // A piece of 64 KB may hold thousands of requests: one in each round of the event loop, so that a flood of them holds nobody up.
    allowSynchronousEvents: false,
  });
  const open = new Map<LiveSocket, { isThere: boolean; readonly ping: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  function pingAll(): void {
    for (const [live, state] of open) {
      if (!state.isThere) live.close(closeCodes.goingAway, 'no answer to a ping');
      state.isThere = false;
      state.ping();
    }
  }

  drain?.addEventListener('abort', () => {
    for (const live of open.keys()) live.close(closeCodes.goingAway, 'the server is shutting down');
  });

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    let release: () => void = () => undefined;
    try {
      if (pathOf(request) !== SOCKET_PATH)
        throw new SwapfoldError('not-found', `WebSockets are opened at ${SOCKET_PATH}.`);
      if (drain?.aborted) throw new Overload('draining', 'The server is shutting down; use another one.', 5);
      const dex = options.dex();
      if (dex === undefined)
        throw new Overload('starting', 'The server is starting: its store is not open yet; try again later.', 5);
      options.requireHost(request);
      checkOrigin(request, cors);
      const key = keyOf(request);
      const isKnown = key !== undefined || admission.isOpen;
      if (isKnown) admission.callerOf(key, request);
      // Strangers keep nobody out who has a key, also behind a proxy, where all have one address.
      else release = connections.take(networkOf(admission.addressOf(request)));
      server.handleUpgrade(request, socket, head, (webSocket) => {
        try {
          const live = new LiveSocket(webSocket, socket, {
            request,
            service: { dex, admission, keyPatience, tellWrongKeys: options.tellWrongKeys },
            release,
          });
          const state = { isThere: true, ping: () => webSocket.ping() };
          open.set(live, state);
          timer ??= setInterval(pingAll, PING).unref();
          webSocket.on('pong', () => {
            state.isThere = true;
          });
          webSocket.once('close', () => {
            open.delete(live);
            if (open.size > 0) return;
            clearInterval(timer);
            timer = undefined;
          });
        } catch (error) {
          release();
          webSocket.close(closeCodes.policy, visibleError(error).code);
          setTimeout(() => webSocket.terminate(), 1000).unref();
        }
      });
      // A handshake that the library refuses ends the socket without a word to this function.
      socket.once('close', release);
    } catch (error) {
      release();
      const visible = visibleError(error);
      if (visible.status >= 500 && !(visible instanceof Overload)) logger.error({ err: error }, 'a WebSocket failed');
      if (!(error instanceof WrongKey)) {
        refuse(socket, visible);
        return;
      }
      const peer = admission.addressOf(request);
      admission.wrongKeys.take(peer, ({ isMany }) => {
        if (isMany) options.tellWrongKeys(peer);
        refuse(socket, visible);
      });
    }
  }

  return {
    upgrade,
    checkKeys() {
      for (const live of open.keys()) live.checkKey();
    },
  };
}

/** Answers the handshake with an error, as the routes do. */
function refuse(socket: Duplex, error: SwapfoldError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = [
    `HTTP/1.1 ${error.status} ${error.code}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...(error.status === 401 ? ['WWW-Authenticate: ApiKey realm="swapfold"'] : []),
    ...(error instanceof Overload ? [`Retry-After: ${error.retryAfter}`] : []),
  ];
  // Nothing else closes the other half: after an upgrade the socket is in no list of the HTTP server.
  socket.once('finish', () => socket.destroy());
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** Given by Node before the headers. */
const isUpgrade = Symbol('isUpgrade');

/**
 * A request that only wants to become a WebSocket. Node hands every request that offers an upgrade to the listener for upgrades, if there is
 * one, so that an offer of HTTP/2, as clients of Java make it, would never be answered; this one says no to those.
 */
export class UpgradableRequest extends IncomingMessage {
  declare [isUpgrade]: boolean;

  get upgrade(): boolean {
    return this[isUpgrade] && this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  set upgrade(wanted: boolean) {
    this[isUpgrade] = wanted;
  }
}
