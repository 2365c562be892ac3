import { type ErrorCode, errorCodes, type Operation, operations, type Swapfold } from '@swapfold/core';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import { answerOf } from './answers.ts';
import { arrayOf, type JsonSchema, objectOf, ref, text } from './json-schema.ts';
import { marketDataSchemas } from './market-data.ts';
import { profileSchemas } from './profiles.ts';
import { searchProperties, searchSchemas } from './search.ts';

export interface DocumentOptions {
  /** Whether the routes ask for a key. Default true. */
  readonly hasKeys?: boolean;
}

/**
 * The OpenAPI 3.1 description of the routes that serve `dex`, as `GET /openapi.json` gives it.
 *
 * - Requests are what the operations check; metrics those of the store, with formulas; errors those of the table of codes.
 */
export function openApiDocument(dex: Swapfold, { hasKeys = true }: DocumentOptions = {}): JsonSchema {
  const { chain } = dex.config;
  const security = hasKeys ? [{ ApiKey: [] }] : [];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Swapfold',
      version: '1',
      description: `Analytics of decentralised-exchange activity on ${chain}. Times in fields are Unix seconds or RFC 3339, UTC; numbers that are undefined are null; percentages carry 12.5 for 12.5 %.`,
    },
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [
          `/v1/${chain}/dex${operation.path}`,
          { post: { ...operationObject(operation, dex, hasKeys), security } },
        ]),
      ),
      '/healthz': { get: openOperation('healthz', 'Tells that the process lives.', 'The process lives.', []) },
      '/readyz': { get: openOperation('readyz', 'Tells that the store answers.', 'The store answers.', [503]) },
      '/openapi.json': { get: openOperation('openapi', 'Get this document.', 'This document.', [503]) },
    },
    components: {
      ...(hasKeys ? { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } } : {}),
      responses: errorResponses(),
      schemas: { ...marketDataSchemas, ...profileSchemas(dex.metrics), ...searchSchemas, Error: errorSchema },
    },
  };
}

function operationObject(operation: Operation, dex: Swapfold, hasKeys: boolean): JsonSchema {
  const answer = answerOf(operation.name);
  const isSingleProfile = operation.path.endsWith('/get-profile');
  const statuses = [400, ...(hasKeys ? [401, 403] : []), ...(isSingleProfile ? [404] : []), 413, 415, 500, 503];
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.name.split('.')[0]],
    requestBody: { required: true, content: jsonContent(requestSchema(operation, dex)) },
    responses: { 200: { description: answer.description, content: jsonContent(answer.schema) }, ...refs(statuses) },
  };
}

/** Checks that JSON Schema cannot express are in the messages of the errors only. */
const conversion: ConversionConfig = { target: 'draft-2020-12', errorMode: 'ignore' };

function requestSchema(operation: Operation, dex: Swapfold): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(operation.schema(dex.config) as never, conversion);
  if (!operation.path.endsWith('/search-profiles')) return schema as JsonSchema;
  return { ...schema, properties: { ...schema.properties, ...searchProperties } };
}

function openOperation(operationId: string, summary: string, description: string, statuses: number[]): JsonSchema {
  return {
    operationId,
    summary,
    tags: ['server'],
    security: [],
    responses: { 200: { description, content: jsonContent({ type: 'object' }) }, ...refs(statuses) },
  };
}

function refs(statuses: readonly number[]): JsonSchema {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

/** One response a status, which lists the codes that come with it. */
function errorResponses(): JsonSchema {
  const statuses = [400, 401, 403, 404, 413, 415, 500, 503];
  return Object.fromEntries(
    statuses.map((status) => {
      const meanings = servedCodes.filter((code) => errorCodes[code].status === status);
      const description = meanings.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' ');
      return [`Error${status}`, { description, content: jsonContent(ref('Error')) }];
    }),
  );
}

const inProcessOnly: readonly ErrorCode[] = ['invalid-config', 'invalid-input'];
const servedCodes = (Object.keys(errorCodes) as ErrorCode[]).filter(
  (code) =>
    code === 'internal' || code === 'unavailable' || (errorCodes[code].status < 500 && !inProcessOnly.includes(code)),
);

const errorSchema = objectOf({
  error: text('A sentence that says what is wrong and what would do.'),
  code: { ...text('What kind of error it is.'), enum: servedCodes },
  details: {
    ...arrayOf(objectOf({ path: text('The field.'), message: text('What is wrong with it.') })),
    description: 'Every fault found, where there can be more than one.',
  },
  request_id: text('As in the X-Request-Id header.'),
});

function jsonContent(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
