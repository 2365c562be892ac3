import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after, before } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { type Ended, runCli, startCli, temporaryFolder } from '../../../cli/test/run-cli.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { serveOverHttp } from '../support/http-server.ts';

const path = await temporaryFolder(after);
const { client, dispose } = await openClient();
const server = await serveOverHttp(client);
const name = (store: string): string => `swapfold_cli_${process.pid}_${store}`;
const db = (store: string): string => `clickhouse:${server.url}/${name(store)}`;
const market = generateMarket({ seed: 29, swaps: 400, withUsd: false });

before(async () => {
  writeSwapsCsv(market.swaps(), path('swaps.csv'));
  await run('import', 'swaps', path('swaps.csv'), '--db', path('all.db'));
});

after(async () => {
  await server.close();
  await client.command({ query: `drop database if exists ${name('all')} sync` });
  await dispose();
});

async function run(...args: readonly string[]): Promise<Ended> {
  const ended = await runCli(args);
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}

const question = '{"limit": 50}';
const KEY = 'a-key-of-the-test';

test('swaps imported into a server make a store that answers as one import into SQLite, also over HTTP', async () => {
  await run('import', 'swaps', path('swaps.csv'), '--db', db('all'));
  const { stdout: expected } = await run('query', 'trades.list', question, '--db', path('all.db'));

  // Another process is in the middle of a write, which serving leaves alone.
  const writing = clickhouse({ server: client, database: name('all') });
  const dex = await Swapfold.open({ storage: writing, config: market.config });
  await writing.write(async (writer) => {
    await writer.recreate({ name: 'others', columns: { id: 'id' }, key: ['id'], indexes: [], derived: false });
    const { child, ended } = startCli(['serve', '--db', db('all'), '--port', '0'], {
      env: { SWAPFOLD_API_KEYS: KEY },
    });
    try {
      const [line] = (await once(child.stdout!, 'data')) as [Buffer];
      const [, url] = / at (http:\S+);/.exec(line.toString())!;
      const answer = await fetch(`${url}/v1/solana/dex/trades/get-trades`, {
        method: 'POST',
        headers: { 'X-Api-Key': KEY, 'Content-Type': 'application/json' },
        body: question,
      });
      assert.deepEqual(await answer.json(), JSON.parse(expected));
    } finally {
      child.kill('SIGTERM');
    }
    assert.equal((await ended).code, 0);
  });
  await dex.close();
});

test('a command on a store that the server does not have says so, makes none and hides the password', async () => {
  const address = db('none').replace('://', '://me:secret@');
  for (const command of ['refresh', 'serve']) {
    const { code, stderr } = await runCli([command, '--db', address]);
    assert.notEqual(code, 0);
    assert.match(stderr, /There is no store at http:\/\/me:\*\*\*@.*; "swapfold import swaps FILE --db clickhouse:/);
    assert.doesNotMatch(stderr, /secret/);
  }
  const found = await client.query({
    query: `select count() as n from system.databases where name = '${name('none')}'`,
    format: 'JSONEachRow',
  });
  assert.deepEqual(await found.json(), [{ n: 0 }]);
});
