/** A schema of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

type TypeName<T> = T extends string ? 'string' : T extends boolean ? 'boolean' : 'number' | 'integer';

/** The schema of a field that holds a `T`: it says `null` exactly where the type does. */
export type FieldSchema<T> = JsonSchema &
  (null extends T ? { readonly type: readonly [TypeName<NonNullable<T>>, 'null'] } : { readonly type: TypeName<T> });

/** A schema for every field of `T`; a field too many or too few is a compile error. */
export type FieldSchemas<T> = { readonly [K in keyof T]-?: FieldSchema<T[K]> };

export const text = (description: string) => ({ type: 'string', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const number = (description: string) => ({ type: 'number', description }) as const;
export const numberOrNull = (description: string) => ({ type: ['number', 'null'], description }) as const;
export const integer = (description: string) => ({ type: 'integer', description }) as const;
export const integerOrNull = (description: string) => ({ type: ['integer', 'null'], description }) as const;
export const arrayOf = (items: JsonSchema) => ({ type: 'array', items }) as const;
export const anyOf = (...schemas: JsonSchema[]) => ({ anyOf: schemas }) as const;
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as const;

/** An object with these fields, all present but those named `optional`, and no others. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

export function jsonContent(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
