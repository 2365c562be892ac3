import type { Config } from '../config.ts';
import type { Selection } from '../live/selection.ts';
import type { ResponseContext } from '../profiles/sections/section.ts';
import type { ResponseSchema } from '../response.ts';
import { datesAsText } from '../time.ts';
import { parseRequest, type RequestSchema } from './request.ts';

/**
 * One topic that can be subscribed to: what in-process calls, WebSocket, server-sent events and the AsyncAPI description share.
 *
 * - `name`: what comes after `{chain}.dex.`.
 * - `operation`: the one whose items its messages have; who may call it may subscribe. `cost`: what a subscription may ask of the store when it begins.
 * - `params`, `item`: the schema of what a subscription asks for, and of the items of its messages, which are those of an operation.
 */
export interface Topic<Name extends string = string, Input = unknown> {
  readonly name: Name;
  readonly operation: string;
  readonly cost: 'point' | 'scan';
  readonly summary: string;
  readonly description: string;
  readonly example: (config: Config) => object;
  readonly params: (config: Config) => RequestSchema<unknown, Input>;
  readonly item: (store: ResponseContext) => ResponseSchema;
}

/** A topic as a store serves it: `select` reads the params. Errors: `invalid-request`. */
export interface ServedTopic<Name extends string = string, Input = unknown, Item = unknown> extends Topic<Name, Input> {
  readonly select: (config: Config, params: unknown) => Selection<Item>;
}

interface Declared<Name extends string, Input, T, Item> extends Omit<Topic<Name>, 'params' | 'item'> {
  readonly params: (config: Config) => RequestSchema<T, Input>;
  readonly item: (store: ResponseContext) => ResponseSchema<Readonly<NoInfer<Item>>>;
  /** What a subscription gets of each commit. */
  readonly wanted: (params: T) => Selection<Item>;
}

/** A topic as the table lists it, from what its declaration says. */
export function topic<const Name extends string, Input, T, Item>(
  declared: Declared<Name, Input, T, Item>,
): ServedTopic<Name, Input, Item> {
  const { wanted, ...rest } = declared;
  return {
    ...rest,
    select: (config, params) => wanted(parseRequest(declared.params(config), datesAsText(params))),
  };
}
