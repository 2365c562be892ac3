import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { operations } from '@swapfold/core';
import { createKeyRing } from '../src/keys.ts';
import { type Service, startService } from './service.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/reference/http.md'), 'utf8');

let service: Service;
before(async () => {
  service = await startService({ keys: ['change-me-please'] });
});
after(() => service.close());

test('docs/reference/http.md has a row for every route, with every field of its body', () => {
  for (const { name, path, request } of operations) {
    const row = page
      .split('\n')
      .find((line) => line.replaceAll(/ +/g, ' ').startsWith(`| \`${path}\` | \`${name}\` |`));
    assert.ok(row, path);
    const fields = JSON.stringify(request(service.dex.config))
      .match(/known:[\w,]+/g)!
      .at(-1)!;
    for (const field of fields.slice('known:'.length).split(','))
      assert.match(row, new RegExp(`\`${field}\\??\``), path);
  }
});

const commands = [...page.matchAll(/^```sh\n(curl .*?)^```$/gms)].map((match) => match[1]!);

for (const command of commands) {
  const [, path, body] = /^curl -s localhost:8080(\S+) .*-d '(.*)'\n$/s.exec(command) ?? [];
  test(`docs/reference/http.md: curl ${path} is answered`, async () => {
    assert.ok(path && body, command);
    const headers = Object.fromEntries(
      [...command.matchAll(/-H '(.*?): (.*?)'/g)].map(([, name, value]) => [name, value]),
    );
    const { status, text } = await service.request(path, { method: 'POST', headers, body });
    assert.equal(status, 200, text);
  });
}

const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match) => match[1]!);

test('docs/reference/http.md shows a file of keys that the server takes', () => {
  const keys = JSON.parse(examples.find((json) => json.includes('operations'))!);
  assert.equal(createKeyRing(keys).isOpen, false);
});

test('docs/reference/http.md names every metric that the server has', async () => {
  const measured = await startService({ metrics: { port: 0 } });
  const text = await (await fetch(measured.metricsUrl!)).text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!);
  assert.ok(names.length >= 10);
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name);
  await measured.close();
});

test('docs/reference/http.md shows an error as it is answered', async () => {
  const example = examples.find((json) => json.includes('request_id'));
  const { json } = await service.post('/swaps/get-swaps', { limt: 1 }, { 'x-api-key': 'change-me-please' });
  const { request_id, ...shown } = JSON.parse(example!);
  assert.equal(typeof request_id, 'string');
  assert.deepEqual({ ...shown, request_id: json.request_id }, json);
});
