import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { memory, Swapfold } from '@swapfold/core';
import { filterPaths, queryFields, questions } from '@swapfold/core/host';
import { openApiDocument } from '@swapfold/server';
import { shapesOf } from '../../packages/core/src/profiles/shape.ts';
import { columnOf } from '../../packages/core/src/records/profile-fields.ts';
import { docsPath, table } from './page.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | false;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Where pages explain what a schema says, by the end of its name. */
const elsewhere: readonly (readonly [ending: string, page: string])[] = [
  ['TextQuery', 'search.md#text-query'],
  ['Filter', 'search.md#filters'],
  ['DynamicLabels', 'search.md#filters'],
  ['Sort', 'search.md#sort-and-pages'],
  ['ProfileExplanation', 'search.md#explain'],
  ['Plan', 'search.md#explain'],
  ['Swap', 'swap-fields.md'],
  ['Transfer', 'transfer-fields.md'],
  ['Metrics', 'metrics.md'],
  ['Label', 'labels.md'],
];

/** The pages of which parts follow from the operations and the sections of profiles. */
export const operationPages: readonly string[] = ['reference/http.md', 'reference/search.md'].map(docsPath);

/** A page with those parts made anew. */
export async function renderOperations(page: string): Promise<string> {
  const dex = await Swapfold.open({ storage: memory() });
  const document = JSON.parse(JSON.stringify(openApiDocument(dex))) as Document;
  await dex.close();
  return Object.entries(partsOf(document)).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- generated: ${name} -->\n)[^]*?(<!-- end of what is generated -->)`),
        (_, start: string, end: string) => `${start}\n${part}\n\n${end}`,
      ),
    readFileSync(page, 'utf8'),
  );
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Post }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

interface Post {
  readonly operationId: string;
  readonly requestBody: Content;
  readonly responses: { readonly 200: Content };
}

/** One field in a table: `of` are the operations whose requests have it. */
interface Row {
  readonly name: string;
  readonly holds: string;
  readonly meaning: string;
  readonly of: string[];
}

function partsOf({ paths, components: { schemas } }: Document): Readonly<Record<string, string>> {
  const posts = new Map(Object.values(paths).flatMap(({ post }) => (post ? [[post.operationId, post] as const] : [])));
  const requests = questions.map(({ name }) => schemaIn(posts.get(name)!.requestBody));
  const answers = questions.map(({ name }) => schemaIn(posts.get(name)!.responses[200]));
  const rowsOf = (of: readonly Schema[]): readonly Row[] => {
    const rows = of.flatMap((schema, i) =>
      fieldsOf(schema, schemas).map((row) => ({ ...row, of: [questions[i]!.name] })),
    );
    return merged(rows);
  };
  const requestRows = rowsOf(requests);
  const optionRows = rowsOf(requests.map(({ properties }) => properties!.options ?? {}));
  return {
    fields: fieldsTable(),
    query: table(
      ['Profiles', 'Fields that a text query can match'],
      Object.entries(queryFields).flatMap(([kind, paths]) =>
        paths.length === 0 ? [] : [[kind, paths.map((path) => `\`${path}\``).join(', ')]],
      ),
    ),
    routes: table(
      ['`POST /v1/{chain}/dex` +', 'in-process', 'body; `?` marks what may be absent', 'answer'],
      questions.map(({ path, name, returns }, i) => [
        `\`${path.replace('/dex', '')}\``,
        `\`${name}\``,
        fieldsOf(requests[i]!, schemas)
          .map((row) => `\`${row.name}\``)
          .join(', '),
        `${returns} ${linksIn(answers[i]!)}`,
      ]),
    ),
    requests: table(
      ['field', 'holds', 'of', 'meaning'],
      requestRows.map((row) => [
        `\`${row.name}\``,
        row.holds,
        row.of.map((name) => `\`${name}\``).join(' '),
        row.meaning,
      ]),
    ),
    options: table(
      ['option', 'holds', 'of', 'meaning'],
      optionRows.map((row) => [
        `\`${row.name.replace('?', '')}\``,
        row.holds,
        [...new Set(row.of.map((name) => name.split('.')[0]))].join(', '),
        row.meaning,
      ]),
    ),
    answers: reached(answers, schemas)
      .filter((name) => pageOf(name) === undefined)
      .map((name) => {
        const rows = fieldsOf(schemas[name]!, schemas, true).map((row) => [`\`${row.name}\``, row.holds, row.meaning]);
        return `### ${name}\n\n${table(['field', 'holds', 'meaning'], rows)}`;
      })
      .join('\n\n'),
  };
}

