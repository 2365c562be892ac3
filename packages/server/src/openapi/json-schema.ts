/** A schema of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export const text = (description: string) => ({ type: 'string', description }) as const;
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
