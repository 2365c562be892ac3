import type { Swapfold } from '@swapfold/core';
import { computedPositionFields, labelRulesOf, type Operation, operations } from '@swapfold/core/host';
import { pushLimits } from '../ingest/read-rows.ts';
import { errorRefs, errorResponses, errorSchema, headerSchemas, headersOf } from './errors.ts';
import { arrayOf, type JsonSchema, jsonContent, objectOf } from './json-schema.ts';
import { describedOperator } from './operator.ts';
import { type Converted, converted } from './schemas.ts';
import { searchSchemas } from './search.ts';
import { describedUdf } from './udf.ts';

/** Options of `openApiDocument`. */
export interface OpenApiOptions {
  /** Whether the routes ask for a key. Default true. */
  readonly hasKeys?: boolean;
  /** Whether the server takes what is pushed. Default false. */
  readonly ingest?: boolean;
  /** Whether the server answers the charting library. Default false. */
  readonly udf?: boolean;
  /** Paths of what the server does for its operator. Default: none. */
  readonly operated?: readonly string[];
}

/**
 * The OpenAPI 3.1 description of the routes that serve `dex`, as `GET /openapi.json` gives it.
 *
 * - `x-computed-fields` are the fields of positions that are computed when they are asked for, and how many positions the conditions on the others
 *   may leave to filter or sort by one.
 * - `x-label-rules` are the rules that give labels: what a search takes in `dynamic_labels` to say which clauses hold.
 * - `x-quote-tokens` are the tokens in which values are counted, each with its address, symbol and kind.
 * - Requests and answers are those that the operations declare; metrics and labels those of the store; errors those of the table of codes.
 */
export function openApiDocument(dex: Swapfold, options: OpenApiOptions = {}): JsonSchema {
  const { hasKeys = true, ingest = false, udf = false, operated = [] } = options;
  const { chain } = dex.config;
  const described = operations
    .filter(({ write }) => ingest || write === undefined)
    .map((operation) => ({
      operation,
      request: converted(operation.request(dex.config)),
      answer: converted(operation.response(dex)),
    }));
  const security = hasKeys ? [{ ApiKey: [] }] : [];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Swapfold',
      version: '1',
      description: `Analytics of decentralised-exchange activity on ${chain}. Times in fields are Unix seconds or RFC 3339, UTC; numbers that are undefined are null; percentages carry 12.5 for 12.5 %.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'The server that gives this document.' }],
    tags: Object.entries(tags)
      .filter(([name]) => (ingest || name !== 'ingest') && (udf || name !== 'udf'))
      .map(([name, description]) => ({ name, description })),
    paths: {
      ...Object.fromEntries(
        described.map((one) => [
          `/v1/${chain}${one.operation.path}`,
          { post: { ...operationObject(one, dex, hasKeys), security } },
        ]),
      ),
      ...(udf ? describedUdf(security) : {}),
      ...describedOperator(operated, hasKeys),
      ...openPaths,
    },
    components: {
      ...(hasKeys ? { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } } : {}),
      headers: headerSchemas(hasKeys),
      responses: errorResponses(hasKeys),
      schemas: {
        ...Object.assign({}, ...described.flatMap(({ request, answer }) => [request.components, answer.components])),
        ...searchSchemas(dex.config, dex.metrics),
        Error: errorSchema,
      },
    },
    'x-computed-fields': { positions: computedPositionFields(dex.metrics) },
    'x-label-rules': labelRulesOf(dex.config),
    'x-quote-tokens': dex.config.quote_tokens,
  };
}

const tags = {
  ingest: 'What writes to the store, for keys that may.',
  portfolios: 'What wallets hold.',
  positions: 'Profiles of what one wallet holds of one token.',
  prices: 'Prices, candles and volumes of tokens.',
  server: 'The server itself.',
  swaps: 'Swaps as they were stored.',
  tokens: 'Profiles of tokens.',
  trades: 'Buys and sells that swaps make up.',
  transfers: 'What moved between wallets without a swap.',
  udf: 'What the charting library of TradingView asks for.',
  wallets: 'Profiles of wallets.',
};

interface DescribedOperation {
  readonly operation: Operation;
  readonly request: Converted;
  readonly answer: Converted;
}

function operationObject(
  { operation, request: { schema }, answer }: DescribedOperation,
  dex: Swapfold,
  hasKeys: boolean,
): JsonSchema {
  const keyed = hasKeys ? [401, 403] : [];
  const statuses = [400, ...keyed, ...(operation.canMiss ? [404] : []), 405, 408, 410, 413, 415, 429, 431, 500, 503];
  const { write } = operation;
  const needed = write === undefined ? '' : ` The key needs \`${write.grants[0]}\` among its operations.`;
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description + needed,
    tags: [operation.name.split('.')[0]],
    requestBody: requestBody(operation, schema, operation.example(dex.config)),
    responses: {
      200: { description: operation.returns, headers: headersOf(true), content: jsonContent(answer.schema) },
      ...errorRefs(statuses),
    },
  };
}

