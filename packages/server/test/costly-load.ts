import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { CostlyRequest } from './costly-requests.ts';
import { BASE, T } from './service.ts';

/** Look-ups of one key per second. */
const RATE = 100;

export interface Looked {
  /** Milliseconds of each look-up. */
  readonly times: readonly number[];
  /** The statuses that were not 200; `none` where the connection was closed. */
  readonly failures: readonly string[];
}

/** The milliseconds of look-ups at a steady rate, one after the other, each from when it was due. */
export async function look(url: string, key: string, seconds: number): Promise<Looked> {
  const request = post(`${BASE}/prices/get-price`, key, JSON.stringify({ tokens: [T] }));
  const times: number[] = [];
  const failures: string[] = [];
  let socket = await open(url);
  const end = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < end; due = Math.max(due + 1000 / RATE, performance.now())) {
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    socket.write(request);
    const status = await statusOf(socket).catch(() => 'none');
    times.push(performance.now() - due);
    if (status === '200') continue;
    failures.push(status);
    socket.destroy();
    socket = await open(url);
  }
  socket.destroy();
  return { times, failures };
}

/** A caller that sends a request again as soon as it is answered, on a new connection where the server closed the last one. */
export class Attacker {
  answers = 0;
  status = 'none';
  readonly #url: string;
  readonly #request: Buffer;
  #socket: Socket | undefined;
  #isOver = false;

  constructor(url: string, key: string, { path, body }: CostlyRequest) {
    this.#url = url;
    this.#request = post(path, key, body);
    void this.#send();
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.destroy();
  }

  async #send(): Promise<void> {
    while (!this.#isOver) {
      try {
        const socket = await open(this.#url);
        this.#socket = socket;
        for (;;) {
          socket.write(this.#request);
          this.status = await statusOf(socket);
          this.answers++;
        }
      } catch {
        // Closed: by the server after what it refused, or at the end.
        await pause(50);
      }
    }
  }
}

const post = (path: string, key: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nx-api-key: ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The status of the next answer, once all of it came. Rejects where the connection is closed before. */
function statusOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    let left = Number.POSITIVE_INFINITY;
    const stop = (): void => {
      socket.off('data', read);
      socket.off('close', closed);
    };
    const closed = (): void => {
      stop();
      reject(new Error('closed'));
    };
    const read = (chunk: Buffer): void => {
      if (left === Number.POSITIVE_INFINITY) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        left = Number(/\r\ncontent-length: (\d+)/i.exec(head)![1]) - (head.length - end - 4);
      } else left -= chunk.length;
      if (left > 0) return;
      stop();
      resolve(head.slice(9, 12));
    };
    socket.on('data', read);
    socket.on('close', closed);
    if (socket.destroyed) closed();
  });
}
