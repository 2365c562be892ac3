import { notJson } from './errors.ts';
import { type CallOptions, type ClientOptions, send } from './send.ts';
import { type LiveTopic, type SubscribeOptions, subscribeTo, type TopicName } from './subscribe.ts';
import { type Operations, paths } from './types.ts';

/** The name of an operation, such as `wallets.search`. */
export type OperationName = keyof Operations;

/** The method of an operation: the request may be left out if none of its fields is required. */
export type Method<Name extends OperationName> =
  Record<never, never> extends Operations[Name]['request']
    ? (request?: Operations[Name]['request'], options?: CallOptions) => Promise<Operations[Name]['answer']>
    : (request: Operations[Name]['request'], options?: CallOptions) => Promise<Operations[Name]['answer']>;

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;

/** The operations as methods: `prices.latest` is `latest` of `prices`. */
export type Methods = {
  readonly [Group in GroupOf<OperationName>]: {
    readonly [Name in OperationName as Name extends `${Group}.${infer Key}` ? Key : never]: Method<Name>;
  };
};

/** Operations that answer with a page, and what a page has. */
export type PagedName = {
  [Name in OperationName]: Operations[Name]['answer'] extends {
    readonly count: number;
    readonly data: readonly unknown[];
  }
    ? Name
    : never;
}[OperationName];
/** A page of an operation. */
export type PageOf<Name extends PagedName> = Operations[Name]['answer'];
/** What an operation's pages hold. */
export type ItemOf<Name extends PagedName> = PageOf<Name> extends { readonly data: readonly (infer T)[] } ? T : never;

/**
 * A client of one server.
 *
 * - Errors of every call: `ClientError`; what `signal` gives as its reason, if it aborts.
 * - A request that is answered 429 or 503, or not at all, is sent again after `Retry-After`, or after a wait that doubles.
 */
export interface Client extends Methods {
  /** An operation by its name. */
  call<Name extends OperationName>(
    name: Name,
    request?: Operations[Name]['request'],
    options?: CallOptions,
  ): Promise<Operations[Name]['answer']>;
  /** The pages of a list or search, one after the other. */
  pages<Name extends PagedName>(
    name: Name,
    request?: Operations[Name]['request'],
    options?: CallOptions,
  ): AsyncIterable<PageOf<Name>>;
  /** The items of all pages. */
  items<Name extends PagedName>(
    name: Name,
    request?: Operations[Name]['request'],
    options?: CallOptions,
  ): AsyncIterable<ItemOf<Name>>;
  /**
   * What changes: docs/guides/subscriptions.md. Connects again if the connection ends, and goes on where it was; if that is too long ago, a message
   * with `expired` says so, and the messages go on from there.
   */
  subscribe<Name extends TopicName>(
    topic: Name,
    params?: Parameters<typeof subscribeTo<Name>>[2],
    options?: SubscribeOptions,
  ): LiveTopic<Name>;
}

/**
 * Makes a client.
 *
 * ```ts
 * const client = createClient({ url: 'https://dex.example', key: 'a-long-random-key' });
 * const [price] = await client.prices.latest({ tokens: ['So11111111111111111111111111111111111111112'] });
 * ```
 */
export function createClient(options: ClientOptions): Client {
  async function call(name: OperationName, request?: unknown, callOptions: CallOptions = {}): Promise<unknown> {
    const text = await send(options, paths[name], request, callOptions, (response) => response.text());
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw notJson(200, cause);
    }
  }
  async function* pages(
    name: PagedName,
    request: object = {},
    callOptions: CallOptions = {},
  ): AsyncGenerator<PageOf<PagedName>> {
    for (let cursor: string | undefined; ; ) {
      const page = (await call(name, { ...request, ...(cursor && { cursor }) }, callOptions)) as PageOf<PagedName>;
      yield page;
      cursor = page.cursor;
      if (cursor === undefined) return;
    }
  }
  async function* items(name: PagedName, request?: object, callOptions?: CallOptions): AsyncGenerator<unknown> {
    for await (const { data } of pages(name, request, callOptions)) yield* data;
  }
  const methods: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(paths) as OperationName[]) {
    const [group, key] = name.split('.') as [string, string];
    methods[group] = {
      ...methods[group],
      [key]: (request?: unknown, callOptions?: CallOptions) => call(name, request, callOptions),
    };
  }
  const subscribe = <Name extends TopicName>(
    topic: Name,
    params?: Parameters<typeof subscribeTo<Name>>[2],
    subscribeOptions: SubscribeOptions = {},
  ) => subscribeTo(options, topic, params, subscribeOptions);
  return { ...methods, call, pages, items, subscribe } as unknown as Client;
}
