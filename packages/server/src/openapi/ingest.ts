import type { Config } from '@swapfold/core';
import { type PushRoute, pushRoutes } from '../ingest/declarations.ts';
import { pushLimits } from '../ingest/read-rows.ts';
import { errorRefs, headersOf } from './errors.ts';
import { arrayOf, type JsonSchema, jsonContent } from './json-schema.ts';
import { converted } from './schemas.ts';

interface DescribedPush {
  readonly path: string;
  /** The operation object. */
  readonly object: JsonSchema;
  readonly components: JsonSchema;
}

/** The routes that write, as OpenAPI has them. */
export function describedPushes(config: Config): readonly DescribedPush[] {
  return pushRoutes.map((route) => {
    const [request, answer] = [converted(route.request), converted(route.answer)];
    const object = {
      operationId: route.name,
      summary: route.summary,
      description: `${route.description} The key needs \`${route.permission}\` among its operations.`,
      tags: ['ingest'],
      requestBody: { required: true, content: contentOf(route, request.schema, config) },
      responses: {
        200: { description: route.returns, headers: headersOf(true), content: jsonContent(answer.schema) },
        ...errorRefs([400, 401, 403, 405, 408, 410, 413, 415, 429, 431, 500, 503]),
      },
    };
    const path = `/v1/${config.chain}${route.path}`;
    return { path, object, components: { ...request.components, ...answer.components } };
  });
}

function contentOf(route: PushRoute, schema: JsonSchema, config: Config): JsonSchema {
  const example = route.example(config);
  if (route.takes === 'object') return { 'application/json': { schema, example } };
  const list = { ...arrayOf(schema), maxItems: pushLimits.rows };
  const lines = {
    type: 'string',
    description: 'One JSON object a line, each as an item of the array. `Content-Encoding: gzip` is taken of both.',
  };
  return {
    'application/json': { schema: list, example },
    'application/x-ndjson': {
      schema: lines,
      example: (example as object[]).map((row) => JSON.stringify(row)).join('\n'),
    },
  };
}
