import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Swapfold } from '@swapfold/core';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const market = generateMarket({ seed: 22, swaps: 400 });
const csv = path('market.csv');

/** A Parquet file of the rows that a query of the CSV gives. */
async function parquet(name: string, query: string): Promise<string> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run(`copy (${query}) to '${path(name)}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
  return path(name);
}

/** The rows of the CSV, numbered from 1, with the fields that `changes` gives anew. */
const rows = (changes = ''): string =>
  `select * exclude (n) ${changes} from (select *, row_number() over () as n from read_csv('${csv}'))`;

async function everything(db: string): Promise<unknown> {
  const dex = await openStore(parseStoreUrl(db), market.config);
  try {
    return { swaps: await all(dex), wallets: (await dex.wallets.search({ limit: 100 })).data.map(withoutSync) };
  } finally {
    await dex.close();
  }
}

async function all(dex: Swapfold): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await dex.swaps.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    if (page.cursor === undefined) return found;
    cursor = page.cursor;
  }
}

const withoutSync = ({ synced_at: _, ...profile }: { readonly synced_at: unknown }): object => profile;

/** Imports, and gives what the summary counts. */
async function imported(db: string, ...files: string[]): Promise<Record<string, number>> {
  const { stdout, stderr, code } = await runCli(['import', 'swaps', ...files, '--db', db]);
  assert.equal(code, 0, stderr);
  return Object.fromEntries(
    [...stdout.matchAll(/^ {2}(\w+) +([\d,]+)$/gm)].map(([, name, count]) => [name, Number(count!.replace(',', ''))]),
  );
}

before(() => writeSwapsCsv(market.swaps(), csv));

describe('a Parquet file of plain types', { concurrency: 2 }, () => {
  for (const engine of ['duckdb', 'sqlite'] as const) {
    test(`${engine}: ends in the store that the same rows as CSV end in`, async () => {
      const file = await parquet(`${engine}.parquet`, rows());
      const [ofParquet, ofCsv] = [path(`parquet-${engine}.${engine}`), path(`csv-${engine}.${engine}`)].map(
        (name) => `${engine}:${name}`,
      ) as [string, string];
      assert.deepEqual(await imported(ofParquet, file), await imported(ofCsv, csv));
      assert.deepEqual(await everything(ofParquet), await everything(ofCsv));
      const again = await imported(ofParquet, file);
      assert.deepEqual([again.added, again.duplicate], [0, 400]);
    });
  }

  for (const engine of ['duckdb', 'sqlite'])
    test(`${engine}: one without a row is passed over, and what comes after it is stored`, async () => {
      const none = await parquet('none.parquet', `${rows()} limit 0`);
      const alone = await runCli(['import', 'swaps', none, '--db', path(`none.${engine}`)]);
      assert.equal(alone.code, 0, alone.stderr);
      const both = await runCli([
        'import',
        'swaps',
        none,
        await parquet('some.parquet', rows()),
        '--db',
        path(`some.${engine}`),
      ]);
      assert.equal(both.code, 0, both.stderr);
      assert.match(both.stdout, /added +400$/m);
    });

  test('a row at fault is left out with its number in the file, and the others are stored', async () => {
    const file = await parquet(
      'faulty.parquet',
      rows('replace (case when n = 234 then -1 else token_amount_in end as token_amount_in)'),
    );
    const rejects = path('rejects.ndjson');
    const { stdout, stderr, code } = await runCli([
      ...['import', 'swaps', file, '--db', path('faulty.duckdb'), '--rejects', rejects],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /added +399/);
    assert.match(stdout, /rejected +1$/m);
    assert.match(stdout + stderr, /row 234.*token_amount_in/);
  });

  test('a conflict names its file and its row, after a file that the engine read', async () => {
    const file = await parquet('first.parquet', rows());
    const other = await parquet(
      'second.parquet',
      `${rows('replace (case when n = 7 then token_amount_in * 2 else token_amount_in end as token_amount_in)')} limit 10`,
    );
    const { stdout, stderr, code } = await runCli([
      ...['import', 'swaps', file, other, '--db', path('conflict.duckdb')],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Read 410 rows/);
    assert.match(stdout, /added +400$/m);
    assert.match(stdout, /duplicate +9$/m);
    assert.match(stdout, /conflicting +1$/m);
    assert.match(stdout + stderr, /second\.parquet.*row 7|row 7.*second\.parquet/s);
  });
});
