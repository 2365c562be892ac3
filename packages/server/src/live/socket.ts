import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Message, type Stream, type Swapfold, SwapfoldError } from '@swapfold/core';
import { findTopic, show, type Topic } from '@swapfold/core/host';
import type { RawData, WebSocket } from 'ws';
import { type Admission, keyOf } from '../admission.ts';
import { parseJson } from '../json.ts';
import { type Holder, WrongKey } from '../keys.ts';
import { visibleError } from '../overload.ts';
import { inPlace } from './events.ts';
import { frameOf } from './frame.ts';
import { messageFrame } from './message-bytes.ts';
import { sendTo } from './outlet.ts';

/** Seconds that a client has to send its key. */
const SECONDS_FOR_KEY = 5;

/** Close codes of RFC 6455, and 1013 of the registry: try again later. */
export const closeCodes = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

export interface SocketService {
  readonly dex: Swapfold;
  readonly admission: Admission;
  /** How long a client has to send its key, seconds. Default 5. */
  readonly keyPatience: number | undefined;
  readonly tellWrongKeys: (peer: string) => void;
}

const requestFields = ['method', 'topic', 'params', 'after', 'id', 'key'] as const;

type Request = { readonly [Field in (typeof requestFields)[number]]?: unknown };

/** A connection as it begins; `release` gives back its place among the connections of its address. */
interface Opened {
  readonly request: IncomingMessage;
  readonly service: SocketService;
  readonly release: () => void;
}

interface Subscribed {
  readonly topic: string;
  readonly operation: Topic['operation'];
  readonly abort: AbortController;
}

/** One WebSocket: answers its requests one after the other, and sends what its subscriptions give. */
export class LiveSocket {
  readonly #socket: WebSocket;
  /** What the WebSocket is on: it takes frames as they are, since no extension of the protocol is offered. */
  readonly #wire: Duplex;
  readonly #request: IncomingMessage;
  readonly #service: SocketService;
  readonly #subscriptions = new Map<string, Subscribed>();
  #key: string | undefined;
  #caller: Holder | undefined;
  /** Requests that have not been answered, or whose answers the client does not take. */
  #unanswered = 0;
  #release: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, wire: Duplex, { request, service, release }: Opened) {
    this.#socket = socket;
    this.#wire = wire;
    this.#request = request;
    this.#service = service;
    this.#release = release;
    socket.on('message', (data, isBinary) => void this.#receive(data, isBinary));
    // What a client breaks of the protocol closes its connection: there is nobody to tell.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#end());
    const key = keyOf(request);
    if (service.admission.isOpen || key !== undefined) this.#authenticate(key);
    else {
      const wait = (service.keyPatience ?? SECONDS_FOR_KEY) * 1000;
      this.#timer = setTimeout(() => socket.close(closeCodes.policy, 'no key came in time'), wait);
    }
  }

