/** A WebSocket of `bench/live.ts` that notes when bytes came, and reads them once there is time: a user has one, the benchmark a thousand. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';

/** A message, and when its last byte was there, Unix milliseconds. */
export interface Heard {
  readonly at: number;
  readonly text: string;
}

interface Piece {
  readonly at: number;
  readonly bytes: Buffer;
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly length: number;
}

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];

/** How long bytes wait until they are read, ms: longer than a block takes, so that reading delays no receipt. */
const LATER = 700;

export class Listener {
  readonly #socket: Socket;
  readonly #onMessage: (heard: Heard) => void;
  #pieces: Piece[] = [];
  /** What the server closed the connection with. */
  #farewell = 'without a word';
  #isAtOnce = true;

  private constructor(socket: Socket, onMessage: (heard: Heard) => void) {
    this.#socket = socket.setNoDelay();
    this.#onMessage = onMessage;
    socket.on('data', (bytes) => this.#hear(bytes));
  }

  static async open(url: string, onMessage: (heard: Heard) => void, onEnd: (why: string) => void): Promise<Listener> {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    const socket = await new Promise<Socket>((resolve, reject) => {
      const call = request(url, { headers });
      call.on('upgrade', (_, opened) => resolve(opened));
      call.on('response', ({ statusCode }) => reject(new Error(`the handshake was answered with ${statusCode}`)));
      call.on('error', reject);
      call.end();
    });
    const listener = new Listener(socket, onMessage);
    socket.on('error', ({ message }) => onEnd(message));
    socket.on('close', () => {
      listener.#read();
      onEnd(listener.#farewell);
    });
    return listener;
  }

  send(message: object): void {
    this.#write(TEXT!, Buffer.from(JSON.stringify(message)));
  }

  /** From now on bytes wait. */
  readLater(): void {
    this.#isAtOnce = false;
  }

  close(): void {
    this.#socket.removeAllListeners().destroy();
  }

  #hear(bytes: Buffer): void {
    this.#pieces.push({ at: performance.timeOrigin + performance.now(), bytes });
    if (this.#isAtOnce) this.#read();
    else if (this.#pieces.length === 1) setTimeout(() => this.#read(), LATER);
  }

  #read(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    const all = Buffer.concat(pieces.map(({ bytes }) => bytes));
    let [from, piece, end] = [0, 0, pieces[0]!.bytes.length];
    for (let frame = frameAt(all, from); frame !== undefined; frame = frameAt(all, from)) {
      from += frame.length;
      while (end < from) end += pieces[++piece]!.bytes.length;
      const { opcode, payload } = frame;
      if (opcode === TEXT) this.#onMessage({ at: pieces[piece]!.at, text: payload.toString() });
      else if (opcode === PING) this.#write(PONG!, payload);
      else if (opcode === CLOSE) this.#farewell = `${payload.readUInt16BE()} ${payload.subarray(2)}`;
    }
    this.#pieces = from === all.length ? [] : [{ at: pieces.at(-1)!.at, bytes: all.subarray(from) }];
  }

  /** With a mask of zeros, which changes nothing. */
  #write(opcode: number, payload: Buffer): void {
    const head =
      payload.length < 126
        ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
        : Buffer.from([0x80 | opcode, 0xfe, payload.length >> 8, payload.length & 0xff]);
    this.#socket.write(Buffer.concat([head, Buffer.alloc(4), payload]));
  }
}

/** The whole frame at a place of what a server sends; `undefined` where its end is to come. */
function frameAt(bytes: Buffer, from: number): Frame | undefined {
  if (bytes.length < from + 2) return undefined;
  const short = bytes[from + 1]!;
  const start = from + (short < 126 ? 2 : short === 126 ? 4 : 10);
  if (bytes.length < start) return undefined;
  const size = short < 126 ? short : short === 126 ? bytes.readUInt16BE(from + 2) : bytes.readUInt32BE(from + 6);
  if (bytes.length < start + size) return undefined;
  return { opcode: bytes[from]! & 0xf, payload: bytes.subarray(start, start + size), length: start + size - from };
}
