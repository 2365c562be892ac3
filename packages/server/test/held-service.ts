import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { memory, Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { type RunningServer, type ServeOptions, serve } from '../src/index.ts';
import { BASE, KEY, swaps } from './service.ts';

export interface HeldService extends RunningServer {
  /** How many reads of the store have begun since it was opened. */
  readonly begun: () => number;
  /** From now on so many reads wait for `release`. */
  hold(reads: number): void;
  release(): void;
  /** Resolves once so many reads have begun. */
  reads(count: number): Promise<void>;
}

/** A service on a store whose reads can be made to wait. */
export async function startHeldService(options: ServeOptions = {}): Promise<HeldService> {
  const storage = memory();
  let [begun, held] = [0, 0];
  let waiting: (() => void)[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];
  const slow: StorageAdapter = {
    ...storage,
    async snapshot(read) {
      begun++;
      const isHeld = held > 0;
      if (isHeld) held--;
      const release = isHeld ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined;
      for (const { count, resolve } of watchers) if (begun >= count) resolve();
      watchers = watchers.filter(({ count }) => begun < count);
      await release;
      return storage.snapshot(read);
    },
  };
  const dex = await Swapfold.open({ storage: slow, config: { api_keys: [KEY] } });
  await dex.ingest([...swaps]);
  await dex.refresh();
  begun = 0;
  const server = await serve(dex, { port: 0, ...options });
  return {
    ...server,
    begun: () => begun,
    hold(reads) {
      held = reads;
    },
    release() {
      held = 0;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    reads: (count) =>
      new Promise((resolve) => {
        if (begun >= count) resolve();
        else watchers.push({ count, resolve });
      }),
    async close() {
      await server.close();
      await dex.close();
    },
  };
}

/** The bytes of a request. */
export function requestOf(path: string, body: string, { key = KEY, length = body.length, lines = '' } = {}): string {
  return `POST ${BASE}${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${key}\r\ncontent-length: ${length}\r\n${lines}\r\n${body}`;
}

/** A connection on which requests are written as bytes and answers are read one by one. */
export class Caller {
  readonly socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      this.#received += chunk;
      socket.emit('more');
    });
    socket.on('error', () => undefined);
  }

  /** `from`: the address to call from. */
  static async at(url: string, from?: string): Promise<Caller> {
    const { hostname, port } = new URL(url);
    const socket = connect({
      port: Number(port),
      host: hostname,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    await once(socket, 'connect');
    return new Caller(socket);
  }

  send(bytes: string): this {
    this.socket.write(bytes);
    return this;
  }

  /** The next answer, which has to have a Content-Length. */
  async answer(): Promise<{ status: number; headers: Headers; text: string }> {
    for (;;) {
      const [head, rest] = splitOnce(this.#received, '\r\n\r\n');
      if (rest !== undefined) {
        const [line, ...fields] = head.split('\r\n');
        const headers = new Headers(fields.map((field) => field.split(/: (.*)/s, 2) as [string, string]));
        const length = Number(headers.get('content-length'));
        if (Buffer.byteLength(rest) >= length) {
          const bytes = Buffer.from(rest);
          this.#received = bytes.subarray(length).toString();
          return { status: Number(line!.split(' ')[1]), headers, text: bytes.subarray(0, length).toString() };
        }
      }
      await once(this.socket, 'more');
    }
  }
}

function splitOnce(text: string, by: string): [string, string | undefined] {
  const at = text.indexOf(by);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + by.length)];
}