  /** From now on the connection is one of its caller. Errors: `unauthorized`, `too-many-subscriptions`. */
  #authenticate(key: string | undefined): void {
    const caller = this.#service.admission.callerOf(key, this.#request);
    const release = this.#service.admission.connections.take(caller.share);
    this.#release();
    this.#release = release;
    clearTimeout(this.#timer);
    this.#key = key;
    this.#caller = caller;
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    // The next request is read when those before are answered, and the client has taken enough of the answers.
    this.#unanswered++;
    this.#socket.pause();
    let request: Request = {};
    try {
      request = readRequest(data, isBinary);
      await this.#send(await this.#answer(request));
    } catch (error) {
      if (error instanceof WrongKey) await this.#untilAnswered();
      const { message, code, details } = visibleError(error);
      const { method, topic, id } = request;
      const of = { ...textOf('method', method), ...textOf('topic', topic), ...textOf('id', id) };
      const isStranger = this.#caller === undefined && !this.#service.admission.isOpen;
      const sent = this.#send({ ...of, error: message, code, details });
      if (isStranger) this.#socket.close(closeCodes.policy, code);
      await sent;
    } finally {
      if (--this.#unanswered === 0) this.#socket.resume();
    }
  }

  /** Until a wrong key is to be answered, at the latest a second later. */
  #untilAnswered(): Promise<void> {
    const { admission, tellWrongKeys } = this.#service;
    const peer = admission.addressOf(this.#request);
    return new Promise((resolve) => {
      admission.wrongKeys.take(peer, ({ isMany }) => {
        if (isMany) tellWrongKeys(peer);
        resolve();
      });
    });
  }

  async #answer(request: Request): Promise<object> {
    const { method } = request;
    const unknown = Object.keys(request).find((name) => !(requestFields as readonly string[]).includes(name));
    if (unknown !== undefined)
      throw invalid(unknown, `Unknown field ${show(unknown)}. Known: ${requestFields.join(', ')}.`);
    if (method === 'authenticate') {
      if (this.#caller !== undefined) throw invalid('method', 'This connection is authenticated already.');
      if (typeof request.key !== 'string')
        throw invalid('key', `"key": expected a text, received ${show(typeof request.key)}.`);
      // As a header brings it, whose bytes Node.js reads as Latin-1.
      this.#authenticate(Buffer.from(request.key, 'utf8').toString('latin1'));
      return { method, ok: true };
    }
    if (this.#caller === undefined)
      throw new SwapfoldError(
        'unauthorized',
        'Send {"method": "authenticate", "key": "..."} first, or the key in the X-Api-Key header.',
      );
    if (method !== 'subscribe' && method !== 'unsubscribe')
      throw invalid(
        'method',
        `"method": expected "subscribe", "unsubscribe" or "authenticate", received ${show(method)}.`,
      );
    const id = optionalText('id', request.id);
    const { topic: given } = request;
    if (typeof given !== 'string')
      throw invalid('topic', `"topic": expected the name of a topic, received ${show(given)}.`);
    const { dex } = this.#service;
    const topic = findTopic(dex.config.chain, given);
    const name = `${dex.config.chain}.dex.${topic.name}`;
    const of = { method, topic: name, ...(id === undefined ? {} : { id }) };
    if (method === 'subscribe') {
      const cursor = await this.#subscribe({ topic: name, params: request.params, id }, request.after);
      return { ...of, ok: true, cursor };
    }
    const key = id ?? name;
    const known = this.#subscriptions.get(key);
    if (known?.topic !== name)
      throw new SwapfoldError('not-found', `There is no subscription ${show(key)} on this connection.`);
    known.abort.abort();
    this.#subscriptions.delete(key);
    return { ...of, ok: true };
  }

  async #subscribe(
    call: { readonly topic: string; readonly params: unknown; readonly id: string | undefined },
    after: unknown,
  ): Promise<string> {
    const { dex, admission } = this.#service;
    const topic = findTopic(dex.config.chain, call.topic);
    // Each asks again, because keys may have been replaced since the connection began.
    const { share } = admission.admitCall(this.#key, this.#request, topic.operation);
    const key = call.id ?? call.topic;
    if (this.#subscriptions.has(key))
      throw invalid(
        'topic',
        `This connection has a subscription ${show(key)}; give each its own "id", or end it first.`,
      );
    const { subscriptions } = admission.live;
    if (this.#subscriptions.size >= subscriptions)
      throw new SwapfoldError(
        'too-many-subscriptions',
        `This connection has ${subscriptions} subscriptions, the most that one may have: end some, or ask for several addresses in one.`,
      );
    const free = admission.connections.hold(share, call.params);
    const abort = new AbortController();
    abort.signal.addEventListener('abort', free, { once: true });
    this.#subscriptions.set(key, { topic: call.topic, operation: topic.operation, abort });
    try {
      const options = { signal: abort.signal, after: optionalText('after', after) };
      const gate = topic.cost === 'scan' ? admission.gates.scan : undefined;
      const stream = await inPlace(gate, { share, isWanted: true }, () => dex.stream([call], options));
      setImmediate(() => void this.#pump(key, stream, { ...call, abort }));
      return stream.cursor;
    } catch (error) {
      this.#subscriptions.delete(key);
      free();
      throw error;
    }
  }

  async #pump(
    key: string,
    stream: Stream,
    { topic, id, abort }: { readonly topic: string; readonly id: string | undefined; readonly abort: AbortController },
  ): Promise<void> {
    try {
      await stream.listen((messages) => this.#sendAll(messages));
    } catch (error) {
      // It has been ended, and another one may have its name by now.
      if (this.#subscriptions.get(key)?.abort !== abort) return;
      this.#subscriptions.delete(key);
      abort.abort();
      const { message, code } = visibleError(error);
      await this.#send({ topic, ...(id === undefined ? {} : { id }), error: message, code });
    }
  }

  /** Gives false if the connection is closed. A promise only where the client has to be waited for. */
  #sendAll(messages: readonly Message[], from = 0): boolean | Promise<boolean> {
    for (let i = from; i < messages.length; i++) {
      const sent = this.#sendFrame(messageFrame(messages[i]!));
      if (sent === false) return false;
      if (sent !== true) return sent.then((isOpen) => isOpen && this.#sendAll(messages, i + 1));
    }
    return true;
  }

  /** Closes the connection if its key may call no more, or not what a subscription of it follows. */
  checkKey(): void {
    if (this.#caller === undefined) return;
    const { admission } = this.#service;
    try {
      admission.callerOf(this.#key, this.#request);
      for (const { operation } of this.#subscriptions.values()) admission.callerOf(this.#key, this.#request, operation);
    } catch {
      this.close(closeCodes.policy, 'the key may call no more');
    }
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.#end();
    // A client that reads nothing does not answer the close either.
    setTimeout(() => this.#socket.terminate(), 1000).unref();
  }

  #send(answer: object): boolean | Promise<boolean> {
    return this.#sendFrame(frameOf(JSON.stringify(answer)));
  }

  /** Gives false if the connection is closed, or the client so slow that it is cut off. */
  #sendFrame(frame: Buffer): boolean | Promise<boolean> {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    const sent = sendTo(this.#wire, frame, this.#service.admission.live.liveBytes);
    return sent === true || this.#cutOffUnless(sent);
  }

  async #cutOffUnless(taken: boolean | Promise<boolean>): Promise<boolean> {
    if (await taken) return true;
    if (this.#socket.readyState === this.#socket.OPEN) {
      this.#service.admission.connections.cut++;
      this.close(closeCodes.tryAgainLater, 'the client reads too slowly');
    }
    return false;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#release();
    for (const { abort } of this.#subscriptions.values()) abort.abort();
    this.#subscriptions.clear();
  }
}

function readRequest(data: RawData, isBinary: boolean): Request {
  if (isBinary) throw invalid('', 'Send JSON as a text frame, not as a binary one.');
  const value: unknown = parseJson(data as Buffer, 'The message');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('', 'Send an object such as {"method": "subscribe", "topic": "...", "params": {}}.');
  return value as Request;
}

const textOf = (name: string, value: unknown): object =>
  typeof value === 'string' && value.length <= 256 ? { [name]: value } : {};

function optionalText(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value.length <= 256)) return value;
  throw invalid(name, `"${name}": expected a text of at most 256 characters, received ${show(value)}.`);
}

function invalid(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-request', message, { details: [{ path, message }] });
}
