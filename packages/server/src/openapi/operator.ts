import { type OperatorCall, operatorCalls } from '../operator-table.ts';
import { errorRefs, headersOf } from './errors.ts';
import { type JsonSchema, jsonContent, objectOf, text } from './json-schema.ts';

const answers: Readonly<Record<OperatorCall['name'], JsonSchema>> = {
  'server.backup': objectOf({
    file: text('The name of its file in that folder.'),
    bytes: { type: 'integer', description: 'Its size.' },
  }),
  'server.stop': objectOf({ status: { type: 'string', enum: ['stopping'] } }),
};

/** What the server does for its operator, at those of the paths that it has. */
export function describedOperator(paths: readonly string[], hasKeys: boolean): JsonSchema {
  const statuses = [400, ...(hasKeys ? [401, 403] : []), 404, 405, 408, 410, 413, 415, 429, 431, 500, 503];
  const described = operatorCalls
    .filter(({ path }) => paths.includes(path))
    .map(({ name, path, summary, description, returns }) => [
      path,
      {
        post: {
          operationId: name,
          summary,
          description: `${description} The key needs \`${name}\` among its operations.`,
          tags: ['server'],
          requestBody: { required: false, content: { 'application/json': { schema: objectOf({}), example: {} } } },
          responses: {
            200: { description: returns, headers: headersOf(true), content: jsonContent(answers[name]) },
            ...errorRefs(statuses),
          },
          security: hasKeys ? [{ ApiKey: [] }] : [],
        },
      },
    ]);
  return Object.fromEntries(described);
}
