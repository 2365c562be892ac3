import type { ServerResponse } from 'node:http';
import { type Message, type Stream, type Swapfold, SwapfoldError, type TopicCall } from '@swapfold/core';
import { findTopic, show } from '@swapfold/core/host';
import { type Admission, keyOf } from '../admission.ts';
import { checkContentType, readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { type Gate, inTurn, type Wanted } from '../gate.ts';
import { parseJson } from '../json.ts';
import { visibleError } from '../overload.ts';
import { parseInTurn } from '../parse-in-turn.ts';
import { messageBytes } from './message-bytes.ts';
import { sendTo } from './outlet.ts';

/** How often a stream says that it is there, ms: proxies close what is silent. */
const SIGN_OF_LIFE = 20_000;

const END_OF_EVENT = Buffer.from('\n\n');

/** An answer that goes on: `begin` has the response from then on. */
export class EventStream {
  readonly begin: (response: ServerResponse, headers: Readonly<Record<string, string>>) => void;
  /** In place of `begin`, where the caller has hung up. */
  readonly cancel: () => void;

  constructor(begin: EventStream['begin'], cancel: () => void) {
    this.begin = begin;
    this.cancel = cancel;
  }
}

export interface EventsService {
  readonly dex: Swapfold;
  readonly admission: Admission;
  /** The streams that are open. */
  readonly open: Set<OpenStream>;
  /** Aborted once the server shuts down. */
  readonly drain: AbortSignal | undefined;
}

/** A stream that the server may end. */
export interface OpenStream {
  readonly end: () => void;
  /** Ends it if its caller may call no more. */
  readonly checkKey: () => void;
}

/** Subscribes to what a request asks for. Errors: the errors of a subscription and of a key, `too-many-subscriptions`. */
export async function openEvents(exchange: Exchange, service: EventsService): Promise<EventStream> {
  const { dex, admission, open, drain } = service;
  const { connections } = admission;
  const { request } = exchange;
  const { topics: asked, after } =
    request.method === 'GET' ? ofQuery(exchange, admission) : await ofBody(exchange, admission);
  const calls = readTopics(asked, admission);
  const topics = calls.map(({ topic }) => findTopic(dex.config.chain, topic));
  for (const topic of topics) admission.callerOf(keyOf(request), request, topic.operation);
  if (after !== undefined && typeof after !== 'string')
    throw invalid('after', `"after": expected a cursor, received ${show(after)}.`);
  const leave = connections.take(exchange.share);
  let free: () => void = () => undefined;
  const release = (): void => {
    leave();
    free();
  };
  const abort = new AbortController();
  const end = (): void => abort.abort();
  const cancel = (): void => {
    end();
    release();
  };
  try {
    free = connections.hold(exchange.share, calls);
    const gate = topics.some(({ cost }) => cost === 'scan') ? admission.gates.scan : undefined;
    const stream = await inPlace(gate, exchange, () => dex.stream(calls, { after, signal: abort.signal }));
    const { cursor } = stream;
    return new EventStream((response, headers) => {
      const known: OpenStream = {
        end,
        checkKey() {
          try {
            for (const { operation } of topics) admission.callerOf(keyOf(request), request, operation);
          } catch {
            end();
          }
        },
      };
      open.add(known);
      // Keys may have been replaced while it waited for its place.
      known.checkKey();
      if (drain?.aborted) end();
      const timer = setInterval(() => {
        // An end that the client does not take may wait for long.
        if (!response.writableEnded) response.write(': still here\n\n');
      }, SIGN_OF_LIFE).unref();
      response.once('close', () => {
        end();
        release();
        open.delete(known);
        clearInterval(timer);
      });
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        // nginx sends on at once what has this header.
        'X-Accel-Buffering': 'no',
      });
      response.write(`id: ${cursor}\n\n`);
      void pump(stream, response, admission);
    }, cancel);
  } catch (error) {
    cancel();
    throw error;
  }
}

