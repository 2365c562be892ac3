import { findServed, type TopicItem, type TopicName, type TopicParams, topicName } from '../../api/topics.ts';
import { invalidInput, SwapfoldError } from '../../errors.ts';
import { type MessageBody, retractionOf } from '../../live/selection.ts';
import { allOf, type Eventual, mapped } from '../../live/view.ts';
import { show } from '../../nearest.ts';
import { checkCallOptions } from '../../options.ts';
import type { CallOptions } from '../../storage/abortable.ts';
import type { StoreSession } from '../open/session.ts';

/** Options of `dex.subscribe`. */
export interface SubscribeOptions extends CallOptions {
  /** The cursor of the last message that was seen, of this run of the process: goes on with the commits that follow it. */
  readonly after?: string | undefined;
}

/** What a commit means for one subscription. A commit with more than 1,000 items comes in several messages, of which the last has its cursor. */
export interface Message<Item = unknown> extends MessageBody<Item> {
  /** The whole name, `{chain}.dex.{name}`. */
  readonly topic: string;
  /** Where a subscription goes on after this message. */
  readonly cursor: string;
  /** That of the call, if it has one. */
  readonly id?: string;
}

/** One topic of a stream. */
export interface TopicCall {
  readonly topic: string;
  readonly params?: unknown;
  /** Tells its messages from the messages of another call of the same topic. */
  readonly id?: string | undefined;
}

/** A topic by its name, with or without `{chain}.dex.` before it. */
export type TopicNamed<Name extends TopicName> = Name | `${string}.dex.${Name}`;

/** Messages as they come; see `Subscriptions`. */
export interface Subscription<Item = unknown> extends AsyncIterable<Message<Item>> {
  /** Where a subscription would go on that was made now, with all that this one was given. */
  readonly cursor: string;
  /** Resolves once the subscription is accepted. Errors: those that the first message would throw. */
  readonly ready: Promise<void>;
}

/** Messages of several topics as they come, the messages of one commit together. */
export interface Stream extends AsyncIterable<readonly Message[]>, Pick<Subscription, 'cursor' | 'ready'> {
  /**
   * In place of a loop: calls `hear` with the messages of each commit, and waits for what it gives; resolves at the end, or once that is
   * false. Of a thousand loops each holds on to its last messages, and makes promises, for every commit. Errors: as the messages.
   */
  readonly listen: (hear: (messages: readonly Message[]) => boolean | Promise<boolean>) => Promise<void>;
}

/** Messages about what changes. */
export interface Subscriptions {
  /**
   * Each commit once it is durable, in order, from this call on or after a cursor.
   *
   * - Topics: `swaps`, `trades`, `prices`, `candles`, `profiles.wallet`, `profiles.token`, `profiles.position`; docs/guides/subscriptions.md.
   * - A reader who reads the list after `ready` and applies the messages has what the list says.
   * - Ends if `signal` aborts or the store closes.
   * - Errors of the call: `not-found`, `invalid-request`, `invalid-cursor`, `cursor-expired`, `read-only`. From `ready` and the messages:
   *   those of a filter, `too-many-matches`; `cursor-expired` if the reader is so far behind that the commits are not kept any more, or
   *   if another process has written.
   */
  subscribe<Name extends TopicName>(
    topic: TopicNamed<Name>,
    params?: TopicParams<Name>,
    options?: SubscribeOptions,
  ): Subscription<TopicItem<Name>>;
  /** As `subscribe`, of several topics at one cursor: gives the messages of each commit together. */
  stream(topics: readonly TopicCall[], options?: SubscribeOptions): Stream;
}

/** Items of one message. */
const MOST_ITEMS = 1000;

export function subscriptionsOf(session: StoreSession, refuseWhenClosed: () => void): Subscriptions {
  return {
    subscribe(topic, params, options = {}) {
      refuseWhenClosed();
      return subscribeTo(session, { topic, params }, options);
    },
    stream(topics, options = {}) {
      refuseWhenClosed();
      return openStream(session, topics, options);
    },
  };
}

function subscribeTo<Name extends TopicName>(
  session: StoreSession,
  call: { readonly topic: TopicNamed<Name>; readonly params: TopicParams<Name> | undefined },
  options: SubscribeOptions,
): Subscription<TopicItem<Name>> {
  const stream = openStream(session, [call], options);
  const left: Message<TopicItem<Name>>[] = [];
  let given: Message<TopicItem<Name>> | undefined;
  function* rest() {
    for (given = left.shift(); given !== undefined; given = left.shift()) yield given;
  }
  return {
    get cursor() {
      return given?.cursor ?? stream.cursor;
    },
    ready: stream.ready,
    async *[Symbol.asyncIterator]() {
      yield* rest();
      for await (const messages of stream) {
        left.push(...(messages as readonly Message<TopicItem<Name>>[]));
        yield* rest();
      }
    },
  };
}

