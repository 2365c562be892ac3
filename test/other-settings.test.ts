import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigInput, defineMetric, type Metric, type OpenOptions, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config } = smallMarket({ seed: 21, swaps: cases(120, 50), wallets: 20, tokens: 8 });
/** Registered, and in no swap. */
const stranger = 'GVwpWU7PtJFHS1mvNHGgrqwhmAxLKRmKAPpZ5wZgVzSN';

const trades = { label: 'busy', rule: 'trades', filter: { 'metrics.30d.trade_count': { $gte: 1 } } };
const withRule: ConfigInput = { ...config, labels: { wallets: [trades] } };

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
const failure = new RangeError('the metric failed');
const throwing: Metric = {
  ...sells,
  name: 'never',
  value: () => {
    throw failure;
  },
};

type Settings = Omit<OpenOptions, 'storage'>;

/** Fills a store of an engine; gives what it answers. */
async function make(folder: string, settings: Settings, engine: string): Promise<string> {
  const dex = await Swapfold.open({ storage: engines[engine]!(folder), ...settings });
  await dex.ingest(swaps);
  await dex.wallets.upsert([{ address: stranger, name: 'Stranger' }]);
  await dex.refresh();
  const answers = await allAnswers(dex);
  await dex.close();
  return answers;
}

/** A store of an engine with the plain configuration: its files, and what it answers. */
async function makePlain(engine: string) {
  return withFolder(async (folder) => {
    const answers = await make(folder, { config }, engine);
    const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
    return { answers, files };
  });
}

/** Settings that a store is refolded for, one after the other, and what a new store with each answers. */
const ways = [
  { config: withRule, metrics: [sells] },
  { config, metrics: [] },
] satisfies Settings[];
const fresh: string[] = [];
for (const settings of ways) fresh.push(await make('', settings, 'memory'));

for (const engine of ['sqlite', 'duckdb'] as const) {
  const reader = (folder: string) =>
    engine === 'sqlite'
      ? sqlite({ path: join(folder, 'store-0.db'), read_only: true })
      : duckdb({ path: join(folder, 'store-0.duckdb'), read_only: true });
  const open = (folder: string, settings: Settings): Promise<Swapfold> =>
    Swapfold.open({ storage: engines[engine]!(folder), ...settings });

  let plain: ReturnType<typeof makePlain> | undefined;
  /** Puts a store with the plain configuration into a folder; gives what it answers. */
  async function copyPlain(folder: string): Promise<string> {
    plain ??= makePlain(engine);
    const { answers, files } = await plain;
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    return answers;
  }

  async function answersOf(folder: string, settings: Settings): Promise<string> {
    const dex = await open(folder, settings);
    try {
      return await allAnswers(dex);
    } finally {
      await dex.close();
    }
  }

  test(`${engine}: a store opened with one label rule more is refused by every handle, and one asked with its own is not written to`, () =>
    withFolder(async (folder) => {
      const before = await copyPlain(folder);
      const files = filesIn(folder);
      for (const storage of [engines[engine]!(folder), reader(folder)])
        await assert.rejects(Swapfold.open({ storage, config: withRule }), {
          code: 'store-mismatch',
          message:
            'The store was folded with other settings: "labels.wallets": added "trades" of "busy". Open it with its own settings, or with onMismatch: \'refold\' to fold the profiles again.',
        });
      for (const storage of [engines[engine]!(folder), reader(folder)]) {
        const dex = await Swapfold.open({ storage, config });
        assert.equal((await dex.wallets.search({ query: { text: 'Stranger' } })).count, 1);
        assert.equal(await allAnswers(dex), before);
        await dex.close();
      }
      assert.deepEqual(filesIn(folder), files);
    }));

  test(`${engine}: a refold for other rules or metrics tells its progress and leaves what a new store with them has, and back`, () =>
    withFolder(async (folder) => {
      const before = await copyPlain(folder);
      for (const [i, settings] of ways.entries()) {
        const told: [number, number][] = [];
        const onProgress = (done: number, total: number): void => void told.push([done, total]);
        const dex = await open(folder, { ...settings, onMismatch: 'refold', onProgress });
        const [done, total] = told.at(-1)!;
        assert.equal(done, total);
        assert.equal((await dex.refresh()).wallets, 0);
        const refolded = await allAnswers(dex);
        await dex.close();
        assert.ok(refolded === fresh[i], 'the answers differ from those of a store made so');
      }
      assert.equal(await answersOf(folder, { config }), before);
    }));

  test(`${engine}: a refold that is aborted, or whose metric throws, leaves the profiles that there were`, () =>
    withFolder(async (folder) => {
      const before = await copyPlain(folder);
      const failing = open(folder, { config, metrics: [throwing], onMismatch: 'refold' });
      const named = 'The metric "never" failed: the metric failed';
      await assert.rejects(failing, { code: 'metric-failed', message: named, cause: failure });
      assert.equal(await answersOf(folder, { config }), before);
      const stop = new AbortController();
      const onProgress = (): void => stop.abort();
      const aborted = open(folder, { config: withRule, onMismatch: 'refold', signal: stop.signal, onProgress });
      await assert.rejects(aborted, { code: 'aborted' });
      assert.equal(await answersOf(folder, { config }), before);
    }));

  // Who may read and fold what a program stored is decided by the settings, which every engine stores alike.
  if (engine === 'duckdb') continue;
  test(`${engine}: metrics that a program stored are served without it, and only what folds them is refused`, () =>
    withFolder(async (folder) => {
      const rules = [{ ...trades, filter: { 'metrics.30d.sells_twice': { $gte: 2 } } }];
      const asked: ConfigInput<'wallets.sells_twice'> = { ...config, labels: { wallets: rules } };
      const settings = { config: asked, metrics: [sells] };
      const before = await make(folder, settings, engine);
      const dex = await Swapfold.open({ storage: reader(folder), config: settings.config });
      assert.equal(await allAnswers(dex), before);
      const filter = { 'metrics.30d.sells_twice': { $gte: 2 } } as object;
      const { count, data } = await dex.wallets.search({ filter, limit: 1 });
      assert.ok(count > 0);
      const wallet = data[0]!.wallet_address;
      const refused = { code: 'store-mismatch', message: /the metric "sells_twice" of the program that made it/ };
      await assert.rejects(dex.at(1).wallets.get({ wallet }), refused);
      const { different, not_compared } = await dex.verify();
      assert.equal(different, 0);
      assert.ok(not_compared.includes('metrics.30d.sells_twice') && not_compared.includes('labels'));
      await dex.close();
      const writing = await open(folder, { config: settings.config });
      await assert.rejects(writing.refresh(), refused);
      await assert.rejects(writing.rebuild(), refused);
      await writing.close();
      await assert.rejects(open(folder, { config, onMismatch: 'refold' }), refused);
      assert.equal(await answersOf(folder, settings), before);
      const changed = { ...sells, formula: '|S| + |S|' };
      await assert.rejects(open(folder, { ...settings, metrics: [changed] }), /"metrics": changed "sells_twice"/);
      await assert.rejects(open(folder, { ...settings, metrics: [throwing, sells] }), /"metrics": added "never"/);
    }));

  test(`${engine}: a table of profiles that is lost is named, and folded again when that is asked for`, () =>
    withFolder(async (folder) => {
      const before = await copyPlain(folder);
      change(folder, 'drop table wallet_profiles');
      await assert.rejects(open(folder, { config }), /"wallet_profiles": the table is missing/);
      assert.ok((await answersOf(folder, { config, onMismatch: 'refold' })) === before, 'the answers differ');
      change(folder, 'drop table swaps');
      await assert.rejects(open(folder, { config, onMismatch: 'refold' }), { code: 'store-damaged' });
    }));

  test(`${engine}: a table of profiles that has other columns than their fields is named, and folded again when that is asked for`, () =>
    withFolder(async (folder) => {
      const before = await copyPlain(folder);
      change(
        folder,
        'drop view if exists v_wallet_profiles; alter table wallet_profiles drop column "metadata.last_trade_at"; alter table wallet_profiles add column "other.field"',
      );
      await assert.rejects(open(folder, { config }), {
        code: 'store-mismatch',
        details: [{ path: 'wallet_profiles', message: 'added metadata.last_trade_at, removed other.field' }],
      });
      assert.ok((await answersOf(folder, { config, onMismatch: 'refold' })) === before, 'the answers differ');
      assert.ok((await answersOf(folder, { config })) === before, 'the answers differ');
    }));
}

