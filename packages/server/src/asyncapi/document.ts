import type { Swapfold } from '@swapfold/core';
import { type Topic, topicName, topics } from '@swapfold/core/host';
import { arrayOf, type JsonSchema, objectOf, ref, text } from '../openapi/json-schema.ts';
import { type Converted, converted } from '../openapi/schemas.ts';
import { searchSchemas } from '../openapi/search.ts';

/** Options of `asyncApiDocument`. */
export interface AsyncApiOptions {
  /** Whether the server asks for a key. Default true. */
  readonly hasKeys?: boolean;
}

/**
 * The AsyncAPI 3 description of what a server of `dex` sends over its WebSockets, as `GET /asyncapi.json` gives it.
 *
 * - A channel a topic; params and items are those that the topics declare, whose items are those of the operations of OpenAPI.
 */
export function asyncApiDocument(dex: Swapfold, { hasKeys = true }: AsyncApiOptions = {}): JsonSchema {
  const { chain } = dex.config;
  const described = topics.map((topic) => ({
    topic,
    name: topicName(chain, topic),
    example: topic.example(dex.config),
    params: converted(topic.params(dex.config)),
    item: converted(topic.item(dex)),
  }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Swapfold',
      version: '1',
      description: `What changes on ${chain}, commit by commit. All channels share one WebSocket at /v1/ws; server-sent events of POST /v1/${chain}/dex/stream have the same messages. A WebSocket without an \`X-Api-Key\` sends {"method": "authenticate", "key": "..."} first.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      socket: {
        host: 'localhost:8080',
        pathname: '/v1/ws',
        protocol: 'ws',
        description: 'The server that gives this document.',
        ...(hasKeys ? { security: [{ $ref: '#/components/securitySchemes/ApiKey' }] } : {}),
      },
    },
    channels: { connection, ...Object.fromEntries(described.map(channelOf)) },
    operations: Object.assign({}, authenticate, ...described.map(operationsOf)),
    components: {
      ...(hasKeys ? { securitySchemes: { ApiKey: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key' } } } : {}),
      schemas: {
        ...Object.assign({}, ...described.flatMap(({ params, item }) => [params.components, item.components])),
        ...searchSchemas(dex.config, dex.metrics),
        Retracted: retractedSchema,
      },
    },
  };
}

interface DescribedTopic {
  readonly topic: Topic;
  readonly name: string;
  readonly example: object;
  readonly params: Converted;
  readonly item: Converted;
}

const idSchema = { ...text('Tells messages apart from those of another subscription to the topic.'), maxLength: 256 };

/** What says that a request, or a subscription, failed. */
const failed = objectOf(
  {
    topic: text(
      'As the request named it; the whole name where a subscription failed later. Absent where it named none.',
    ),
    error: text('A sentence that says what is wrong and what would do.'),
    code: text('What kind of error it is.'),
    details: { type: 'array' },
    method: text('Of the request that failed; absent where a subscription failed later.'),
    id: idSchema,
  },
  ['topic', 'details', 'method', 'id'],
);

const method = { type: 'string', const: 'authenticate' };

/** What belongs to no topic. */
const connection: JsonSchema = {
  address: null,
  title: 'The connection itself.',
  messages: {
    authenticate: {
      summary: 'What a client sends first that gave no key with its handshake.',
      payload: objectOf({ method, key: text('The API key.') }),
    },
    authenticated: { summary: 'What answers it.', payload: objectOf({ method, ok: { type: 'boolean', const: true } }) },
    failed: { summary: 'What answers a request that names no method, or no topic that there is.', payload: failed },
  },
};

const authenticate: JsonSchema = {
  'connection.authenticate': {
    action: 'receive',
    channel: { $ref: '#/channels/connection' },
    summary: 'Give the key.',
    messages: [{ $ref: '#/channels/connection/messages/authenticate' }],
    reply: {
      channel: { $ref: '#/channels/connection' },
      messages: ['authenticated', 'failed'].map((name) => ({ $ref: `#/channels/connection/messages/${name}` })),
    },
  },
};

