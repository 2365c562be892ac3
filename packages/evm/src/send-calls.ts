import { type Call, httpSender, type Outcome, type SendCalls } from '@swapfold/chain';
import type { Transport } from 'viem';
import { failureOf } from './node-errors.ts';

const TIMEOUT = 30_000;

/**
 * How the calls of a source reach its node. Repetition is the source's own: that of a transport would repeat questions that are too large.
 *
 * viem takes a fifth of a second to load, so only an address of a WebSocket loads it.
 */
export function senderOf(of: {
  readonly url?: string | undefined;
  readonly transport?: Transport | undefined;
}): SendCalls {
  if (of.transport !== undefined) return sendBy(Promise.resolve(of.transport));
  const url = of.url!;
  if (!url.startsWith('ws')) return httpSender(url, failureOf);
  return sendBy(import('viem').then(({ webSocket }) => webSocket(url, { timeout: TIMEOUT, retryCount: 0 })));
}

/**
 * Each call alone. A transport may put calls that come at once into one message, so that those of `send` wait for those before: what is
 * too large together has to become smaller when fewer are sent.
 */
function sendBy(transport: Promise<Transport>): SendCalls {
  const opened = transport.then((open) => open({ retryCount: 0 }).request);
  let before: Promise<unknown> = opened;
  return (calls, signal) => {
    const sent = before.then(() => sendAll(calls, signal));
    before = sent;
    return sent;
  };

  async function sendAll(calls: readonly Call[], signal: AbortSignal): Promise<Outcome<unknown>[]> {
    const request = await opened;
    return Promise.all(
      calls.map(async ([method, params]): Promise<Outcome<unknown>> => {
        try {
          return { value: await request({ method, params } as never, { signal } as never) };
        } catch (error) {
          return { failure: failureOf(error) };
        }
      }),
    );
  }
}
