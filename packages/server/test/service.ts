import { connect } from 'node:net';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { questions } from '@swapfold/core/host';
import { type Client, createClient } from '../../client/src/index.ts';
import { type RunningServer, type ServeOptions, serve } from '../src/index.ts';

export const KEY = 'key-of-the-tests';
/** What tests send in its place. */
export const WRONG = 'not-a-key-of-it';
export const BASE = '/v1/solana/dex';
/** The operations that ask, each with its path after `BASE`. */
export const asked = questions.map(({ path, ...rest }) => ({ ...rest, path: path.replace('/dex', '') }));

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const T = 'T'.repeat(44);
export const U = 'U'.repeat(44);
export const ANN = 'A'.repeat(44);
export const BOB = 'B'.repeat(44);
export const CAT = 'C'.repeat(44);
/** In the address format, and in no swap. */
export const NOBODY = 'N'.repeat(44);

/** 2024-01-05T00:00:00Z. */
export const START = 1_704_412_800;

/** RFC 3339, that many seconds after START. */
export const at = (seconds: number): string => new Date((START + seconds) * 1000).toISOString();

/** Addresses that are in no swap. */
export const strangers = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${'N'.repeat(36)}${String(11_111_111 + i).replaceAll('0', 'x')}`);

const swap = (
  n: number,
  at: number,
  wallet: string,
  given: [string, number],
  received: [string, number],
): SwapInput => ({
  tx_hash: `tx${n}`,
  swap_index: 0,
  block_time: START + at,
  block_slot: 1000 + n,
  wallet,
  token_in: given[0],
  token_amount_in: given[1],
  token_out: received[0],
  token_amount_out: received[1],
});

/** T trades at 2, 3 and 4 USD, then Cat swaps U for USDC 22 times, a swap a minute, at 1 cent. The last swap is at START + 9000. */
export const swaps: readonly SwapInput[] = [
  swap(1, 0, ANN, [USDC, 100], [T, 50]),
  swap(2, 60, BOB, [USDC, 300], [T, 100]),
  swap(3, 3600, ANN, [T, 25], [USDC, 100]),
  ...Array.from({ length: 22 }, (_, i) => swap(4 + i, 7740 + 60 * i, CAT, [U, 1000], [USDC, 10])),
];

export async function openStore(): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: memory(), config: { api_keys: [KEY] } });
  await dex.ingest([...swaps]);
  await dex.tokens.upsert([{ address: T, symbol: 'TEE', name: 'Tee Token', verified: true, total_supply: 1000 }]);
  await dex.refresh();
  return dex;
}

/** Gives Ann the label `of-the-registry`, which neither the interface nor a rule names. */
export async function labelAnn(dex: Swapfold): Promise<void> {
  await dex.wallets.upsert([{ address: ANN, labels: ['of-the-registry'] }]);
  await dex.refresh();
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field.
  readonly json: any;
}

export interface Service extends RunningServer {
  readonly dex: Swapfold;
  request(path: string, init?: RequestInit): Promise<Answer>;
  /** An operation by its path after the prefix, with the key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The client of @swapfold/client, with the key or another one; it repeats nothing. */
  client(key?: string): Client;
}

export async function startService(options: ServeOptions = {}): Promise<Service> {
  const dex = await openStore();
  const scan = keyScan(options);
  // However slow the machine is, nobody who does not test the limits is sent away.
  const limits = { patience: 60, ...options.limits };
  const server = await serve(dex, { port: 0, logger: scan.logger, ...options, limits });
  const request = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(server.url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    ...server,
    dex,
    request,
    post: (path, body, headers = {}) => {
      if (headers['x-api-key']) scan.keys.add(headers['x-api-key']);
      return request(BASE + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY, ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      });
    },
    client: (key = KEY) => createClient({ url: server.url, key, retries: 0 }),
    async close() {
      await server.close();
      await dex.close();
      scan.check();
    },
  };
}

/** A logger that keeps all lines, and a check that no key of the service or of its callers is in one. */
function keyScan({ keys = [] }: ServeOptions) {
  const configured = keys === 'none' ? [] : keys.map((entry) => (typeof entry === 'string' ? entry : entry.key));
  const used = new Set([KEY, WRONG, ...configured]);
  const lines: string[] = [];
  const keep = (fields: object, message: string): void => {
    const { err } = fields as { err?: unknown };
    lines.push(JSON.stringify({ ...fields, message, err: err instanceof Error ? `${err.stack} ${err.cause}` : err }));
  };
  return {
    logger: { info: keep, error: keep },
    keys: used,
    check(): void {
      for (const key of used)
        for (const line of lines) if (line.includes(key)) throw new Error(`A key is in the log: ${line}`);
    },
  };
}

/** Sends bytes as they are and gives all that comes back until the server closes the connection. */
export function exchange(url: string, ...parts: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    for (const part of parts) socket.write(part);
  });
}
