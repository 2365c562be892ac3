import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { defineMetric, memory, Swapfold } from '@swapfold/core';
import { questions } from '@swapfold/core/host';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openStore } from '../../server/test/service.ts';
import { toolsFor } from '../src/index.ts';
import { tools as declared } from '../src/tools.ts';
import { type Agent, agentIn } from './agent.ts';

let dex: Swapfold;
let agent: Agent;
before(async () => {
  dex = await openStore();
  agent = await agentIn(dex);
});
after(() => dex.close());

test('there are eight to fourteen tools, each of which says that it only reads', async () => {
  const { tools } = await agent.client.listTools();
  assert.ok(tools.length >= 8 && tools.length <= 14, String(tools.length));
  for (const { name, title, description, annotations } of tools) {
    assert.match(name, /^[a-z_]{1,64}$/);
    assert.ok(title !== undefined && description !== undefined && description.length > 80, name);
    assert.deepEqual(annotations, {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  }
});

test('every schema is JSON Schema that refers to nothing outside, and takes no argument that it does not list', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema, outputSchema } of tools) {
    const takes = ajv.compile(inputSchema);
    ajv.compile(outputSchema!);
    assert.equal(takes({ stray_argument: 1 }), false, name);
  }
});

test('what tools ask of the store are operations, and every argument is described', async () => {
  const names = questions.map(({ name }) => name);
  for (const { name, operations: asked } of declared)
    assert.deepEqual(
      asked.filter((operation) => !names.includes(operation)),
      [],
      name,
    );
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema } of tools)
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.ok((schema as { description?: string }).description, `${name}.${argument}`);
});

test('the list that a client puts before its model has at most 94,000 characters', async () => {
  const { tools } = await agent.client.listTools();
  const length = JSON.stringify(tools).length;
  assert.ok(length <= 94_000, String(length));
});

test('a metric of the embedder can be searched, sorted by and returned', async () => {
  const metric = defineMetric({
    name: 'my_score',
    of: ['wallets'],
    unit: 'count',
    sentence: 'Trades, twice.',
    formula: '2 x trade_count',
    empty: 0,
    terms: ['buys', 'sells'],
    value: (bag) => 2 * (bag.buys + bag.sells),
    examples: [],
    source: 'a test',
  });
  const own = await Swapfold.open({ storage: memory(), metrics: [metric] });
  const { swaps } = await import('../../server/test/service.ts');
  await own.ingest([...swaps]);
  await own.refresh();
  const asking = await agentIn(own);
  const { data } = await asking.ask('find_wallets', {
    where: [{ field: 'my_score', is: 'above', value: 3 }],
    sort: { field: 'my_score', order: 'lowest first' },
    fields: ['my_score'],
  });
  assert.deepEqual(
    data.map(({ metrics }: { metrics: object }) => metrics),
    [{ '7d': { my_score: 4 } }, { '7d': { my_score: 44 } }],
  );
  assert.ok(
    toolsFor(own).get('find_wallets')!.listed.inputSchema !== toolsFor(dex).get('find_wallets')!.listed.inputSchema,
  );
  await own.close();
});

test('the questions of docs/guides/mcp.md are answered', async () => {
  const page = await readFile(new URL('../../../docs/guides/mcp.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```json tool (\w+)\n([\s\S]*?)^```$/gm)];
  assert.ok(blocks.length > 0);
  for (const [, name, json] of blocks) await agent.ask(name!, JSON.parse(json!));
});

test('a failure of ours is told to the operator, and to the client only that there was one', async () => {
  const failures: unknown[] = [];
  const broken = new Proxy(dex, {
    get: (target, key) =>
      key === 'call' ? () => Promise.reject(new Error('the password is 1234')) : Reflect.get(target, key),
  });
  const asking = await agentIn(broken, (error) => failures.push(error));
  await assert.rejects(asking.ask('trades'), (error: Error) => !error.message.includes('1234'));
  assert.match(String(failures[0]), /1234/);
});
