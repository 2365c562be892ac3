import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bundled } from '../../../test/support/bundle.ts';
import { agentOf } from '../../mcp/test/agent.ts';
import { ANN, swaps } from '../../server/test/service.ts';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const cli = await bundled('packages/cli/src/bin.ts');
const stores = [path('dex.db'), path('dex.duckdb')];

before(async () => {
  for (const db of stores) {
    const dex = await openStore(parseStoreUrl(db), undefined);
    await dex.ingest([...swaps]);
    await dex.refresh();
    await dex.close();
  }
});

const message = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const hello = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const ready = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

for (const db of stores)
  test(`swapfold mcp --db ${db.slice(db.lastIndexOf('/') + 1)}: an agent lists, searches, mistypes and is corrected, pages, asks for an explanation, and ends it`, async (t) => {
    const before = await readFile(db);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp', '--db', db],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    await client.connect(transport);
    assert.match(client.getInstructions() ?? '', /store_info/);
    const agent = await agentOf(client);
    assert.equal((await agent.ask('store_info')).swaps, 25);
    const wrong = await agent.refused('find_wallets', { where: [{ field: 'pnll', is: 'above', value: 1 }] });
    assert.match(wrong.error, /mean "pnl"/);
    const found = await agent.ask('find_wallets', { where: [{ field: 'pnl', is: 'above', value: 1 }] });
    assert.equal(found.data[0].wallet_address, ANN);
    const first = await agent.ask('trades', { limit: 20 });
    assert.equal((await agent.ask('trades', { limit: 20, cursor: first.cursor })).data.length, 5);
    assert.equal((await agent.ask('explain_number', { wallet: ANN, metric: 'pnl' })).value, 50);
    await client.close();
    assert.deepEqual(await readFile(db), before, 'asking has written to the store');
  });

test('every line of standard output is a message, every request is answered before it ends, and it ends with its input', async () => {
  const calls = Array.from({ length: 30 }, (_, i) =>
    message(2 + i, 'tools/call', { name: i % 2 === 0 ? 'find_tokens' : 'trades', arguments: { limit: 1 + i } }),
  );
  const { ended } = startCli(['mcp', '--db', stores[0]!], {
    input: [hello, ready, 'this is no message\n', ...calls].join(''),
  });
  const { code, stdout } = await ended;
  assert.equal(code, 0);
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { jsonrpc, id } = JSON.parse(line);
      assert.equal(jsonrpc, '2.0');
      return id;
    });
  assert.equal(ids.filter((id) => id === null).length, 1, 'the line that is no message has an error of its own');
  assert.deepEqual(
    ids.filter((id) => id !== null).sort((a, b) => a - b),
    Array.from({ length: 31 }, (_, i) => 1 + i),
  );
});

test('a client that reads no further ends it as one that leaves does', async () => {
  const child = spawn(process.execPath, [cli, 'mcp', '--db', stores[0]!], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  child.stdin.write(hello + ready);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  for (let id = 2; id < 12; id++) child.stdin.write(message(id, 'tools/list'));
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('an input that ends at once ends it, and so does SIGTERM', async () => {
  const { ended } = startCli(['mcp', '--db', stores[0]!]);
  assert.deepEqual({ ...(await ended), stderr: '' }, { code: 0, signal: null, stdout: '', stderr: '' });
  const child = spawn(process.execPath, [cli, 'mcp', '--db', stores[0]!], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(hello);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('a store that is not there is refused before a word of the protocol', async () => {
  const { code, stdout, stderr } = await runCli(['mcp', '--db', path('nowhere.db')]);
  assert.notEqual(code, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /There is no store at/);
});

test('serve --mcp --udf answers agents and charts with the keys of the others, and serve without them does not', async (t) => {
  const key = 'a-key-of-the-tests';
  for (const flags of [['--mcp', '--udf'], []]) {
    const { child, ended } = startCli(['serve', '--db', stores[0]!, '--port', '0', ...flags], {
      env: { SWAPFOLD_API_KEYS: key },
    });
    // A server that a failed test leaves would hold up the run.
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout!.on('data', (text) => {
      printed += text;
    });
    while (!/^Serving .*\n/m.test(printed)) await once(child.stdout!, 'data');
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)!;
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { 'X-Api-Key': key } },
    });
    const connecting = client.connect(transport as Parameters<typeof client.connect>[0]);
    const config = await fetch(`${url}/udf/config`, { headers: { 'X-Api-Key': key } });
    if (flags.length > 0) {
      await connecting;
      assert.equal((await (await agentOf(client)).ask('store_info')).swaps, 25);
      assert.equal(config.status, 200);
      assert.equal((await fetch(`${url}/udf/config`)).status, 401);
    } else {
      await assert.rejects(connecting);
      assert.equal(config.status, 404);
    }
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  }
});
