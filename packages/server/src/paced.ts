import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers';

/** Bytes of a body that come as they are sent: what the system hands over at once. */
export const FREE = 65_536;

/**
 * Reads the rest of a body a piece a turn of the event loop. libuv would else read up to 2 MB of one connection after the other before
 * anybody else has a turn.
 */
export function pace(request: IncomingMessage): void {
  let left = FREE;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left > 0 || request.isPaused()) return;
    request.pause();
    setImmediate(() => request.resume());
  });
}