function requestBody({ write }: Operation, schema: JsonSchema, example: object): JsonSchema {
  if (write?.takesRows) return { required: true, content: rowsContent(schema, example as readonly object[]) };
  const { required = [] } = schema as { readonly required?: readonly string[] };
  return { required: required.length > 0, content: { 'application/json': { schema, example } } };
}

function rowsContent(row: JsonSchema, example: readonly object[]): JsonSchema {
  const lines = {
    type: 'string',
    description: 'One JSON object a line, each as an item of the array. `Content-Encoding: gzip` is taken of both.',
  };
  return {
    'application/json': { schema: { ...arrayOf(row), maxItems: pushLimits.rows }, example },
    'application/x-ndjson': { schema: lines, example: example.map((one) => JSON.stringify(one)).join('\n') },
  };
}

const statusSchema = (status: string): JsonSchema => objectOf({ status: { type: 'string', enum: [status] } });

const seconds = (description: string): JsonSchema => ({ type: ['integer', 'null'], description });

const readySchema: JsonSchema = objectOf({
  status: { type: 'string', enum: ['ready'] },
  lag_seconds: seconds('Since the newest stored block time.'),
  profiles_age_seconds: seconds('Since the instant of the oldest stored profile: that of the last refresh of all.'),
  full_refresh_age_seconds: seconds('Since the last refresh of all profiles was stored.'),
  rows_followed: {
    type: 'integer',
    description: 'Rows that sources which the server follows have given since it started.',
  },
});

/** The routes without a key; what is answered to GET is answered to HEAD, without the body. */
const openPaths = {
  '/healthz': {
    get: openOperation('healthz', {
      summary: 'Says that the process is alive.',
      description: 'Answers whatever the store does.',
      schema: statusSchema('ok'),
      example: { status: 'ok' },
    }),
  },
  '/readyz': {
    get: openOperation('readyz', {
      summary: 'Says that the store answers.',
      description: 'Asks the store at most once a second.',
      schema: readySchema,
      example: {
        status: 'ready',
        lag_seconds: 3,
        profiles_age_seconds: 65,
        full_refresh_age_seconds: 60,
        rows_followed: 120_000,
      },
      statuses: [503],
    }),
  },
  '/openapi.json': {
    get: openOperation('openapi', {
      summary: 'Get this document.',
      description: 'Made from the routes, the metrics and the label rules of this server.',
      schema: { type: 'object' },
      example: { openapi: '3.1.0' },
      statuses: [503],
    }),
  },
  '/asyncapi.json': {
    get: openOperation('asyncapi', {
      summary: 'Get the description of the WebSocket.',
      description: 'AsyncAPI 3: the topics that can be subscribed to, made from the same declarations.',
      schema: { type: 'object' },
      example: { asyncapi: '3.0.0' },
      statuses: [503],
    }),
  },
};

interface OpenOperation {
  readonly summary: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: object;
  readonly statuses?: readonly number[];
}

function openOperation(operationId: string, { summary, description, schema, example, statuses = [] }: OpenOperation) {
  const content = { 'application/json': { schema, example } };
  return {
    operationId,
    summary,
    description,
    tags: ['server'],
    security: [],
    responses: {
      200: { description: summary, headers: headersOf(false), content },
      ...errorRefs([400, 405, 408, 431, ...statuses]),
    },
  };
}
