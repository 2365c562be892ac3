import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** How long a client that has too much waiting may take nothing of it, ms. */
const PATIENCE = 1000;

/**
 * Sends bytes to a client.
 *
 * - If more than `most` bytes wait then, the promise that it gives resolves once fewer do.
 * - Gives false for a client that takes nothing meanwhile: it is to be cut off.
 */
export function sendTo(outlet: Writable, bytes: Buffer, most: number): boolean | Promise<boolean> {
  outlet.write(bytes);
  return outlet.writableLength <= most || untilTaken(outlet, most);
}

/** A number that rises while the system takes what was written: of one large chunk it takes piece by piece, and `writableLength` falls in the end. */
export function takenOf(socket: Socket): number {
  const { _handle } = socket as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (_handle?.writeQueueSize ?? 0);
}

async function untilTaken(outlet: Writable, most: number): Promise<boolean> {
  while (!outlet.destroyed && outlet.writableLength > most) {
    const socket = outlet instanceof Socket ? outlet : (outlet as { readonly socket?: Socket | null }).socket;
    const taken = (): number => (socket == null ? -outlet.writableLength : takenOf(socket));
    const before = taken();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        outlet.off('drain', done).off('close', done);
        resolve();
      };
      const timer = setTimeout(done, PATIENCE);
      outlet.once('drain', done).once('close', done);
    });
    if (!outlet.destroyed && taken() <= before) return false;
  }
  return true;
}
