/** A WebSocket of `bench/live.ts` that notes when messages came, and reads them once there is time: a user has one, the benchmark a thousand. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A message, and when it was there, Unix milliseconds. */
export interface Heard {
  readonly at: number;
  readonly bytes: Buffer;
}

/** How long messages wait until they are read, ms: longer than a block takes, so that reading delays no receipt. */
const LATER = 700;

export class Listener {
  readonly #socket: WebSocket;
  readonly #onMessage: (heard: Heard) => void;
  #heard: Heard[] = [];
  #isAtOnce = true;

  private constructor(socket: WebSocket, onMessage: (heard: Heard) => void, onEnd: (why: string) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    socket.on('message', (bytes: Buffer) => {
      this.#heard.push({ at: performance.timeOrigin + performance.now(), bytes });
      if (this.#isAtOnce) this.#read();
      else if (this.#heard.length === 1) setTimeout(() => this.#read(), LATER);
    });
    socket.on('error', ({ message }) => onEnd(message));
    socket.on('close', (code, reason) => {
      this.#read();
      onEnd(`${code} ${reason}`);
    });
  }

  static async open(url: string, onMessage: (heard: Heard) => void, onEnd: (why: string) => void): Promise<Listener> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const listener = new Listener(socket, onMessage, onEnd);
    await once(socket, 'open');
    return listener;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** From now on messages wait. */
  readLater(): void {
    this.#isAtOnce = false;
  }

  close(): void {
    this.#socket.removeAllListeners().terminate();
  }

  #read(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const one of heard) this.#onMessage(one);
  }
}
