import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { operations } from '@swapfold/core/host';
import { openApiDocument } from '@swapfold/server';
import { type Described, describedBy } from '../../packages/server/test/described.ts';
import { ANN, at, BASE, KEY, labelAnn, type Service, startService, T } from '../../packages/server/test/service.ts';
import type { Target } from './calls/target.ts';
import { type Document, linters } from './linters.ts';

const folder = import.meta.dirname;
const generated = join(folder, 'calls/generated');
const root = join(folder, '../..');

let service: Service;
let described: Described;
before(async () => {
  service = await startService();
  await labelAnn(service.dex);
  described = await describedBy(service);
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated);
  await writeFile(join(generated, 'openapi.json'), JSON.stringify(described.document));
});
after(() => service.close());

/** Runs a program of a package in Node. Rejects with what it prints where it fails. */
async function run(program: string, ...args: string[]): Promise<void> {
  const running = promisify(execFile)(process.execPath, [program, ...args], { cwd: generated });
  await running.catch(({ stdout, stderr }) => assert.fail(`${program} failed:\n${stdout}${stderr}`));
}

const installed = (path: string): string => join(folder, 'node_modules', path);

test('both generators read the document', async () => {
  await run(installed('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'dex.d.ts');
  await run(installed('@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'dex-client', '--no-log-file');
});

test('the calls of both clients, and the examples of docs/reference/http.md, pass the type check', async () => {
  const page = await readFile(join(root, 'docs/reference/http.md'), 'utf8');
  const examples = [...page.matchAll(/```ts client\n([\s\S]*?)```/g)].map(([, code]) => code!);
  assert.equal(examples.length, 2);
  for (const [i, code] of examples.entries()) await writeFile(join(generated, `example-${i}.ts`), code);
  await run(join(root, 'node_modules/typescript/bin/tsc'), '-p', join(folder, 'calls'));
});

for (const client of ['openapi-fetch', 'hey-api']) {
  test(`${client} calls every operation, and every answer is one that the document lists`, async () => {
    const called = new Set<string>();
    const target: Target = {
      baseUrl: service.url,
      key: KEY,
      token: T,
      wallet: ANN,
      from: at(0),
      operations: operations.map(({ name, path, example }) => ({
        name,
        path: BASE + path,
        example: example(service.dex.config),
      })),
      async fetch(request) {
        const response = await fetch(request);
        const { pathname } = new URL(request.url);
        const method = request.method.toLowerCase();
        const { status, headers } = response;
        described.check(pathname, method, { status, headers, json: await response.clone().json() });
        called.add(described.document.paths[pathname][method].operationId);
        return response;
      },
    };
    const { callAll } = (await import(`./calls/${client}.ts`)) as { callAll: (target: Target) => Promise<void> };
    await callAll(target);
    const paths: object[] = Object.values(described.document.paths);
    const ids = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    assert.equal(ids.length, operations.length + ['healthz', 'readyz', 'openapi', 'asyncapi'].length);
    assert.deepEqual([...called].sort(), ids.sort());
  });
}

for (const [name, lint] of Object.entries(linters)) {
  test(`${name} finds nothing in the document`, async () => {
    assert.deepEqual(await lint(described.document), []);
  });

  test(`${name} finds an operation whose id is a number`, async () => {
    const faulty: Document = { ...described.document, paths: { '/healthz': { get: { operationId: 5 } } } };
    assert.notDeepEqual(await lint(faulty), []);
  });
}

test('Redocly finds nothing in the document of a server without keys, such as a component that it leaves unused', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(service.dex, { hasKeys: false })));
  assert.deepEqual(await linters.Redocly!(document), []);
});
