import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickhouse } from '@swapfold/clickhouse';
import { memory, type OpenOptions, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';

// What TypeScript would not have let pass: configuration that was read from a file, and callers in JavaScript.
const wrong = <T>(value: unknown): T => value as T;

for (const [name, make, says] of [
  [
    'sqlite',
    () => sqlite(wrong({ path: 'x.db', readonly: true })),
    'Unknown option "readonly" of sqlite. Did you mean "read_only"?',
  ],
  [
    'duckdb',
    () => duckdb(wrong({ path: 'x.db', memoryLimit: '1GB' })),
    'Unknown option "memoryLimit" of duckdb. Did you mean "memory_limit"?',
  ],
  [
    'clickhouse',
    () => clickhouse(wrong({ server: 'http://x', databse: 'y' })),
    'Unknown option "databse" of clickhouse. Did you mean "database"?',
  ],
  ['sqlite, nothing', () => sqlite(wrong(undefined)), 'Give the options of sqlite as an object, not undefined.'],
  ['duckdb, nothing', () => duckdb(wrong(undefined)), 'Give the options of duckdb as an object, not undefined.'],
  ['sqlite, no path', () => sqlite(wrong({})), 'sqlite: give the path of a file as `path`, not undefined.'],
  ['duckdb, no path', () => duckdb(wrong({})), 'duckdb: give the path of a file as `path`, not undefined.'],
] as const)
  test(`an adapter refuses options that it does not know: ${name}`, () => {
    assert.throws(make, { code: 'invalid-config', message: says });
  });

for (const [options, says] of [
  [undefined, 'Give the options of Swapfold.open as an object, not undefined.'],
  [
    {},
    /^"storage": expected a storage adapter, such as sqlite\('dex\.db'\) of @swapfold\/sqlite, received undefined\.$/,
  ],
  [{ storage: 'dex.db' }, /received "dex\.db"\.$/],
  [{ storage: memory(), confg: {} }, 'Unknown option "confg" of Swapfold.open. Did you mean "config"?'],
  [{ storage: memory(), memory: -1 }, '"memory": expected bytes, a number from 0, received -1.'],
  [{ storage: memory(), memory: Number.NaN }, '"memory": expected bytes, a number from 0, received NaN.'],
  [{ storage: memory(), memory: '1GB' }, '"memory": expected bytes, a number from 0, received "1GB".'],
] as const)
  test(`open refuses what it cannot read: ${String(says)}`, async () => {
    await assert.rejects(Swapfold.open(wrong<OpenOptions>(options)), { code: 'invalid-config', message: says });
  });

for (const [call, says] of [
  [
    (dex: Swapfold) => dex.ingest([], wrong({ onProgres: () => undefined })),
    /^Unknown option "onProgres" of ingest\. Known are: batchSize/,
  ],
  [(dex: Swapfold) => dex.ingest([], { batchSize: 0 }), '"batchSize": expected a whole number from 1, received 0.'],
  [
    (dex: Swapfold) => dex.ingest([], { batchSize: Number.NaN }),
    '"batchSize": expected a whole number from 1, received NaN.',
  ],
  [(dex: Swapfold) => dex.ingest([], { batchSize: 1.5 }), '"batchSize": expected a whole number from 1, received 1.5.'],
  [(dex: Swapfold) => dex.refresh(wrong({ asof: 3 })), 'Unknown option "asof" of refresh. Did you mean "asOf"?'],
  [
    (dex: Swapfold) => dex.rebuild(wrong({ onSwap: () => undefined })),
    'Unknown option "onSwap" of rebuild. Did you mean "onSwaps"?',
  ],
  [
    (dex: Swapfold) => dex.copyFrom(dex, wrong({ onRow: 1 })),
    'Unknown option "onRow" of copyFrom. Did you mean "onRows"?',
  ],
  [
    (dex: Swapfold) => dex.tokens.upsert([], wrong({ signl: 1 })),
    'Unknown option "signl" of upsert. Did you mean "signal"?',
  ],
  [
    (dex: Swapfold) => dex.backup('x.db', wrong({ signl: 1 })),
    'Unknown option "signl" of backup. Did you mean "signal"?',
  ],
  [(dex: Swapfold) => dex.verify(wrong({ signl: 1 })), 'Unknown option "signl" of verify. Did you mean "signal"?'],
  [(dex: Swapfold) => dex.info(wrong({ signl: 1 })), 'Unknown option "signl" of info. Did you mean "signal"?'],
  [(dex: Swapfold) => dex.status(wrong({ signal: 1 })), '"signal": expected an AbortSignal, received 1.'],
  [(dex: Swapfold) => dex.rollback(wrong(undefined)), 'Give the options of rollback as an object, not undefined.'],
  [
    (dex: Swapfold) => dex.rollback(wrong({ from_block_slt: 3 })),
    'Unknown option "from_block_slt" of rollback. Did you mean "from_block_slot"?',
  ],
] as const)
  test(`a call refuses what it cannot read: ${String(says)}`, async () => {
    const dex = await Swapfold.open({ storage: memory() });
    await assert.rejects(async () => call(dex), { code: 'invalid-input', message: says });
    await dex.close();
  });
