import type { Message } from '@swapfold/core';
import { newFrame, payloadOf } from './frame.ts';

/** The JSON of items: subscriptions share the items of a commit, so each is written once, and copied to whoever is sent it. */
const bytesOf = new WeakMap<object, Buffer>();

/** The latest message with a list of items: all who subscribed to the same, such as everything, are sent the same bytes. */
const latest = new WeakMap<object, { readonly head: string; readonly frame: Buffer }>();

const COMMA = ','.charCodeAt(0);

const END = Buffer.from(']}');

function itemBytes(item: object): Buffer {
  const known = bytesOf.get(item);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(item));
  bytesOf.set(item, bytes);
  return bytes;
}

/** A message as a WebSocket sends it. It is not to be changed. */
export function messageFrame(message: Message): Buffer {
  const { data } = message;
  const head = `${JSON.stringify({ ...message, data: undefined }).slice(0, -1)},"data":[`;
  const known = latest.get(data);
  if (known?.head === head) return known.frame;
  const frame = joined(Buffer.from(head), (data as readonly object[]).map(itemBytes));
  latest.set(data, { head, frame });
  return frame;
}

/** The JSON of a message. It is not to be changed. */
export const messageBytes = (message: Message): Buffer => payloadOf(messageFrame(message));

function joined(head: Buffer, items: readonly Buffer[]): Buffer {
  let size = head.length + Math.max(0, items.length - 1) + END.length;
  for (const { length } of items) size += length;
  const { frame, start } = newFrame(size);
  frame.set(head, start);
  let at = start + head.length;
  for (const [i, item] of items.entries()) {
    if (i > 0) frame[at++] = COMMA;
    frame.set(item, at);
    at += item.length;
  }
  frame.set(END, at);
  return frame;
}
