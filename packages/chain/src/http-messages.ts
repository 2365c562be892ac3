import { isAscii } from 'node:buffer';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Call, Outcome, SendCalls } from './node.ts';
import type { FailureReader } from './node-errors.ts';

/** Bytes of one answer that are read; the source shortens its ranges before an answer gets so large. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** Milliseconds until the last byte of an answer, and those that an unused connection stays open. */
const TIMEOUT = 30_000;
const IDLE = 60_000;

interface Response {
  readonly status: number;
  readonly statusText: string;
  readonly retryAfter: string | undefined;
  readonly body: Buffer;
}

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/**
 * Sends calls to a node over HTTP, all of one call to `send` in one message. `failureOf` reads what its errors mean.
 *
 * An answer is read whole, and parsed once or by the call's own `read`: viem's transport, which decodes it piece by piece, takes three times the
 * processor time for a chain of swaps.
 */
export function httpSender(url: string, failureOf: FailureReader): SendCalls {
  const address = new URL(url);
  const isSecure = address.protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, timeout: IDLE });
  const post = (body: Buffer, signal: AbortSignal): Promise<Response> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        'accept-encoding': 'gzip, deflate, br',
      };
      const request = (isSecure ? requestHttps : requestHttp)(address, { method: 'POST', agent, headers, signal });
      const fail = (error: Error): void => {
        clearTimeout(timer);
        request.destroy();
        reject(error);
      };
      const timer = setTimeout(() => fail(named('TimeoutError', 'The request took too long to respond.')), TIMEOUT);
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // The node has closed a connection that lay unused, just as it was taken again.
        if (request.reusedSocket && error.code === 'ECONNRESET') post(body, signal).then(resolve, reject);
        else reject(error);
      });
      request.on('response', (response) => {
        readBody(response).then((body) => {
          clearTimeout(timer);
          const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
          resolve({ status, statusText, retryAfter: headers['retry-after'], body });
        }, fail);
      });
      request.end(body);
    });
  return async (calls, signal) => {
    try {
      return outcomesOf(calls, await post(messageOf(calls), signal), failureOf);
    } catch (error) {
      const failure = failureOf(error);
      return calls.map(() => ({ failure }));
    }
  };
}

/** One call stands alone, because some nodes take no lists. */
function messageOf(calls: readonly Call[]): Buffer {
  const messages = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  return Buffer.from(JSON.stringify(messages.length === 1 ? messages[0] : messages));
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(response)) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_ANSWER) throw named('ResponseBodyTooLargeError', `The answer exceeds ${LARGEST_ANSWER} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, size);
}

function decoded(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase();
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined;
  if (decoder === undefined) return response;
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

/** What became of the calls, in their order. */
function outcomesOf(
  calls: readonly Call[],
  { status, statusText, retryAfter, body }: Response,
  failureOf: FailureReader,
): Outcome<unknown>[] {
  const isOk = status >= 200 && status < 300;
  const values = isOk && calls.some(([, , read]) => read !== undefined) ? readResults(calls, body) : undefined;
  if (values !== undefined) return values;
  const of = { status: isOk ? undefined : status, headers: { get: () => retryAfter ?? null } };
  const errorOf = ({ error }: Answer): unknown => ({ code: error?.code, details: error?.message, ...of });
  const refused = (error: unknown): Outcome<unknown>[] => {
    const failure = failureOf(error);
    return calls.map(() => ({ failure }));
  };
  const answers = answersIn(body);
  const [first] = answers;
  // Of a whole list that is refused, some nodes give one error.
  if (first?.error instanceof Object && (!isOk || answers.length < calls.length)) return refused(errorOf(first));
  if (!isOk) return refused({ details: body.toString('utf8', 0, 300) || statusText, ...of });
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return calls.map((_, id) => {
    const answer = calls.length === 1 ? first : byId.get(id);
    if (answer?.error instanceof Object) return { failure: failureOf(errorOf(answer)) };
    if (answer?.result === undefined)
      return { failure: failureOf(new Error(`The node gave ${answers.length} answers to ${calls.length} calls.`)) };
    return { value: answer.result };
  });
}

const ANSWER = '{"jsonrpc":"2.0","id":';

/** What each call reads of its own result. Shape: `undefined` of answers in another form than `{"jsonrpc":"2.0","id":1,"result":...}`, and of errors. */
function readResults(calls: readonly Call[], body: Buffer): Outcome<unknown>[] | undefined {
  const isList = calls.length > 1;
  const values = new Map<number, unknown>();
  let end = body.length;
  while (end > 0 && body[end - 1]! <= 0x20) end--;
  end -= isList ? 2 : 1;
  for (let at = isList ? 1 : 0; at < end; ) {
    const [head, digits] = /^\{"jsonrpc":"2\.0","id":(\d+),"result":/.exec(body.toString('latin1', at, at + 64)) ?? [];
    if (head === undefined) return undefined;
    const next = body.indexOf(`},${ANSWER}`, at);
    const json = body.subarray(at + head.length, next < 0 ? end : next);
    const id = Number(digits);
    try {
      values.set(id, calls[id]?.[2]?.(json) ?? parse(json));
    } catch {
      // More than a result stands there.
      return undefined;
    }
    at = next < 0 ? end : next + 2;
  }
  return calls.every((_, id) => values.has(id)) ? calls.map((_, id) => ({ value: values.get(id) })) : undefined;
}

/** None of a text that holds no answers. */
function answersIn(body: Buffer): readonly Answer[] {
  try {
    const value: unknown = parse(body);
    return Array.isArray(value)
      ? value.filter((answer) => answer instanceof Object)
      : value instanceof Object
        ? [value]
        : [];
  } catch {
    return [];
  }
}

/** Text of ASCII is taken as it is, which takes half the time. */
const parse = (json: Buffer): unknown => JSON.parse(isAscii(json) ? json.toString('latin1') : json.toString());

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
