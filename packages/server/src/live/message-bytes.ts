import type { Message } from '@swapfold/core';
import { newFrame, payloadOf } from './frame.ts';

/**
 * How long what was written is kept for others who are sent the same, ms. Subscriptions that keep up have read a commit by then, and what
 * is gone before the second collection of the young generation never burdens the old one, which takes longer to mark than a commit to send.
 */
const KEPT = 250;

/** Items from which on a message is kept: a shorter one is as soon made again, and most of those are of one subscription. */
const LONG = 64;

interface Text {
  readonly text: string;
  readonly bytes: number;
}

/** The JSON of items: subscriptions share the items of a commit, so each is written once, and copied to whoever is sent it. */
const texts = new Map<object, Text>();

/** The latest message with a long list of items: all who subscribed to everything are sent the same bytes. */
const latest = new Map<object, { readonly head: string; readonly frame: Buffer }>();

const COMMA = ','.charCodeAt(0);

const END = Buffer.from(']}');

function written(item: object): Text {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  const made = { text, bytes: Buffer.byteLength(text) };
  if (texts.size === 0) setTimeout(forget, KEPT).unref();
  texts.set(item, made);
  return made;
}

function forget(): void {
  texts.clear();
  latest.clear();
}

/** A message as a WebSocket sends it. It is not to be changed. */
export function messageFrame(message: Message): Buffer {
  const { data } = message;
  const head = `${JSON.stringify({ ...message, data: undefined }).slice(0, -1)},"data":[`;
  const known = latest.get(data);
  if (known?.head === head) return known.frame;
  const frame = joined(head, (data as readonly object[]).map(written));
  if (data.length >= LONG) latest.set(data, { head, frame });
  return frame;
}

/** The JSON of a message. It is not to be changed. */
export const messageBytes = (message: Message): Buffer => payloadOf(messageFrame(message));

function joined(head: string, items: readonly Text[]): Buffer {
  let size = Buffer.byteLength(head) + Math.max(0, items.length - 1) + END.length;
  for (const { bytes } of items) size += bytes;
  const { frame, start } = newFrame(size);
  let at = start + frame.write(head, start);
  for (const [i, { text, bytes }] of items.entries()) {
    if (i > 0) frame[at++] = COMMA;
    // Where all are ASCII, which takes no encoding.
    frame.write(text, at, bytes === text.length ? 'latin1' : 'utf8');
    at += bytes;
  }
  frame.set(END, at);
  return frame;
}
