import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { parseAsOf, parseTime, wholeNumber } from '../src/number-options.ts';
import { addToColumnMap } from '../src/options/column-map.ts';
import { parseStoreUrl, showPath } from '../src/options/store-url.ts';

function refuses(read: () => unknown, message: RegExp): void {
  assert.throws(read, (error) => error instanceof InvalidArgumentError && message.test(error.message));
}

const stores = [
  ['sqlite:data/dex', 'sqlite', 'data/dex'],
  ['SQLite:dex.duckdb', 'sqlite', 'dex.duckdb'],
  ['duckdb:/srv/dex.db', 'duckdb', '/srv/dex.db'],
  ['dex.db', 'sqlite', 'dex.db'],
  ['a/b.sqlite', 'sqlite', 'a/b.sqlite'],
  ['dex.SQLITE3', 'sqlite', 'dex.SQLITE3'],
  ['dex.duckdb', 'duckdb', 'dex.duckdb'],
  ['dex.ddb', 'duckdb', 'dex.ddb'],
  ['C:\\data\\dex.db', 'sqlite', 'C:\\data\\dex.db'],
  ['clickhouse:http://localhost:8123/swaps', 'clickhouse', 'http://localhost:8123/swaps'],
] as const;

for (const [text, engine, path] of stores) {
  test(`--db ${text} is the ${engine} store ${path}`, () => {
    assert.deepEqual(parseStoreUrl(text), { engine, path });
  });
}

test('an address is shown without its password', () => {
  const shown = (text: string): string => showPath(parseStoreUrl(text));
  assert.equal(shown('clickhouse:https://me:secret@host:8443/dex'), 'https://me:***@host:8443/dex');
  assert.equal(shown('clickhouse:http://localhost:8123/dex'), 'http://localhost:8123/dex');
  assert.equal(shown('sqlite:https://me:secret@host'), 'https://me:secret@host');
});

const noStores = [
  [
    'dex',
    /does not tell the engine\. Write sqlite:PATH, duckdb:PATH, clickhouse:.*, or a path that ends in \.db, .*\.ddb\./,
  ],
  ['dex.csv', /does not tell the engine/],
  ['postgres:dex', /no engine "postgres"\. Write sqlite:PATH/],
  ['ducdb:dex', /no engine "ducdb"\. Did you mean "duckdb"\?/],
  ['sqlite:', /path is missing/],
  ['duckdb::memory:', /in memory would be gone/],
  ['', /does not tell the engine/],
] as const;

for (const [text, message] of noStores) {
  test(`--db "${text}" is refused with what would do`, () => refuses(() => parseStoreUrl(text), message));
}

test('--map takes what follows the last = as the field', () => {
  assert.deepEqual(addToColumnMap('a=b=wallet', addToColumnMap('ts=block_time')), {
    ts: 'block_time',
    'a=b': 'wallet',
  });
});

test('--map is refused without both names, and for a column that is mapped already', () => {
  for (const text of ['wallet', '=wallet', 'sender=', '=', ''])
    refuses(() => addToColumnMap(text), /Write THEIRS=OURS/);
  refuses(() => addToColumnMap('a=wallet', { a: 'tx_hash' }), /"a" is mapped already, to "tx_hash"/);
});

test('a whole number is read within its bounds, with underscores', () => {
  const read = wholeNumber(1, 1_000_000);
  assert.deepEqual(['1', '1_000_000', '007'].map(read), [1, 1_000_000, 7]);
  for (const text of ['0', '1000001', '-1', '1.5', '1e3', '', '_1', 'x'])
    refuses(() => read(text), /whole number from 1 to 1000000/);
});

test('--as-of takes RFC 3339, a day, which is its beginning, and Unix seconds', () => {
  assert.equal(parseAsOf('2024-01-05T00:00:00Z'), 1_704_412_800);
  assert.equal(parseAsOf('2024-01-05T01:00:00.9+01:00'), 1_704_412_800);
  assert.equal(parseAsOf('1704412800'), 1_704_412_800);
  assert.equal(parseAsOf('2024-01-05'), 1_704_412_800);
  assert.equal(parseTime('2024-01-05'), '2024-01-05T00:00:00Z');
  assert.equal(parseTime('2024-01-05T01:00:00+01:00'), '2024-01-05T01:00:00+01:00');
  for (const text of ['yesterday', '2024-1-5', '2024-02-30', '2024-02-30T00:00:00Z', '17044128001', '-5', ''])
    for (const read of [parseAsOf, parseTime, parseTime])
      refuses(() => read(text), /Give a day such as 2024-01-05, .* or an RFC 3339 time such as/);
});
