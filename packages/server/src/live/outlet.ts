/** Where messages are sent: bytes that wait for the client, and how to send more. */
export interface Outlet {
  readonly waiting: number;
  /** `done` is called once the bytes have left the process. */
  send(bytes: Buffer, done: () => void): void;
}

/** How long a client that has too much waiting may take nothing of it, ms. */
const PATIENCE = 1000;

/**
 * Sends a message, and if more than `most` bytes wait then, does not return before fewer do.
 *
 * - Gives false for a client that takes nothing meanwhile: it is to be cut off.
 */
export async function sendTo(outlet: Outlet, bytes: Buffer, most: number): Promise<boolean> {
  let isDone = false;
  let whenDone = (): void => undefined;
  outlet.send(bytes, () => {
    isDone = true;
    whenDone();
  });
  while (!isDone && outlet.waiting > most) {
    const before = outlet.waiting;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE);
      whenDone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    if (!isDone && outlet.waiting >= before) return false;
  }
  return true;
}
