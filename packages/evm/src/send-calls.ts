import { type Call, httpSender, type Outcome, type SendCalls } from '@swapfold/chain';
import type { Transport } from 'viem';
import { failureOf } from './node-errors.ts';

const TIMEOUT = 30_000;

/** How the calls of a source reach its node. `close` ends what it has opened. */
export interface Sender {
  readonly send: SendCalls;
  close(): Promise<void>;
}

type Opened = ReturnType<Transport>;

/**
 * The sender to an address, or by a transport of the caller's. Repetition is the source's own: that of a transport would repeat questions that
 * are too large.
 *
 * viem takes a fifth of a second to load, so only an address of a WebSocket loads it.
 */
export function senderOf(of: {
  readonly url?: string | undefined;
  readonly transport?: Transport | undefined;
}): Sender {
  const { url, transport } = of;
  if (transport !== undefined) return { send: sendBy(async () => transport({ retryCount: 0 })), close: async () => {} };
  if (!url!.startsWith('ws')) return { send: httpSender(url!, failureOf), close: async () => {} };
  let opened: Opened | undefined;
  const open = async (): Promise<Opened> => {
    const { webSocket } = await import('viem');
    // By itself it connects again once, after two seconds, and never after that.
    opened ??= webSocket(url, { timeout: TIMEOUT, retryCount: 0, reconnect: false })({ retryCount: 0 });
    return opened;
  };
  const close = async (): Promise<void> => {
    const client: Promise<{ close(): void }> | undefined = opened?.value?.getRpcClient();
    (await client?.catch(() => undefined))?.close();
  };
  return { send: sendBy(open, close), close };
}

/**
 * Each call alone; `lost` is called when the connection is. A transport may put calls that come at once into one message, so that those of `send` wait for those before: what is
 * too large together has to become smaller when fewer are sent.
 */
function sendBy(open: () => Promise<Opened>, lost?: () => Promise<void>): SendCalls {
  let before: Promise<unknown> = Promise.resolve();
  return (calls, signal) => {
    const sent = before.then(() => sendAll(calls, signal));
    before = sent;
    return sent;
  };

  async function sendAll(calls: readonly Call[], signal: AbortSignal): Promise<Outcome<unknown>[]> {
    const { request } = await open();
    return Promise.all(
      calls.map(async ([method, params]): Promise<Outcome<unknown>> => {
        try {
          return { value: await request({ method, params } as never, { signal } as never) };
        } catch (error) {
          const { name, code } = error as { readonly name?: string; readonly code?: unknown };
          // What a node answers has a code; the next call connects anew.
          if (name !== 'RpcRequestError' && code === undefined) await lost?.();
          return { failure: failureOf(error) };
        }
      }),
    );
  }
}