/** Begins a stream, with a place of the gate until it is ready. */
export async function inPlace(gate: Gate | undefined, wanted: Wanted, begin: () => Stream): Promise<Stream> {
  if (gate === undefined) return begin();
  return inTurn(wanted, gate, async () => {
    const stream = begin();
    await stream.ready;
    return stream;
  });
}

async function pump(stream: Stream, response: ServerResponse, { live, connections }: Admission): Promise<void> {
  try {
    await stream.listen(async (messages) => {
      for (const [i, message] of messages.entries()) {
        if (response.destroyed) return false;
        if (await sendTo(response, eventBytes(message, i === messages.length - 1), live.liveBytes)) continue;
        connections.cut++;
        response.destroy();
        return false;
      }
      return true;
    });
  } catch (error) {
    const { message, code } = visibleError(error);
    response.write(`event: error\ndata: ${JSON.stringify({ error: message, code })}\n\n`);
  }
  response.end();
}

/** Only the last message of a commit moves the place that a client goes on from: it has had all of them then. */
function eventBytes(message: Message, isLast: boolean): Buffer {
  const head = Buffer.from(`${isLast ? `id: ${message.cursor}\n` : ''}data: `);
  return Buffer.concat([head, messageBytes(message), END_OF_EVENT]);
}

interface Asked {
  readonly topics: unknown;
  readonly after?: unknown;
}

async function ofBody(exchange: Exchange, admission: Admission): Promise<Asked> {
  admission.admit(exchange, undefined);
  checkContentType(exchange.request.headers);
  const body = await readBody(exchange.request, { budget: admission.bodies, share: exchange.share });
  try {
    const { topics, after, ...rest } = Object(await parseInTurn(body, exchange.share)) as Asked;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw invalid(unknown, `Unknown field ${show(unknown)}. Known: topics, after.`);
    return { topics, after: after ?? lastEventId(exchange) };
  } finally {
    admission.bodies.add(exchange.share, -body.length);
  }
}

/** For `EventSource`, which sends neither a body nor a key. */
function ofQuery(exchange: Exchange, admission: Admission): Asked {
  if (!admission.isOpen)
    throw new SwapfoldError(
      'unauthorized',
      'This server asks for a key, which GET has no place for: read the events of a POST with fetch.',
    );
  admission.admit(exchange, undefined);
  const [url = '/', base] = [exchange.request.url, 'http://localhost'];
  if (!URL.canParse(url, base)) throw invalid('topics', `The address ${show(url)} is none.`);
  const query = new URL(url, base).searchParams;
  const text = query.get('topics');
  if (text === null) throw invalid('topics', '"topics" is required: ?topics=[{"topic": "...", "params": {}}].');
  return {
    topics: parseJson(Buffer.from(text), '"topics"'),
    after: lastEventId(exchange) ?? query.get('after') ?? undefined,
  };
}

/** What `EventSource` sends when it connects again. */
function lastEventId({ request }: Exchange): string | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function readTopics(topics: unknown, { live: { subscriptions } }: Admission): readonly TopicCall[] {
  if (!Array.isArray(topics) || topics.length === 0)
    throw invalid(
      'topics',
      `"topics": expected a list such as [{"topic": "...", "params": {}}], received ${show(topics)}.`,
    );
  if (topics.length > subscriptions)
    throw new SwapfoldError(
      'too-many-subscriptions',
      `"topics": expected at most ${subscriptions}, received ${topics.length}.`,
    );
  return topics.map((given, i) => {
    const { topic, params, id, ...rest } = Object(given) as Record<string, unknown>;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw invalid(`topics.${i}.${unknown}`, `Unknown field ${show(unknown)}. Known: topic, params, id.`);
    if (typeof topic !== 'string')
      throw invalid(`topics.${i}.topic`, `"topics.${i}.topic": expected the name of a topic, received ${show(topic)}.`);
    if (id !== undefined && typeof id !== 'string')
      throw invalid(`topics.${i}.id`, `"topics.${i}.id": expected a text, received ${show(id)}.`);
    return { topic, params, id };
  });
}

function invalid(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-request', message, { details: [{ path, message }] });
}
