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

async function untilTaken(outlet: Writable, most: number): Promise<boolean> {
  while (!outlet.destroyed && outlet.writableLength > most) {
    const before = outlet.writableLength;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        outlet.off('drain', done).off('close', done);
        resolve();
      };
      const timer = setTimeout(done, PATIENCE);
      outlet.once('drain', done).once('close', done);
    });
    if (!outlet.destroyed && outlet.writableLength >= before) return false;
  }
  return true;
}