test('sqlite: a reader beside a writer that folds the store with other rules is refused from then on', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config });
    await dex.ingest(swaps);
    await dex.refresh();
    await dex.close();
    const reading = await Swapfold.open({ storage: sqlite({ path, read_only: true }), config });
    assert.ok((await reading.wallets.search({ limit: 1 })).count > 0);
    await (await Swapfold.open({ storage: sqlite(path), config: withRule, onMismatch: 'refold' })).close();
    for (let turn = 0; turn < 2; turn++) {
      await new Promise(setImmediate);
      await assert.rejects(reading.wallets.search({ limit: 1 }), {
        code: 'store-mismatch',
        message: /another process/i,
      });
    }
    await reading.close();
  }));

test('a store with a registry and no swaps keeps its profiles through a refold, and no copy takes its place', () =>
  withFolder(async (folder) => {
    const open = (settings: Settings) => Swapfold.open({ storage: engines.sqlite!(folder), ...settings });
    const dex = await open({ config });
    await dex.wallets.upsert([{ address: stranger, name: 'Stranger' }]);
    await dex.refresh();
    await dex.close();
    const again = await open({ config: withRule, onMismatch: 'refold' });
    assert.equal((await again.wallets.search({})).count, 1);
    const source = await Swapfold.open({ storage: engines.memory!(''), config: withRule });
    await assert.rejects(again.copyFrom(source), { code: 'invalid-input', message: /has a registry/ });
    await source.close();
    await again.close();
  }));

test('a copy is refused where the rules or metrics of the two stores differ', async () => {
  const source = await Swapfold.open({ storage: engines.memory!(''), config, metrics: [sells] });
  const target = await Swapfold.open({ storage: engines.memory!(''), config });
  await assert.rejects(target.copyFrom(source), {
    code: 'store-mismatch',
    message: /"metrics": removed "sells_twice"/,
  });
  await source.close();
  await target.close();
});

/** Name, content and time of what is in a folder, but for what SQLite keeps beside a file that is read. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !/-(shm|lock)$/.test(name) && !(name.endsWith('-wal') && statSync(join(folder, name)).size === 0))
    .map((name) => {
      const path = join(folder, name);
      return `${name} ${createHash('sha256').update(readFileSync(path)).digest('hex')} ${statSync(path).mtimeMs}`;
    });
}

function change(folder: string, sql: string): void {
  const db = new Database(join(folder, 'store-0.db'));
  db.exec(sql);
  db.close();
}
