import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of an open connection. */
interface Connection {
  /** Answers under way: more than one where the caller sends requests without waiting. */
  answers: number;
  /** Bytes of answers that had left the process when last looked at, and when that was, ms. */
  written: number;
  movedAt: number;
}

export interface Connections {
  readonly count: number;
  /** Connections that were closed at once, because as many as may be were open. */
  readonly refused: number;
  isAnswering(socket: unknown): boolean;
  /** Ends every connection on which nothing is asked, now and once its last answer is sent. */
  drain(): void;
  /** Stops looking after them. */
  dispose(): void;
}

/** How often stalled connections are looked for, ms. */
const INTERVAL = 1000;

/**
 * Looks after the connections of a server: how many there are, what is under way on each, and whether callers take their answers.
 *
 * - `most` connections may be open; further ones are closed at once.
 * - A caller that takes nothing of its answer for `stall` seconds loses the connection: the answer would stay in memory for good.
 */
export function watchConnections(
  server: Server,
  { most, stall }: { readonly most: number; readonly stall: number },
): Connections {
  const open = new Map<unknown, Connection>();
  let isDraining = false;
  let refused = 0;
  server.maxConnections = most;
  server.on('drop', () => {
    refused++;
  });
  server.on('connection', (socket) => {
    open.set(socket, { answers: 0, written: 0, movedAt: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.answers++;
    response.on('close', answered);
  });

  /** One function for all responses: one for each would be the most that is made for a request. */
  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.answers--;
    if (isDraining && connection.answers === 0) socket.end();
  }

  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const [socket, connection] of open as Map<Socket, Connection>) {
        const written = socket.bytesWritten - socket.writableLength;
        if (socket.writableLength === 0 || written !== connection.written) {
          connection.written = written;
          connection.movedAt = now;
        } else if (now - connection.movedAt > stall * 1000) socket.destroy();
      }
    },
    Math.min(INTERVAL, stall * 500),
  ).unref();

  return {
    get count() {
      return open.size;
    },
    get refused() {
      return refused;
    },
    isAnswering: (socket) => open.get(socket)?.answers !== 0,
    drain() {
      isDraining = true;
      for (const [socket, { answers }] of open as Map<Socket, Connection>) if (answers === 0) socket.end();
    },
    dispose: () => clearInterval(timer),
  };
}
