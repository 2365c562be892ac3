// @ts-check
/** @import { Message, TopicName } from '../types/page.ts' */
import { ApiError, openStream } from './api.js';
import { readEvents } from './events.js';
import { useEffect, useState } from './lib.js';

/** The server says something every 20 s. */
const SILENCE = 60_000;
/** Parts of a view come and go together: their topics share a connection. */
const TOGETHER = 30;
const BETWEEN = 1000;

/** One connection for the page, because a browser gives a server six: `{ topic, params, onChange }` of each part that is shown. */
/** @type {Set<Part>} */
const wanted = new Set();
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {string | undefined} */
let cursor;
/** @type {AbortController | undefined} */
let stop;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {'live' | 'waiting' | 'off'} */
let status = 'off';
/** @type {number | undefined} */
let heard;

/** @typedef {{ readonly topic: TopicName, readonly params: unknown, readonly onChange: (message?: Message) => void }} Part */

/** @param {typeof status} next */
function setStatus(next) {
  status = next;
  for (const listener of listeners) listener();
}

/** `live` while changes come in, `waiting` while the server does not answer, `off` if it sends none. */
export function useStatus() {
  const [, draw] = useState(0);
  useEffect(() => {
    const listener = () => draw((/** @type {number} */ n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return status;
}

/** When the last message came, ms; `undefined` before the first. */
export const lastHeard = () => heard;

/**
 * Calls `onChange` with each message of the topic, and without one if some may have been missed, until the function that it returns is called.
 * @template {TopicName} Name
 * @param {Name} topic
 * @param {unknown} params
 * @param {(message?: Message<Name>) => void} onChange
 */
export function subscribe(topic, params, onChange) {
  const one = /** @type {Part} */ ({ topic, params, onChange });
  wanted.add(one);
  connectSoon();
  return () => {
    wanted.delete(one);
    connectSoon();
  };
}

function connectSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    stop?.abort();
    stop = new AbortController();
    if (wanted.size === 0) setStatus('off');
    else follow([...wanted], stop.signal);
  }, TOGETHER);
}

/**
 * @param {readonly Part[]} given
 * @param {AbortSignal} signal
 */
async function follow(given, signal) {
  let parts = given;
  while (!signal.aborted) {
    const after = cursor;
    const topics = topicsOf(parts);
    try {
      const body = await openStream({ topics, ...(after === undefined ? {} : { after }) }, signal);
      setStatus('live');
      // What was committed between the answers and this connection is in no message.
      if (after === undefined) for (const { onChange } of parts) onChange();
      await take(body, parts);
    } catch (error) {
      if (signal.aborted) return;
      if (/** @type {{ readonly code?: unknown }} */ (error).code === 'cursor-expired') cursor = undefined;
      else if (isRefusal(error)) {
        // A part that the server refuses is not followed; the others are.
        const left = parts.length === 1 ? [] : await answered(parts, signal).catch(() => parts);
        if (left.length === 0) return setStatus('off');
        const isFewer = left.length < parts.length;
        parts = left;
        if (isFewer) continue;
      }
    }
    if (signal.aborted) return;
    setStatus('waiting');
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
  }
}

/** @param {readonly Part[]} parts */
const topicsOf = (parts) => parts.map(({ topic, params }, i) => ({ topic, params, id: String(i) }));

/** @param {unknown} error */
const isRefusal = (error) => error instanceof ApiError && error.status < 500 && error.status !== 429;

/**
 * The parts that the server sends messages of, each asked for alone.
 * @param {readonly Part[]} parts
 * @param {AbortSignal} signal
 */
async function answered(parts, signal) {
  const found = [];
  for (const part of parts) {
    try {
      await (await openStream({ topics: topicsOf([part]) }, signal)).cancel();
      found.push(part);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return found;
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {readonly Part[]} parts
 */
async function take(body, parts) {
  for await (const { id, event, data } of readEvents(body, SILENCE)) {
    if (event === 'error')
      throw Object.assign(new Error('The stream ended.'), JSON.parse(/** @type {string} */ (data)));
    if (data !== undefined) {
      const message = JSON.parse(data);
      heard = Date.now();
      // Quiet topics get an empty message now and then, for its cursor.
      if (message.data.length > 0 || message.retracted || message.ended || message.complete)
        parts[Number(message.id)]?.onChange(message);
    }
    if (id !== undefined) cursor = id;
  }
}
