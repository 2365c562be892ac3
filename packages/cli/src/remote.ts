import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import { errorCodes } from '@swapfold/core/host';
import { InvalidArgumentError } from 'commander';

/** The environment variable with the key of commands that call a server. */
export const KEY_VARIABLE = 'SWAPFOLD_API_KEY';

/** The address of a server, without a slash at its end. */
export function parseServerUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Give the address of a server such as http://127.0.0.1:8080.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** One request to a server, however long its answer takes: a backup of a large store takes minutes, which `fetch` does not wait. */
export async function ask(
  url: string,
  { method, headers = {}, signal }: { method: 'GET' | 'POST'; headers?: Record<string, string>; signal: AbortSignal },
): Promise<Answered> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, signal }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode!, body }), reject);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

/**
 * Has a server do something for its operator, with the key of the environment.
 *
 * - Errors: the error that the server answers; `invalid-input` if nobody answers, or something else does; `aborted`.
 */
export async function callServer<T>(server: string, path: string, signal: AbortSignal): Promise<T> {
  const key = process.env[KEY_VARIABLE];
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '2', ...(key ? { 'X-Api-Key': key } : {}) };
  const { status, body } = await ask(server + path, { method: 'POST', headers, signal }).catch((cause: Error) => {
    if (signal.aborted) throw new SwapfoldError('aborted', 'The request was given up.', { cause });
    throw new SwapfoldError('invalid-input', `Nobody answers at ${server}: ${reasonOf(cause)}.`, { cause });
  });
  const answer = objectOf(body);
  if (status === 200 && answer !== undefined) return answer as T;
  throw (
    errorOf(server, answer) ?? new SwapfoldError('invalid-input', `${server} answers ${status}, and is no Swapfold.`)
  );
}

/** Why nothing came back; of an address with several, the reason of the first. */
export function reasonOf(error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return first.message;
}

function objectOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function errorOf(server: string, answer: Readonly<Record<string, unknown>> | undefined): SwapfoldError | undefined {
  const { code, error } = answer ?? {};
  if (typeof code !== 'string' || typeof error !== 'string' || !Object.hasOwn(errorCodes, code)) return undefined;
  const hint = code === 'unauthorized' || code === 'forbidden' ? ` The key is that of ${KEY_VARIABLE}.` : '';
  return new SwapfoldError(code as ErrorCode, `${server} answers: ${error}${hint}`);
}