/** A stream from the place `after` a cursor, or from now on. `messages` and `listen` are one loop in two forms: for readers who pull, and without promises. */
function openStream(session: StoreSession, calls: readonly TopicCall[], options: SubscribeOptions): Stream {
  checkStreamOptions(options);
  const { config, live } = session;
  if (session.storage.isReadOnly === true)
    throw new SwapfoldError(
      'read-only',
      'Subscriptions see the commits of their own process, and this store is open for reading: subscribe where it is written.',
    );
  const selections = calls.map(({ topic: name, params, id }) => {
    const topic = findServed(config.chain, name);
    const of = { topic: topicName(config.chain, topic), ...(id === undefined ? {} : { id }) };
    return { of, selection: topic.select(config, params ?? {}) };
  });
  live.watch();
  const { log } = live;
  const { epoch } = log;
  const { after, signal } = options;
  let place = after === undefined ? log.end : log.placeAfter(after);
  const cursorAt = (number: number): string => log.cursorAt(epoch, number);
  const begun = Promise.all(
    selections.map(async ({ of, selection }) => {
      const isMissed = (): boolean => after !== undefined || log.end !== place || log.epoch !== epoch;
      const body = await selection.begin?.(live.ask, isMissed);
      return messagesOf(of, body, { before: cursorAt(place), after: cursorAt(place) });
    }),
  );
  const ready = begun.then(() => undefined);
  ready.catch(() => undefined);

  function messagesAt(number: number): Eventual<readonly Message[]> | undefined {
    const view = live.view(epoch, number);
    if (view === undefined) return undefined;
    const retraction = retractionOf(view);
    const bodies = allOf(selections.map(({ selection }) => retraction ?? selection.read(view)));
    return mapped(bodies, (known) => known.flatMap((body, i) => messagesOf(selections[i]!.of, body, view.cursors)));
  }

  /** The stream gives these where it has had nothing for long, so that the cursor of its reader does not expire. */
  const stillHere = (): readonly Message[] =>
    selections.map(({ of }) => ({ ...of, cursor: cursorAt(place), data: [] }));

  /** Whether what a read threw is the end and no error: its reader has left, or its store has closed beneath it. */
  const isEnd = (error: unknown): boolean =>
    signal?.aborted === true || (error instanceof SwapfoldError && error.code === 'closed');

  async function* messages(): AsyncGenerator<readonly Message[]> {
    let wake = (): void => undefined;
    let isAborted = signal?.aborted;
    // Once for all commits, because there may be a thousand subscriptions to wake at each.
    const onAbort = (): void => {
      isAborted = true;
      wake();
    };
    signal?.addEventListener('abort', onAbort);
    try {
      const first = (await begun).flat();
      if (first.length > 0 && !isAborted) yield first;
      let sent = place;
      while (!log.isClosed && !isAborted) {
        const made = messagesAt(place);
        if (made === undefined) {
          const next = log.wait();
          wake = next.wake;
          await next.done;
          continue;
        }
        const found = made instanceof Promise ? await made : made;
        if (isAborted) return;
        place++;
        if (found.length > 0) yield found;
        else if (log.isAging(sent)) yield stillHere();
        else continue;
        sent = place;
      }
    } catch (error) {
      if (!isEnd(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async function listen(hear: (messages: readonly Message[]) => Eventual<boolean>): Promise<void> {
    const first = (await begun).flat();
    if (first.length > 0 && (signal?.aborted || !(await hear(first)))) return;
    let sent = place;
    /** Gives the messages of the commit at `place` to the listener. */
    function send(found: readonly Message[]): Eventual<boolean> {
      if (signal?.aborted) return false;
      place++;
      if (found.length === 0 && !log.isAging(sent)) return true;
      sent = place;
      return hear(found.length > 0 ? found : stillHere());
    }
    function endedBy(error: unknown): boolean {
      if (!isEnd(error)) throw error;
      return false;
    }
    await new Promise<void>((resolve, reject) => {
      let isBusy = false;
      const unwatch = log.watch(readOn);
      signal?.addEventListener('abort', readOn);
      function end(error?: unknown): void {
        isBusy = true;
        unwatch();
        signal?.removeEventListener('abort', readOn);
        if (error === undefined) resolve();
        else reject(error);
      }
      /** Reads all that there is, if nothing is being read. */
      function readOn(): void {
        if (isBusy) return;
        try {
          while (!log.isClosed && !signal?.aborted) {
            const made = messagesAt(place);
            if (made === undefined) return;
            const isWanted = made instanceof Promise ? made.then(send, endedBy) : send(made);
            if (isWanted instanceof Promise) {
              isBusy = true;
              isWanted.then((more) => {
                isBusy = false;
                if (more) readOn();
                else end();
              }, end);
              return;
            }
            if (!isWanted) break;
          }
          end();
        } catch (error) {
          end(error);
        }
      }
      readOn();
    });
  }

  return {
    get cursor() {
      return cursorAt(place);
    },
    ready,
    listen,
    [Symbol.asyncIterator]: messages,
  };
}

type Of = Pick<Message, 'topic' | 'id'>;

function messagesOf(
  of: Of,
  body: MessageBody<unknown> | undefined,
  { before, after: cursor }: { readonly before: string; readonly after: string },
): Message[] {
  if (body === undefined) return [];
  if (body.data.length <= MOST_ITEMS) return [{ ...of, cursor, ...body }];
  const { data, ...others } = body;
  const parts = Array.from({ length: Math.ceil(data.length / MOST_ITEMS) }, (_, n) =>
    data.slice(n * MOST_ITEMS, (n + 1) * MOST_ITEMS),
  );
  return parts.map((part, n) => ({
    ...of,
    cursor: n === parts.length - 1 ? cursor : before,
    data: part,
    ...(n === 0 ? others : {}),
  }));
}

/** Errors: `invalid-input` for an option that does not exist or has a wrong value. */
function checkStreamOptions(options: SubscribeOptions): void {
  checkCallOptions('subscribe', options, { after: true, signal: true });
  const { after } = options;
  if (after !== undefined && typeof after !== 'string')
    throw invalidInput(`"after": expected the cursor of a message, received ${show(after)}.`);
}
