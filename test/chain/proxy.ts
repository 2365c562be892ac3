import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Rpc {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** What happens to one message: it is cut off, never answered, refused by a status, or answered as text. */
export type MessageFault =
  | 'drop'
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** What stands between a source and its node. */
export interface Faults {
  /** Of a whole message, by its calls and number. */
  readonly message?: (calls: readonly Rpc[], number: number) => MessageFault | undefined;
  /** In the place of the node's answer to one call. */
  readonly call?: (call: Rpc) => Answer | undefined | Promise<Answer | undefined>;
  /** Changes a result. */
  readonly result?: (call: Rpc, result: unknown) => unknown;
}

export interface Proxy {
  readonly url: string;
  /** Messages so far. */
  readonly messages: () => number;
  /** Calls so far, by method. */
  readonly calls: ReadonlyMap<string, number>;
  readonly set: (faults: Faults) => void;
  readonly stop: () => Promise<void>;
}

/** Passes calls on to a node, but for the faults that a test sets. */
export async function startProxy(to: string, first: Faults = {}): Promise<Proxy> {
  let faults = first;
  let messages = 0;
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(Buffer.concat(chunks).toString(), response).catch(() => response.destroy());
    });
  });

  async function answer(text: string, response: ServerResponse): Promise<void> {
    const body = JSON.parse(text) as Rpc | Rpc[];
    const list = Array.isArray(body) ? body : [body];
    for (const { method } of list) calls.set(method, (calls.get(method) ?? 0) + 1);
    const fault = faults.message?.(list, messages++);
    if (fault === 'hang') return;
    if (fault === 'drop') {
      response.destroy();
      return;
    }
    if (fault !== undefined) {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.body ?? '');
      return;
    }
    const answers = await answersOf(list);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
  }

  /** What the test answers, and for the rest what the node does, in one message. */
  async function answersOf(list: readonly Rpc[]): Promise<readonly object[]> {
    const given = await Promise.all(list.map((call) => faults.call?.(call)));
    const rest = list.flatMap((call, i) => (given[i] === undefined ? [{ ...call, jsonrpc: '2.0', id: i }] : []));
    const body = JSON.stringify(rest);
    const headers = { 'content-type': 'application/json' };
    const answers = rest.length === 0 ? [] : await (await fetch(to, { method: 'POST', headers, body })).json();
    const own = new Map((answers as { id: number; result?: unknown }[]).map((answer) => [answer.id, answer]));
    return list.map((call, i) => {
      const answer = given[i] ?? own.get(i)!;
      const result =
        faults.result === undefined || !('result' in answer) ? {} : { result: faults.result(call, answer.result) };
      return { jsonrpc: '2.0', ...answer, ...result, id: call.id };
    });
  }

  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: () => messages,
    calls,
    set: (next) => {
      faults = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
