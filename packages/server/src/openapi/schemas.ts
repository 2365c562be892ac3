import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { JsonSchema } from './json-schema.ts';

/** A schema as the document has it, and those that it refers to, by their names. */
export interface Converted {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Checks that JSON Schema cannot express are in the messages of the errors only. Titles are the names of components. */
const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  ignoreActions: ['title'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ jsonSchema }) => oneType(jsonSchema as JsonSchema) as typeof jsonSchema | undefined,
};

/** The JSON Schema of a schema of valibot. */
export function converted(schema: GenericSchema, conversionOf: ConversionConfig = conversion): Converted {
  const definitions: Record<string, GenericSchema> = {};
  collectNamed(schema, definitions, new Set());
  const { $schema: _, $defs = {}, ...own } = toJsonSchema(schema, { ...conversionOf, definitions });
  return { schema: own, components: $defs as Converted['components'] };
}

/** The JSON Schema of a schema of valibot, such as those of the operations, for documents of its own: what it refers to is in `$defs`. */
export function closedSchema(schema: GenericSchema): JsonSchema {
  const { overrideRef: _, ...inside } = conversion;
  const { schema: own, components } = converted(schema, inside);
  return Object.keys(components).length === 0 ? own : { ...own, $defs: components };
}

/** `{ type: ['number', 'null'] }` for a union of different types: clients read it as one field. */
function oneType({ anyOf, ...others }: JsonSchema): JsonSchema | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const types = anyOf.flatMap(({ type }: JsonSchema) => type ?? []);
  const isPlain = anyOf.every((option: JsonSchema) => 'type' in option && !('enum' in option));
  return isPlain && new Set(types).size === types.length
    ? Object.assign({}, others, ...anyOf, { type: types })
    : undefined;
}

/** The parts that schemas of valibot are made of, whatever their kind. */
interface Parts {
  readonly pipe?: readonly { readonly type: string; readonly title?: string }[];
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly options?: readonly (GenericSchema | string)[];
  readonly item?: GenericSchema;
  readonly wrapped?: GenericSchema;
  readonly key?: GenericSchema;
  readonly value?: GenericSchema;
  readonly getter?: () => GenericSchema;
}

function collectNamed(schema: GenericSchema, found: Record<string, GenericSchema>, seen: Set<GenericSchema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { pipe = [], entries = {}, options = [], item, wrapped, key, value, getter } = schema as Parts;
  const name = pipe.find(({ type }) => type === 'title')?.title;
  if (name !== undefined) found[name] = schema;
  for (const part of [...pipe, ...Object.values(entries), ...options, item, wrapped, key, value, getter?.()])
    if (typeof part === 'object') collectNamed(part as GenericSchema, found, seen);
}
