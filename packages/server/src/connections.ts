import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { takenOf } from './live/outlet.ts';
import { networkOf } from './rate.ts';
import { removeFrom } from './remove-from.ts';

/** What is known of an open connection. */
interface Connection {
  readonly socket: Socket;
  /** Where it comes from. */
  readonly network: string;
  /** Answers under way: more than one where the caller sends requests without waiting. No Set: see `removeFrom`. */
  readonly answers: ServerResponse[];
  /** The request that came last. */
  request: IncomingMessage | undefined;
  /** It is a WebSocket, which ends in its own way. */
  isSocket: boolean;
  /** When the server began to wait for the caller, or the last request came, ms. */
  since: number;
  /** Bytes of answers that had left the process when last looked at, and when that was, ms. */
  written: number;
  movedAt: number;
}

export interface Connections {
  readonly count: number;
  /** Connections that were closed because as many as may be were open. */
  readonly refused: number;
  isAnswering(socket: unknown): boolean;
  /** Ends every connection on which nothing is asked, now and once its last answer is sent; a second later also those whose request is not whole. */
  drain(): void;
  /** Stops looking after them. */
  dispose(): void;
}

export interface ConnectionLimits {
  /** How many may be open. */
  readonly most: number;
  /** How many of one address. */
  readonly mostOfAddress: number;
  /** Bytes of answers that callers have not taken, all together. */
  readonly unsentBytes: number;
  /** Seconds in which a caller may take nothing of its answer. */
  readonly stall: number;
}

/** How often stalled connections are looked for, ms. */
const INTERVAL = 1000;

/** A request that has been coming for longer gives way to another caller of the same address, ms. */
const SLOW = 1000;

/**
 * Looks after the connections of a server: how many there are, what is under way on each, and whether callers take their answers.
 *
 * - While all are taken, a new connection takes the place of one from the address that has most, if that has two more than its own. Of
 *   the same address only a request that has been coming for more than a second gives way. Otherwise the new one is closed at once.
 * - A caller that takes nothing of its answer for `stall` seconds loses the connection: the answer would stay in memory for good. Where
 *   answers that callers take slowly are more than `unsentBytes`, those lose it that have most of it, of the address that has most.
 */
export function watchConnections(server: Server, limits: ConnectionLimits): Connections {
  const open = new Map<unknown, Connection>();
  const ofNetwork = new Map<string, Set<Connection>>();
  let isDraining = false;
  let giveUp: NodeJS.Timeout | undefined;
  let refused = 0;
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const own = ofNetwork.get(network)?.size ?? 0;
    if (open.size >= limits.most || own >= limits.mostOfAddress) {
      refused++;
      const other = own >= limits.mostOfAddress ? slowOf(network) : whoGivesWay(network);
      (other?.socket ?? socket).destroy();
      if (other === undefined) return;
      forget(other);
    }
    const now = performance.now();
    const connection: Connection = {
      socket,
      network,
      answers: [],
      request: undefined,
      isSocket: false,
      since: now,
      written: 0,
      movedAt: now,
    };
    open.set(socket, connection);
    ofNetwork.set(network, (ofNetwork.get(network) ?? new Set()).add(connection));
    socket.once('close', () => {
      // Node tells the answer at hand that its caller has gone, and not those that wait behind it.
      for (const answer of [...connection.answers])
        if (answer.socket === null) {
          answer.destroy();
          answer.emit('close');
        }
      forget(connection);
    });
  });
  server.on('upgrade', (request) => {
    const connection = open.get(request.socket);
    if (connection !== undefined) connection.isSocket = true;
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.answers.push(response);
    connection.request = request;
    connection.since = performance.now();
    response.on('close', answered);
  });

  /** One function for all responses: one for each would be the most that is made for a request. */
  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = open.get(socket);
    if (connection === undefined) return;
    removeFrom(connection.answers, this);
    connection.since = performance.now();
    if (isDraining && connection.answers.length === 0) socket.end();
  }

  function forget(connection: Connection): void {
    const { socket, network } = connection;
    open.delete(socket);
    const others = ofNetwork.get(network);
    others?.delete(connection);
    if (others?.size === 0) ofNetwork.delete(network);
  }

  /** The connection that a new one from `network` takes the place of. */
  function whoGivesWay(network: string): Connection | undefined {
    const [largest, connections] = [...ofNetwork].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    const own = ofNetwork.get(network)?.size ?? 0;
    if (largest === network || connections.size < own + 2) return slowOf(network);
    return longest([...connections].filter(isWaiting)) ?? longest([...connections]);
  }

  function slowOf(network: string): Connection | undefined {
    const before = performance.now() - SLOW;
    const slow = [...(ofNetwork.get(network) ?? [])].filter((one) => isComing(one) && one.since < before);
    return longest(slow);
  }

  function cutUnsent(): void {
    let all = unsent(open.values());
    while (all > limits.unsentBytes) {
      const [, connections] = [...ofNetwork].reduce((a, b) => (unsent(b[1]) > unsent(a[1]) ? b : a));
      const largest = [...connections].reduce((a, b) => (unsent([b]) > unsent([a]) ? b : a));
      all -= unsent([largest]);
      largest.socket.destroy();
      forget(largest);
    }
  }

  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const connection of open.values()) {
        const { socket } = connection;
        const written = takenOf(socket);
        if (socket.writableLength === 0 || written !== connection.written) {
          connection.written = written;
          connection.movedAt = now;
        } else if (now - connection.movedAt > limits.stall * 1000) socket.destroy();
      }
      cutUnsent();
    },
    Math.min(INTERVAL, limits.stall * 500),
  ).unref();

  return {
    get count() {
      return open.size;
    },
    get refused() {
      return refused;
    },
    isAnswering: (socket) => open.get(socket)?.answers.length !== 0,
    drain() {
      isDraining = true;
      for (const { socket, answers, isSocket } of open.values()) if (answers.length === 0 && !isSocket) socket.end();
      giveUp = setTimeout(() => {
        for (const connection of [...open.values()]) if (isWaiting(connection)) connection.socket.destroy();
      }, SLOW);
    },
    dispose() {
      clearInterval(timer);
      clearTimeout(giveUp);
    },
  };
}

/** Bytes of answers that wait in the process for their callers to take them. */
function unsent(connections: Iterable<Connection>): number {
  let bytes = 0;
  for (const { socket, answers } of connections) {
    bytes += socket.writableLength;
    // An answer that waits for the one before it is not with the socket yet.
    for (const answer of answers) if (answer.socket === null) bytes += answer.writableLength;
  }
  return bytes;
}

/** Whether a request is on its way: its headers came, its body is not whole. */
function isComing({ request, answers }: Connection): boolean {
  return answers.length > 0 && request?.complete === false;
}

/** Whether the server waits for the caller: for a request, or the rest of one. */
function isWaiting(connection: Connection): boolean {
  return (connection.answers.length === 0 && !connection.isSocket) || isComing(connection);
}

function longest(connections: readonly Connection[]): Connection | undefined {
  return connections.length === 0 ? undefined : connections.reduce((a, b) => (b.since < a.since ? b : a));
}
