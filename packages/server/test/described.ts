import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer, Service } from './service.ts';

/** What a service says of itself in its OpenAPI document. */
export interface Described {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape, walked by the tests.
  readonly document: any;
  /** What is wrong with `value` by the schema at `pointer` of the document. */
  faults(value: unknown, pointer: readonly string[]): string;
  /** The part of the document that `part` is or refers to. */
  // biome-ignore lint/suspicious/noExplicitAny: as for the document.
  resolved(part: { readonly $ref?: string }): any;
  /** That an answer is one that the document lists for a path: its status, its headers, its body. */
  check(path: string, method: string, answer: Pick<Answer, 'status' | 'headers' | 'json'>): void;
}

export async function describedBy(service: Pick<Service, 'request'>): Promise<Described> {
  const document = (await service.request('/openapi.json')).json;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');

  function faults(value: unknown, pointer: readonly string[]): string {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.getSchema(`openapi#/${path}`);
    assert.ok(validate, `no schema at ${path}`);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  }

  function resolved(part: { readonly $ref?: string }) {
    if (part.$ref === undefined) return part;
    const keys = part.$ref.split('/').slice(1);
    return keys.reduce((at, key) => at[key], document);
  }

  function check(path: string, method: string, answer: Pick<Answer, 'status' | 'headers' | 'json'>): void {
    const { status, headers, json } = answer;
    const at = ['paths', path, method, 'responses', String(status)];
    const listed = document.paths[path][method].responses[status];
    assert.ok(listed, `${path} lists no ${status}`);
    for (const [name, header] of Object.entries<object>(resolved(listed).headers)) {
      const { required = false, schema } = resolved(header);
      const value = headers.get(name);
      assert.ok(value !== null || !required, `${status} without ${name}`);
      if (value !== null && schema.type === 'integer') assert.match(value, /^[1-9]\d*$/, name);
    }
    const pointer = listed.$ref === undefined ? at : listed.$ref.split('/').slice(1);
    assert.equal(faults(json, [...pointer, 'content', 'application/json', 'schema']), '', `${path} ${status}`);
  }

  return { document, faults, resolved, check };
}
