/**
 * Sends requests over keep-alive connections as fast as answers come back, in a process of its own: parsing no more than it must, so
 * that it takes as little as it can of the cores that it shares with the server. Started by `runLoad`.
 */
import { connect } from 'node:net';
import { quantile } from '../timing.ts';

/** Connections that send the same requests in turn. */
export interface Stream {
  readonly connections: number;
  readonly requests: readonly { readonly path: string; readonly body: string }[];
}

export interface Load {
  readonly port: number;
  readonly seconds: number;
  readonly streams: readonly Stream[];
}

/** What came of a stream; times in milliseconds. */
export interface StreamResult {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

process.on('message', async (load: Load) => {
  process.send!(await Promise.all(load.streams.map((stream) => drive(stream, load))));
});
process.once('disconnect', () => process.exit());

async function drive(stream: Stream, { port, seconds }: Load): Promise<StreamResult> {
  const messages = stream.requests.map(({ path, body }) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  );
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const begun = performance.now();
  // What comes in the first fifth warms up.
  const from = begun + seconds * 200;
  const until = begun + seconds * 1000;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sent = 0;
      const send = (): void => {
        sent = performance.now();
        socket.write(messages[next++ % messages.length]!);
      };
      const take = answerReader((isOk) => {
        const now = performance.now();
        if (!isOk) failed++;
        if (now >= from) times.push(now - sent);
        if (now < until) send();
        else socket.end(resolve);
      });
      socket.on('connect', send);
      socket.on('data', take);
      socket.on('error', reject);
    });
  await Promise.all(Array.from({ length: stream.connections }, one));
  return {
    rate: times.length / ((performance.now() - from) / 1000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed,
  };
}

/** Reads answers that carry a Content-Length, one at a time. */
function answerReader(done: (isOk: boolean) => void): (data: Buffer) => void {
  let left = 0;
  let head: Buffer = Buffer.alloc(0);
  let isOk = false;
  return (data) => {
    let body = data;
    if (left === 0) {
      head = head.length === 0 ? data : Buffer.concat([head, data]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      const at = text.toLowerCase().indexOf('content-length:');
      if (at < 0) throw new Error(`An answer without Content-Length: ${text}`);
      left = Number.parseInt(text.slice(at + 15), 10);
      isOk = text.startsWith('HTTP/1.1 200');
      body = head.subarray(end + 4);
      head = Buffer.alloc(0);
    }
    left -= body.length;
    if (left === 0) done(isOk);
  };
}
