import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memory, Swapfold } from '@swapfold/core';
import { topics } from '@swapfold/core/host';
import { asyncApiDocument, openApiDocument } from '@swapfold/server';

export const clientTypesFile = resolve(import.meta.dirname, '../../packages/client/src/types.ts');

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema of any shape.
type Schema = any;

/** The types of @swapfold/client, from the descriptions that a server gives of itself. */
export async function renderClientTypes(): Promise<string> {
  const dex = await Swapfold.open({ storage: memory() });
  const [http, live] = [openApiDocument(dex, { ingest: true }), asyncApiDocument(dex)] as Schema[];
  await dex.close();
  const schemas: Readonly<Record<string, Schema>> = { ...http.components.schemas, ...live.components.schemas };
  const types = Object.keys(schemas)
    .filter((name) => name !== 'Error')
    .sort()
    .map((name) => `${docOf(schemas[name])}export type ${name} = ${typeOf(schemas[name])};\n`);
  const base = `/v1/${dex.config.chain}`;
  const called = Object.entries<Schema>(http.paths).flatMap(([path, { post }]) =>
    path.startsWith(base) ? [{ path: path.slice(base.length), post }] : [],
  );
  const listed = called.map(({ post }) => {
    const request = typeOf(post.requestBody.content['application/json'].schema);
    const answer = typeOf(post.responses[200].content['application/json'].schema);
    return `  /** ${post.description} */\n  '${post.operationId}': {\n    readonly request: ${request};\n    readonly answer: ${answer};\n  };\n`;
  });
  const subscribed = topics.map(({ name }) => {
    const { messages, description } = live.channels[name];
    const { params } = messages.request.payload.properties;
    return `  /** ${description} */\n  '${name}': {\n    readonly params: ${typeOf(params)};\n    readonly message: ${typeOf(messages.changes.payload)};\n  };\n`;
  });
  return [
    '// Generated from the operations and topics by test/generate-docs/client-types.ts; not to be edited.\n',
    ...types,
    `/** By operation: what it takes and answers. */\nexport interface Operations {\n${listed.join('')}}\n`,
    `/** By topic: what a subscription asks for and is sent. */\nexport interface Topics {\n${subscribed.join('')}}\n`,
    `/** The paths of the operations, after the chain. */\nexport const paths = {\n${called
      .map(({ path, post }) => `  '${post.operationId}': '${path}',\n`)
      .join('')}} as const;\n`,
  ].join('\n');
}

const docOf = ({ description }: Schema): string => (description === undefined ? '' : `/** ${description} */\n`);

/** The TypeScript type of a schema, on one line but for the fields of objects. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, type, const: constant, enum: values, items } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (constant !== undefined) return literal(constant);
  if (values !== undefined) return withNull(values.map(literal).join(' | '), type);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((one: string) => typeOf({ ...schema, type: one })).join(' | ');
  switch (type) {
    case 'array':
      return `readonly (${items === undefined ? 'unknown' : typeOf(items)})[]`;
    case 'object':
      return objectType(schema);
    case 'integer':
      return 'number';
    case undefined:
      return 'unknown';
    default:
      return type;
  }
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const withNull = (text: string, type: unknown): string =>
  Array.isArray(type) && type.includes('null') ? `${text} | null` : text;

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `{ readonly [name: string]: ${value} }`;
  }
  const fields = Object.entries<Schema>(properties).map(([name, field]) => {
    const isOptional = !required.includes(name);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
    const about = field.description === undefined ? '' : `/** ${field.description} */ `;
    return `${about}readonly ${key}${isOptional ? '?' : ''}: ${typeOf(field)}${isOptional ? ' | undefined' : ''};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(clientTypesFile, await renderClientTypes());
