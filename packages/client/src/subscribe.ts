import { ClientError } from './errors.ts';
import { readEvents } from './events.ts';
import { type CallOptions, type ClientOptions, pause, send } from './send.ts';
import type { Topics } from './types.ts';

/** Options of a subscription. */
export interface SubscribeOptions extends CallOptions {
  /** The cursor to go on after. */
  readonly after?: string | undefined;
}

/** The name of a topic, such as `trades`. */
export type TopicName = keyof Topics;

/** A message of a topic, or word that some were missed. */
export type LiveMessage<Name extends TopicName> = Topics[Name]['message'] & {
  /** Commits were missed, and `data` is empty: read the list again. The messages that follow are complete from here on. */
  readonly expired?: true;
};

/** Messages of a topic, over as many connections as it takes. */
export interface LiveTopic<Name extends TopicName> extends AsyncIterable<LiveMessage<Name>> {
  /** Resolves once the server has accepted the subscription: what is read from then on is no older than it. */
  readonly ready: Promise<void>;
  /** The cursor of the last message, or where the subscription began; `undefined` until messages are asked for. */
  readonly cursor: string | undefined;
}

/** A connection on which nothing came for so long is dead, ms: the server says something every 20 s. */
const SILENCE = 60_000;

/** How long is waited before the server is asked again, ms. */
const BETWEEN = 500;

/** Whether the server may have time, or be back, later. */
const isPassing = ({ status, code }: ClientError): boolean => passing.has(code) || status === 429 || status >= 500;

/** Codes of what passes, also where an event of the stream brings them. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'internal', 'rate-limited']);

export function subscribeTo<Name extends TopicName>(
  options: ClientOptions,
  topic: Name,
  params: Topics[Name]['params'] | undefined,
  { after, signal }: SubscribeOptions,
): LiveTopic<Name> {
  let cursor = after;
  let stop: AbortController;
  const end = (): void => stop.abort(signal?.reason);
  function begin(): void {
    stop = new AbortController();
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  }
  begin();
  const connect = (): Promise<Response> => {
    const body = { topics: [{ topic, ...(params === undefined ? {} : { params }) }], ...(cursor && { after: cursor }) };
    return send(options, '/dex/stream', body, { signal: stop.signal }, async (response) => response);
  };
  // Begun now, so that who waits for `ready` need not ask for a message.
  let hasMissed = false;
  const isExpired = (error: unknown): boolean => error instanceof ClientError && error.code === 'cursor-expired';
  let connecting: Promise<Response> | undefined = connect().catch((error: unknown) => {
    if (!isExpired(error)) throw error;
    cursor = undefined;
    hasMissed = true;
    return connect();
  });
  const ready = connecting.then(() => undefined);
  ready.catch(() => undefined);
  let isAccepted = false;

  async function* messages(): AsyncGenerator<LiveMessage<Name>> {
    // A loop that follows another one goes on where that stopped.
    if (stop.signal.aborted) begin();
    try {
      while (!stop.signal.aborted) {
        try {
          // A connection ended before it said where to go on from.
          if (isAccepted && cursor === undefined) hasMissed = true;
          const response = await (connecting ?? connect());
          isAccepted = true;
          connecting = undefined;
          if (hasMissed) yield { topic, cursor: '', data: [], expired: true } as unknown as LiveMessage<Name>;
          hasMissed = false;
          yield* messagesOf(response);
        } catch (error) {
          connecting = undefined;
          if (stop.signal.aborted) return;
          if (isExpired(error)) {
            cursor = undefined;
            hasMissed = true;
            continue;
          }
          const mayRetry = isAccepted || hasMissed;
          if (!mayRetry || (error instanceof ClientError && !isPassing(error))) throw error;
        }
        await pause(BETWEEN, stop.signal).catch(() => undefined);
      }
    } finally {
      signal?.removeEventListener('abort', end);
      stop.abort();
    }
  }

  async function* messagesOf({ body }: Response): AsyncGenerator<LiveMessage<Name>> {
    if (body === null) return;
    for await (const { id, event, data } of readEvents(body, SILENCE)) {
      if (event === 'error') {
        const { error, code } = JSON.parse(data!);
        throw new ClientError(error, { code, status: 200 });
      }
      if (data !== undefined) yield JSON.parse(data);
      // Only once the message has been taken: who stops in it gets it again.
      if (id !== undefined) cursor = id;
    }
  }

  return {
    ready,
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: messages,
  };
}
