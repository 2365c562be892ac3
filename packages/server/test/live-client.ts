import { once } from 'node:events';
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: messages are compared field by field.
type Json = any;

export interface Socket {
  readonly socket: WebSocket;
  send(value: unknown): void;
  next(): Promise<Json>;
  /** Sends a request and gives the next message. */
  ask(value: unknown): Promise<Json>;
  closed(): Promise<{ code: number; reason: string }>;
}

/** A WebSocket of a server, whose messages wait until they are asked for. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`, { headers });
  const received: Json[] = [];
  const waiting: ((message: Json) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    const wanted = waiting.shift();
    if (wanted === undefined) received.push(message);
    else wanted(message);
  });
  const closing = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'open'), closing.then(() => Promise.reject(new Error('closed')))]);
  const next = () =>
    received.length > 0 ? Promise.resolve(received.shift()) : new Promise<Json>((resolve) => waiting.push(resolve));
  const send = (value: unknown): void => socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    socket,
    send,
    next,
    ask(value) {
      send(value);
      return next();
    },
    closed: () => closing,
  };
}

export interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly data?: Json;
}

/** The events of a response, one a call; `undefined` at its end. */
export function eventsOf(response: Response): () => Promise<Event | undefined> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const [id, event, data] = [field('id'), field('event'), field('data')];
        if (id === undefined && data === undefined) continue;
        return { ...(id && { id }), ...(event && { event }), ...(data && { data: JSON.parse(data) }) };
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
}
