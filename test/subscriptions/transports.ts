import { once, setMaxListeners } from 'node:events';
import { type Message, type Swapfold, SwapfoldError, type TopicCall } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { WebSocket } from 'ws';
import { createClient, type TopicName } from '../../packages/client/src/index.ts';

export interface Given {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/** A way to subscribe. Errors of `ready` and of the messages have the code of the fault. */
export interface Transport {
  subscribe(
    call: TopicCall,
    given: Given,
  ): { readonly ready: Promise<unknown>; readonly messages: AsyncIterable<Message> };
  close(): Promise<void>;
}

/** Each way to subscribe to a store. */
export const transports: Readonly<Record<string, (dex: Swapfold) => Promise<Transport>>> = {
  'in-process': async (dex) => ({
    subscribe({ topic, params }, given) {
      // What is refused at the call is so once the caller waits.
      const subscription = attempt(() => dex.subscribe(topic as 'swaps', params as object, given));
      if (subscription instanceof Error) return { ready: Promise.reject(subscription), messages: noMessages() };
      return { ready: subscription.ready, messages: subscription };
    },
    close: async () => undefined,
  }),
  async events(dex) {
    const server = await serve(dex, { port: 0, keys: 'none' });
    const { chain } = dex.config;
    return {
      subscribe({ topic, params }, given) {
        const client = createClient({ url: server.url, chain, retries: 0 });
        const live = client.subscribe(topic as TopicName, params as never, given);
        return {
          ready: live.ready,
          messages: untilExpired(live as unknown as AsyncIterable<Message & { expired?: true }>),
        };
      },
      close: () => server.close(),
    };
  },
  async WebSockets(dex) {
    const server = await serve(dex, { port: 0, keys: 'none' });
    return {
      subscribe({ topic, params }, { after, signal }) {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`);
        socket.on('error', () => undefined);
        signal.addEventListener('abort', () => socket.close());
        const received: (Message & { readonly code?: string; readonly ok?: true })[] = [];
        let wake = (): void => undefined;
        socket.on('message', (data) => {
          received.push(JSON.parse(String(data)));
          wake();
        });
        socket.on('close', () => wake());
        const next = async () => {
          while (received.length === 0 && socket.readyState <= socket.OPEN)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          const message = received.shift();
          if (message?.code !== undefined) throw new SwapfoldError(message.code as 'cursor-expired', 'from the server');
          return message;
        };
        const ready = once(socket, 'open').then(() => {
          socket.send(JSON.stringify({ method: 'subscribe', topic, params, after }));
          return next();
        });
        ready.catch(() => socket.close());
        async function* messages(): AsyncGenerator<Message> {
          for (let message = await next(); message !== undefined; message = await next()) yield message;
        }
        return { ready, messages: messages() };
      },
      close: () => server.close(),
    };
  },
};

function attempt<T>(call: () => T): T | Error {
  try {
    return call();
  } catch (error) {
    return error as Error;
  }
}

async function* noMessages(): AsyncGenerator<Message> {}

/** The client of @swapfold/client says in a message what others throw. */
async function* untilExpired(live: AsyncIterable<Message & { expired?: true }>): AsyncGenerator<Message> {
  for await (const message of live) {
    if (message.expired) throw new SwapfoldError('cursor-expired', 'from the server');
    yield message;
  }
}

/** A signal for so many listeners. */
export function manyListeners({ signal }: AbortController): AbortSignal {
  setMaxListeners(100, signal);
  return signal;
}
