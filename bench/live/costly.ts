/**
 * How long a look-up of one key takes beside requests of another key that take much work: 100 a second on one connection, while the other
 * key sends the same request again and again on 40.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CostlyRequest, costlyRequests } from '../../packages/server/test/costly-requests.ts';
import { BASE, T } from '../../packages/server/test/service.ts';
import { quantile } from '../timing.ts';

export const VICTIM = 'the-key-of-the-victim';
export const ATTACKER = 'the-key-of-the-attacker';

const CONNECTIONS = 40;
const RATE = 100;
/** The p99 that holds beside each kind, ms. */
const MOST = 50;

/** Prints what each kind does to the look-ups of another key; the exit code is 1 where their p99 is over 50 ms. */
export async function runCostly(seconds: number, only = ''): Promise<void> {
  const server = fork(fileURLToPath(new URL('./costly-server.ts', import.meta.url)));
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    await look(url, 1);
    const quiet = await look(url, seconds);
    tell('quiet', quiet);
    for (const costly of costlyRequests.filter(({ name }) => name.includes(only))) {
      const attackers = Array.from({ length: CONNECTIONS }, () => new Attacker(url, costly));
      await pause(500);
      const times = await look(url, seconds);
      const answered = attackers.reduce((sum, { answers }) => sum + answers, 0);
      for (const attacker of attackers) attacker.end();
      const ratio = quantile(times, 0.99) / quantile(quiet, 0.99);
      tell(
        `${costly.name} (${attackers[0]!.status}, ${Math.round(answered / (seconds + 0.5))} per second)`,
        times,
        ratio,
      );
      if (quantile(times, 0.99) > MOST) process.exitCode = 1;
      // What the server holds of the connections that were cut ends first.
      await pause(500);
    }
  } finally {
    server.kill('SIGKILL');
  }
}

function tell(what: string, times: readonly number[], ratio?: number): void {
  const at = (q: number): string => quantile(times, q).toFixed(1);
  const beside = ratio === undefined ? '' : `, p99 is ${ratio.toFixed(1)} times that of quiet`;
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms${beside}`);
}

/** The milliseconds of look-ups at a steady rate, one after the other, each from when it was due. */
async function look(url: string, seconds: number): Promise<number[]> {
  const request = post(`${BASE}/prices/get-price`, VICTIM, JSON.stringify({ tokens: [T] }));
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let socket = await open(url);
  for (let due = performance.now(); due < end; due = Math.max(due + 1000 / RATE, performance.now())) {
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    socket.write(request);
    const status = await statusOf(socket).catch(() => 'none');
    times.push(performance.now() - due);
    if (status === '200') continue;
    console.log(`  get-price was answered ${status}`);
    socket.destroy();
    socket = await open(url);
  }
  socket.destroy();
  return times;
}

/** A caller that sends a request again as soon as it is answered, on a new connection where the server closed the last one. */
class Attacker {
  answers = 0;
  status = 'none';
  readonly #url: string;
  readonly #request: Buffer;
  #socket: Socket | undefined;
  #isOver = false;

  constructor(url: string, { path, body }: CostlyRequest) {
    this.#url = url;
    this.#request = post(path, ATTACKER, body);
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