/** The fields that filters and sorts take, but for metrics. */
function fieldsTable(): string {
  const [tokens, wallets, positions] = [
    filterPaths('tokens', []),
    filterPaths('wallets', []),
    filterPaths('positions', []),
  ];
  const yesIf = (is: boolean): string => (is ? 'yes' : 'no');
  return table(
    ['Field', 'Type', 'Tokens', 'Wallets', 'Positions'],
    [...new Map([...tokens, ...wallets, ...positions])].map(([path, type]) => [
      `\`${path}\``,
      type,
      yesIf(tokens.has(path)),
      yesIf(wallets.has(path)),
      positions.has(path) ? (isStoredPosition(path) ? 'yes' : 'yes, computed') : 'no',
    ]),
  );
}

/** Whether the table of positions has the field. */
function isStoredPosition(path: string): boolean {
  const field = shapesOf([]).positions.byPath.get(path)!;
  return columnOf(field) in shapesOf([]).positions.table.columns;
}

const schemaIn = ({ content }: Content): Schema => content['application/json'].schema;

/** Rows that say the same as one, with the operations of all of them. */
function merged(rows: readonly Row[]): readonly Row[] {
  const byText = new Map<string, Row>();
  for (const row of rows) {
    const text = `${row.name} ${row.holds} ${row.meaning}`;
    const known = byText.get(text);
    if (known === undefined) byText.set(text, row);
    else known.of.push(...row.of);
  }
  return [...byText.values()];
}

type Schemas = Readonly<Record<string, Schema>>;

/** The fields of an object, and with `isDeep` those of the objects in it, by their paths. */
function fieldsOf(
  { properties = {}, required = [] }: Schema,
  schemas: Schemas,
  isDeep = false,
): readonly Omit<Row, 'of'>[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = required.includes(key) ? key : `${key}?`;
    const windows = Object.keys(schema.properties ?? {});
    const [first] = Object.values(schema.properties ?? {});
    if (isDeep && first?.$ref !== undefined)
      return [{ name, holds: `by window (${windows.join(', ')}): ${holds(first)}`, meaning: schema.description ?? '' }];
    if (isDeep && schema.properties !== undefined)
      return fieldsOf(schema, schemas, true).map((field) => ({ ...field, name: `${name}.${field.name}` }));
    const { description = '' } = schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!;
    return [{ name, holds: holds(schema), meaning: description }];
  });
}

/** The schemas of the items of an answer, or of the answer. */
const linksIn = (answer: Schema): string => holds(answer.properties?.data?.items ?? answer.items ?? answer);

const nameOf = (ref: string): string => ref.split('/').at(-1)!;

function pageOf(name: string): string | undefined {
  return elsewhere.find(([ending]) => name.endsWith(ending))?.[1];
}

/** The names of the schemas that others refer to, in the order in which they are met. */
function reached(from: readonly Schema[], schemas: Schemas, found: string[] = []): readonly string[] {
  for (const { $ref } of from.flatMap(partsIn)) {
    if ($ref === undefined || found.includes(nameOf($ref))) continue;
    found.push(nameOf($ref));
    if (pageOf(nameOf($ref)) === undefined) reached([schemas[nameOf($ref)]!], schemas, found);
  }
  return found;
}

function partsIn(schema: Schema): readonly Schema[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const parts = [...Object.values(properties), ...anyOf, ...(items ? [items] : []), additionalProperties || {}];
  return [schema, ...parts.flatMap((part) => (Object.keys(part).length === 0 ? [] : partsIn(part)))];
}

/** What a value is, in words. */
function holds(schema: Schema): string {
  const { $ref, anyOf, type = 'object', items, enum: names, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return `[${name}](${pageOf(name) ?? `#${name.toLowerCase()}`})`;
  }
  if (anyOf !== undefined) return anyOf.map(holds).join(' or ');
  if (names !== undefined) return `one of ${names.map((name) => `\`${name}\``).join(', ')}`;
  if (additionalProperties) return `object of ${holds(additionalProperties)}`;
  const types = [type]
    .flat()
    .map((one) => (one === 'array' ? `list of ${range(schema)}${holds(items!)}` : wordOf(one, schema)));
  return types.join(' or ');
}

function wordOf(type: string, { format, minimum, maximum }: Schema): string {
  if (type === 'string') return format === 'date-time' ? 'RFC 3339 time' : 'text';
  if (type !== 'integer') return type === 'null' ? '`null`' : type;
  return minimum === undefined ? 'whole number' : `whole number from ${minimum} to ${maximum!.toLocaleString('en')}`;
}

const range = ({ minItems, maxItems }: Schema): string =>
  minItems === undefined || maxItems === undefined ? '' : `${minItems} to ${maxItems.toLocaleString('en')}: `;

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of operationPages) writeFileSync(page, await renderOperations(page));
