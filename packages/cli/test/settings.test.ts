import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { columnsToObjects, defineMetric, Swapfold } from '@swapfold/core';
import { compare, type StorageAdapter } from '@swapfold/core/engine';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';
import { metaTable } from '../../core/src/records/tables.ts';
import { type Ended, runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const { config, swaps } = generateMarket({ seed: 4, swaps: 120, wallets: 20, tokens: 8 });
const labels = { wallets: [{ label: 'busy', rule: 'trades', filter: { 'metrics.30d.trade_count': { $gte: 1 } } }] };
writeFileSync(path('own.json'), JSON.stringify(config));
writeFileSync(path('rule.json'), JSON.stringify({ ...config, labels }));
writeFileSync(path('dust.json'), JSON.stringify({ ...config, labels, dust_usd: 5 }));

const sells = defineMetric({
  name: 'sells_twice',
  of: ['wallets'],
  unit: 'count',
  sentence: 'Twice the sells.',
  formula: '2 |S|',
  empty: 0,
  value: (bag) => 2 * bag.sells,
  examples: [],
  source: 'this test',
});

async function make(storage: StorageAdapter, metrics?: readonly (typeof sells)[]) {
  const dex = await Swapfold.open({ storage, config, metrics });
  await dex.ingest(swaps());
  await dex.refresh();
  const { count: wallets } = await dex.wallets.search({ limit: 1 });
  const { count: positions } = await dex.positions.search({ limit: 1 });
  const { count: traders } = await dex.wallets.search({ limit: 1, filter: labels.wallets[0]!.filter });
  await dex.close();
  return { wallets, traders, positions };
}

/** What would change where something were written, and be it in the same words. */
function traceOf(file: string): string {
  return `${createHash('sha256').update(readFileSync(file)).digest('hex')} ${statSync(file).mtimeMs}`;
}

const countOf = ({ stdout }: Ended): unknown => JSON.parse(stdout).count;

const file = path('store.sqlite');
const db = `sqlite:${file}`;
const ask = (settings: string, filter = '{}') =>
  runCli(['query', 'wallets.search', `{"limit": 1, "filter": ${filter}}`, '--db', db, '--config', path(settings)]);

test('what asks is refused with other rules, naming the command, and writes nothing; refresh folds them', async () => {
  const { wallets, traders, positions } = await make(sqlite(file));
  const trace = traceOf(file);
  const refused = await ask('rule.json');
  assert.match(refused.stderr, /"labels\.wallets": added "trades" of "busy"/);
  assert.match(refused.stderr, new RegExp(`swapfold refresh --db ${db} --config FILE`));
  assert.equal(refused.code, 1);
  const served = startCli(['serve', '--db', db, '--config', path('rule.json'), '--port', '0'], {
    env: { SWAPFOLD_API_KEYS: 'one-key-or-another' },
  });
  assert.match((await served.ended).stderr, /swapfold refresh --db/);
  assert.equal(countOf(await ask('own.json')), wallets);
  assert.equal((await runCli(['verify', '--db', db, '--config', path('own.json')])).code, 0);
  assert.equal(traceOf(file), trace, 'a command that asks has written');

  const refreshed = await runCli(['refresh', '--db', db, '--config', path('rule.json')]);
  assert.match(
    refreshed.stdout,
    new RegExp(`^Folded \\d+ token, ${wallets} wallet and ${positions} position profiles again\\.\n$`),
  );
  assert.match(refreshed.stderr, /folding/);
  assert.equal(countOf(await ask('rule.json', '{"labels": "busy"}')), traders);
  const dust = await runCli(['refresh', '--db', db, '--config', path('dust.json')]);
  assert.match(dust.stderr, /"dust_usd": the store has 0\.1, the configuration 5.* swapfold rebuild --db/);
  assert.equal(dust.code, 1);
  const rebuilt = await runCli(['rebuild', '--db', db, '--config', path('dust.json')]);
  assert.match(rebuilt.stdout, /^Folded 120 swaps into /);
});

test('a query of a store of an older version is refused, naming the command, and writes nothing', async () => {
  const storage = sqlite(file);
  await storage.open({ tables: [metaTable] });
  await storage.write(async (writer) => {
    await writer.remove(metaTable, compare('name', 'eq', 'schema_version'));
    await writer.append(metaTable, { length: 1, columns: { name: ['schema_version'], value: ['1'] } });
  });
  await storage.close();
  const trace = traceOf(file);
  const refused = await ask('rule.json');
  assert.match(refused.stderr, /"schema_version": the store has 1, this Swapfold writes \d+.* swapfold rebuild --db/);
  assert.equal(traceOf(file), trace, 'a command that asks has written');
});

test('a store with metrics of a program is served, copied and verified with them, and not refreshed', async () => {
  await make(sqlite(path('own.db')), [sells]);
  const request = '{"filter": {"metrics.30d.sells_twice": {"$gte": 2}}, "sort": {"field": "metrics.30d.sells_twice"}}';
  const ask = (db: string) => runCli(['query', 'wallets.search', request, '--db', db, '--config', path('own.json')]);
  const answered = await ask(path('own.db'));
  assert.equal(answered.code, 0, answered.stderr);
  const { count, data } = JSON.parse(answered.stdout);
  assert.ok(count > 0 && data[0].metrics['30d'].sells_twice === 2 * data[0].metrics['30d'].sell_count);
  const config = ['--config', path('own.json')];
  await runCli(['copy', '--from', path('own.db'), '--to', path('copy.duckdb'), ...config]);
  assert.equal((await ask(path('copy.duckdb'))).stdout, answered.stdout);
  const verified = await runCli(['verify', '--db', path('own.db'), ...config]);
  assert.match(verified.stdout, /were not compared: .*metrics\.30d\.sells_twice.*\nNo difference\./);
  const refreshed = await runCli(['refresh', '--db', path('own.db'), ...config]);
  assert.match(refreshed.stderr, /has the metric "sells_twice" of the program that made it/);
  assert.equal(refreshed.code, 1);
});

test('a refresh with other rules makes the profiles of a store that was never refreshed', async () => {
  const file = path('unrefreshed.db');
  const dex = await Swapfold.open({ storage: sqlite(file), config });
  await dex.ingest(swaps());
  await dex.close();
  const asked = await runCli(['query', 'wallets.search', '{}', '--db', file, '--config', path('own.json')]);
  assert.match(asked.stderr, /no refresh has run: .*run "swapfold refresh"/);
  const refreshed = await runCli(['refresh', '--db', file, '--config', path('rule.json')]);
  assert.match(refreshed.stdout, /^Refreshed \d+ token, \d+ wallet and [\d,]+ position profiles/);
  const found = await runCli(['query', 'wallets.search', '{"limit": 1}', '--db', file, '--config', path('rule.json')]);
  assert.ok((countOf(found) as number) > 0);
});

test('a store is asked, refreshed and copied without --config, by the settings that it was made with', async () => {
  const settings = { ...config, labels, chain: 'made-up', dust_usd: 3, api_keys: ['a-key-of-its-own'] };
  writeFileSync(path('made.json'), JSON.stringify(settings));
  const rows = [...swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
  writeFileSync(path('made.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const busy = ['query', 'wallets.search', '{"limit": 1, "filter": {"labels": "busy"}}', '--db'];
  const made = path('made.db');
  const first = await runCli(['import', 'swaps', path('made.ndjson'), '--db', made, '--config', path('made.json')]);
  assert.equal(first.code, 0, first.stderr);
  const answer = await runCli([...busy, made]);
  assert.ok((countOf(answer) as number) > 0, answer.stderr);
  assert.equal(answer.stderr, '');
  const again = await runCli(['import', 'swaps', path('made.ndjson'), '--db', made]);
  assert.match(again.stdout, /duplicate +120\n/, again.stderr);
  await runCli(['copy', '--from', made, '--to', path('copied.duckdb')]);
  const withoutFoldTime = ({ stdout }: Ended) => stdout.replace(/"synced_at":"[^"]*"/g, '');
  assert.equal(withoutFoldTime(await runCli([...busy, path('copied.duckdb')])), withoutFoldTime(answer));

  writeFileSync(path('wall.json'), JSON.stringify({ ...settings, clock: 'wall' }));
  const differing = await runCli(['query', 'swaps.list', '{"limit": 1}', '--db', made, '--config', path('wall.json')]);
  assert.equal(differing.stderr, '"clock": the store has "chain", the configuration "wall", which counts.\n');
});
