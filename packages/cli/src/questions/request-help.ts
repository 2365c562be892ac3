import { findOperation, parseConfig, type RequestSchema } from '@swapfold/core/host';
import type { JsonSchema } from '@swapfold/server';

/** What makes a JSON Schema of a request. It comes with the server, which is loaded when it is needed. */
export type SchemaOf = (schema: RequestSchema<unknown>) => JsonSchema;

/** Fields that `inFull` takes in other forms, too. */
const eased: ReadonlySet<string> = new Set(['interval', 'from', 'to', 'token', 'tokens']);

/** Characters of a line of the help. */
const WIDTH = 92;

/** The fields that the requests of an operation take, with an example, as lines of the help. */
export function requestHelp(operation: string, schemaOf: SchemaOf): readonly string[] {
  const config = parseConfig({});
  const { name, summary, request, example } = findOperation(operation);
  const { properties = {}, required = [], $defs = {} } = schemaOf(request(config)) as ObjectSchema;
  const named = Object.entries(properties).map(([field, schema]) => {
    const whole = schema.$ref === undefined ? schema : ($defs[schema.$ref.split('/').at(-1)!] ?? schema);
    const optional = required.includes(field) ? '' : 'optional; ';
    return { field, text: `${optional}${holds(whole)}. ${whole.description ?? 'See docs/reference/search.md.'}` };
  });
  const width = Math.max(0, ...named.map(({ field }) => field.length)) + 4;
  return [
    `${name}: ${summary}`,
    '',
    ...(named.length === 0 ? ['It takes no field.'] : ['Fields of a request:']),
    ...named.flatMap(({ field, text }) => wrapped(`  ${field}`.padEnd(width), text)),
    ...(named.some(({ field }) => eased.has(field))
      ? ['', 'The command also takes an interval such as 1d, a day for a time, and a symbol for a token.']
      : []),
    '',
    'Example:',
    `  $ swapfold query ${name} '${JSON.stringify(example(config))}'`,
  ];
}

interface FieldSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, FieldSchema>>;
}

/** What a value is, in words. */
function holds({ type, format, enum: values, items, anyOf, minimum, maximum }: FieldSchema): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(holds))].join(' or ');
  const words = [type ?? 'object'].flat().map((one) => {
    if (one === 'array') return items === undefined ? 'list' : `list of ${holds(items)}`;
    if (one === 'string') return format === 'date-time' ? 'RFC 3339 time' : 'text';
    if (one === 'integer') return minimum === undefined ? 'whole number' : `whole number from ${minimum} to ${maximum}`;
    return one;
  });
  return words.join(' or ');
}

/** A text in lines behind a title. */
function wrapped(title: string, text: string): string[] {
  const lines = [title];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    const next = last.trim() === '' || last === title ? `${last}${word}` : `${last} ${word}`;
    if (next.length > WIDTH && last.trim() !== '' && last !== title) lines.push(`${' '.repeat(title.length)}${word}`);
    else lines[lines.length - 1] = next;
  }
  return lines;
}
