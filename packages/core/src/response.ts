import * as v from 'valibot';

/** A schema of an answer, or of a part of one. Answers are made to fit it and are not run through it; a test does that. */
export type ResponseSchema<T = unknown> = v.GenericSchema<unknown, T>;

export type Answer<S extends v.GenericSchema> = Readonly<v.InferOutput<S>>;

/** A part of a request or an answer with what the OpenAPI description says of it. */
export function described<const S extends v.GenericSchema>(schema: S, description: string, ...examples: unknown[]) {
  return v.pipe(schema, v.metadata({ description, ...(examples.length > 0 ? { examples } : {}) }));
}

/** A schema that the OpenAPI description lists under a name and refers to. */
export function named<const S extends v.GenericSchema>(name: string, schema: S) {
  return v.pipe(schema, v.title(name));
}

const date = v.pipe(v.string(), v.isoTimestamp());
const finite = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.integer());
const seconds = v.pipe(v.number(), v.integer());

export const text = (description: string): v.GenericSchema<string> => described(v.string(), description);
export const textOrNull = (description: string): v.GenericSchema<string | null> =>
  described(v.nullable(v.string()), description);
export const flag = (description: string): v.GenericSchema<boolean> => described(v.boolean(), description);
export const flagOrNull = (description: string): v.GenericSchema<boolean | null> =>
  described(v.nullable(v.boolean()), description);
/** An RFC 3339 time. */
export const dateText = (description: string): v.GenericSchema<string> => described(date, description);
export const dateOrNull = (description: string): v.GenericSchema<string | null> =>
  described(v.nullable(date), description);
export const number = (description: string): v.GenericSchema<number> => described(finite, description);
export const numberOrNull = (description: string): v.GenericSchema<number | null> =>
  described(v.nullable(finite), description);
export const integer = (description: string): v.GenericSchema<number> => described(whole, description);
/** Whole Unix seconds. */
export const time = (description: string): v.GenericSchema<number> => described(seconds, description);
/** Marks a schema that takes a time in several forms; descriptions have what JSON can carry of it. */
export const anyTime = v.metadata<number, { readonly type: ['integer', 'string'] }>({ type: ['integer', 'string'] });
export const isTime = (schema: unknown): boolean => schema === seconds || schema === anyTime;
export const integerOrNull = (description: string): v.GenericSchema<number | null> =>
  described(v.nullable(whole), description);
export const oneOf = <const N extends readonly string[]>(names: N, description: string): v.GenericSchema<N[number]> =>
  described(v.picklist(names), description);

export const oneOfOrNull = <const N extends readonly string[]>(
  names: N,
  description: string,
): v.GenericSchema<N[number] | null> => described(v.nullable(v.picklist(names)), description);

/** A list of what fits `item`. */
export const listOf = <T>(item: ResponseSchema<T>): v.GenericSchema<readonly T[]> =>
  v.array(item) as v.GenericSchema<unknown[], T[]> as v.GenericSchema<readonly T[]>;

export const pageAnswer = <T>(item: ResponseSchema<T>) => ({
  count: integer('Matching items, on all pages.'),
  cursor: v.exactOptional(text('For the next page; absent on the last.')),
  data: listOf(item),
});

export const pageOf = <T>(item: ResponseSchema<T>) => v.strictObject(pageAnswer(item));
