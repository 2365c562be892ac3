import type { ErrorCode } from '@swapfold/core';
import { errorCodes } from '@swapfold/core/host';
import { arrayOf, type JsonSchema, jsonContent, objectOf, ref, text } from './json-schema.ts';

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
const requestId = header('X-Request-Id');
const rates = { ...header('RateLimit-Policy'), ...header('RateLimit') };

/** The headers of an answer that no error keeps from its caller: of an operation, where `isRated`. */
export const headersOf = (isRated: boolean): JsonSchema => ({ ...requestId, ...(isRated ? rates : {}) });

/** By status: what it means beyond its codes, and its headers beside the `X-Request-Id`. */
const statuses: Readonly<Record<number, { readonly when?: string; readonly headers?: JsonSchema }>> = {
  400: { when: 'Or the request is not HTTP/1.1.', headers: rates },
  401: { headers: header('WWW-Authenticate') },
  403: {},
  404: { headers: rates },
  405: { headers: header('Allow') },
  408: { when: 'The request did not arrive whole in time. The connection is closed.' },
  410: { headers: rates },
  413: { when: 'The connection is closed.', headers: rates },
  415: { headers: rates },
  429: { headers: { ...header('Retry-After'), ...rates } },
  431: { when: 'The headers of the request are over 16 KiB. The connection is closed.' },
  500: { headers: rates },
  503: { headers: { ...header('Retry-After'), ...rates } },
};

/** The headers of answers; without keys, none that asks for one. */
export function headerSchemas(hasKeys: boolean): JsonSchema {
  const { 'WWW-Authenticate': _, ...open } = headerObjects;
  return hasKeys ? headerObjects : open;
}

const headerObjects: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'That of the request if it is 1 to 128 of `A-Z a-z 0-9 _ . : -`, else a new one.',
    required: true,
    schema: { type: 'string' },
    example: '0f2c8a6e-5d1f-4b7a-9a3e-6c1d2e3f4a5b',
  },
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: { type: 'string' },
    example: 'POST',
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'ApiKey realm="swapfold"',
  },
  'RateLimit-Policy': {
    description:
      'Where the caller has a rate: the requests at once (`q`), and the seconds in which they come back (`w`).',
    schema: { type: 'string' },
    example: '"default";q=100;w=5',
  },
  RateLimit: {
    description: 'Where the caller has a rate: the requests left (`r`), and the seconds until all are back (`t`).',
    schema: { type: 'string' },
    example: '"default";r=99;t=1',
  },
};

/** The responses of these statuses, by status. */
export function errorRefs(given: readonly number[]): JsonSchema {
  return Object.fromEntries(given.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

/** One response a status, which lists the codes that come with it. */
export function errorResponses(hasKeys: boolean): JsonSchema {
  const needless = hasKeys ? [] : ['401', '403'];
  const given = Object.entries(statuses).filter(([status]) => !needless.includes(status));
  return Object.fromEntries(
    given.map(([status, { when, headers: own }]) => {
      const codes = servedCodes.filter((code) => errorCodes[code].status === Number(status));
      const meanings = codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`);
      const description = [...meanings, when].filter((part) => part !== undefined).join(' ');
      return [`Error${status}`, { description, headers: { ...requestId, ...own }, content: jsonContent(ref('Error')) }];
    }),
  );
}

const inProcessOnly: readonly ErrorCode[] = ['invalid-config', 'invalid-input'];
const servedCodes = (Object.keys(errorCodes) as ErrorCode[]).filter(
  (code) =>
    code === 'internal' || code === 'unavailable' || (errorCodes[code].status < 500 && !inProcessOnly.includes(code)),
);

export const errorSchema = objectOf({
  error: text('A sentence that says what is wrong and what would do.'),
  code: { ...text('What kind of error it is.'), enum: servedCodes },
  details: {
    ...arrayOf(objectOf({ path: text('The field.'), message: text('What is wrong with it.') })),
    description: 'Every fault found, where there can be more than one.',
  },
  request_id: text('As in the X-Request-Id header.'),
});