function channelOf({ topic, name, params, item, example: sample }: DescribedTopic): [string, JsonSchema] {
  const example = { method: 'subscribe', topic: name, params: sample };
  const subscribe = objectOf(
    {
      method: { type: 'string', enum: ['subscribe', 'unsubscribe'] },
      topic: { type: 'string', const: name },
      params: params.schema,
      after: text('The cursor to go on after.'),
      id: idSchema,
    },
    ['params', 'after', 'id'],
  );
  const accepted = objectOf(
    {
      method: { type: 'string', enum: ['subscribe', 'unsubscribe'] },
      topic: { type: 'string', const: name },
      ok: { type: 'boolean', const: true },
      cursor: text('Where the subscription begins.'),
      id: idSchema,
    },
    ['cursor', 'id'],
  );
  return [
    topic.name,
    {
      address: name,
      title: topic.summary,
      description: topic.description,
      messages: {
        changes: { summary: topic.summary, payload: messageSchema(name, topic, item) },
        request: { summary: 'What a client sends.', payload: subscribe, examples: [{ payload: example }] },
        accepted: { summary: 'What answers it.', payload: accepted },
        failed: { summary: 'What says that it, or the subscription, failed.', payload: failed },
      },
    },
  ];
}

/** The messages of a topic. */
function messageSchema(name: string, topic: Topic, item: Converted): JsonSchema {
  const addresses = (description: string): JsonSchema => ({ ...arrayOf({ type: 'string' }), description });
  const isOfProfiles = topic.name.startsWith('profiles.');
  const profiles: Readonly<Record<string, JsonSchema>> = isOfProfiles
    ? {
        began: addresses('Profiles that match the filter from now on.'),
        ended: addresses('Profiles that match no more, or that there are no more.'),
        complete: { type: 'boolean', const: true, description: '`data` is all that matches now.' },
      }
    : {};
  return objectOf(
    {
      topic: { type: 'string', const: name },
      cursor: text('Where a subscription goes on after this message.'),
      data: { ...arrayOf(item.schema), description: 'Each takes the place of the item of the same identity.' },
      retracted: ref('Retracted'),
      id: idSchema,
      ...profiles,
    },
    ['retracted', 'id', ...Object.keys(profiles)],
  );
}

const retractedSchema: JsonSchema = {
  ...objectOf(
    {
      from_block_slot: {
        type: 'integer',
        description: 'Swaps, trades, transfers and prices of this block slot and of later ones are gone.',
      },
      from_block_time: { type: 'integer', description: 'Unix seconds. Candles that end after it are gone.' },
      trades: {
        ...arrayOf(
          objectOf({
            tx_hash: text('Hash of the transaction.'),
            wallet: text('Who had traded.'),
            token: text('What had been bought or sold.'),
          }),
        ),
        description: 'Trades that there are no more although their transactions stay.',
      },
      transfers: {
        ...arrayOf(objectOf({ tx_hash: text('Hash of the transaction.'), transfer_index: { type: 'integer' } })),
        description: 'Transfers that there are no more although their slots stay.',
      },
      tokens: { ...arrayOf(text('Address.')), description: 'Tokens that have no price.' },
      timestamps: {
        ...arrayOf({ type: 'integer' }),
        description: 'Starts of buckets that have no candle, Unix seconds.',
      },
    },
    ['from_block_slot', 'from_block_time', 'trades', 'transfers', 'tokens', 'timestamps'],
  ),
  description: 'What is taken back.',
};

function operationsOf({ topic }: DescribedTopic): JsonSchema {
  const channel = { $ref: `#/channels/${topic.name}` };
  const messages = (...names: string[]) => names.map((name) => ({ $ref: `${channel.$ref}/messages/${name}` }));
  return {
    [`${topic.name}.subscribe`]: {
      action: 'receive',
      channel,
      summary: `Subscribe: ${topic.summary}`,
      messages: messages('request'),
      reply: { channel, messages: messages('accepted', 'failed') },
    },
    [`${topic.name}.send`]: {
      action: 'send',
      channel,
      summary: topic.summary,
      messages: messages('changes'),
    },
  };
}
