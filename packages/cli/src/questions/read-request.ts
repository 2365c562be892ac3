import { text as readText } from 'node:stream/consumers';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { parseInterval } from '../interval.ts';
import { dayAsTime } from '../number-options.ts';
import { findToken } from './find-token.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The JSON of a request, from the command line or, for `-`, from standard input. Errors: `invalid-json`. */
export async function readRequest(json: string): Promise<unknown> {
  const given = json === '-' ? await readText(process.stdin) : json;
  try {
    return JSON.parse(given);
  } catch (cause) {
    throw new SwapfoldError('invalid-json', `The request is not JSON: ${(cause as Error).message}.`, { cause });
  }
}

/**
 * A request as the operation takes it, from one as people write it: an `interval` such as `1d`, a day in place of a time in `from` and `to`,
 * and the symbol of a token in place of its address, in `token`, `tokens` and `filter.token_address`.
 *
 * - Errors: those of `findToken`; `invalid-input` for an interval that is none. All else is left to the operation.
 */
export async function inFull(dex: Swapfold, request: unknown): Promise<unknown> {
  if (!isObject(request)) return request;
  const full = withTimes(request);
  const addressOf = async (token: unknown): Promise<unknown> =>
    typeof token === 'string' ? findToken(dex, token) : token;
  if ('token' in full) full.token = await addressOf(full.token);
  if (Array.isArray(full.tokens)) full.tokens = await Promise.all(full.tokens.map(addressOf));
  const { filter } = full;
  if (isObject(filter) && typeof filter.token_address === 'string')
    full.filter = { ...filter, token_address: await addressOf(filter.token_address) };
  return full;
}

/** A request with its interval in seconds, and days as times. */
export function withTimes(request: Fields): Record<string, unknown> {
  const full: Record<string, unknown> = { ...request };
  for (const name of ['from', 'to']) if (typeof full[name] === 'string') full[name] = dayAsTime(full[name] as string);
  if (typeof full.interval === 'string') full.interval = secondsOf(full.interval);
  return full;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function secondsOf(interval: string): number {
  try {
    return parseInterval(interval);
  } catch (error) {
    throw new SwapfoldError('invalid-input', `"interval": ${interval} is none. ${(error as Error).message}`);
  }
}
