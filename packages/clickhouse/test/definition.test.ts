import assert from 'node:assert/strict';
import test from 'node:test';
import { defineTable } from '@swapfold/core/engine';
import { addIndexes, createBookkeeping, createTable, dropTable } from '../src/definition.ts';
import { createNames } from '../src/names.ts';

const table = defineTable({
  name: 'facts',
  columns: { seq: 'long', wallet: 'id', amount: 'double', note: 'text', time: 'long' },
  key: ['seq', 'wallet'],
  indexes: [['seq'], ['wallet', 'seq'], ['note'], ['time']],
  derived: true,
});

test('a table is ordered by its key, read in the order of an index of several columns, and pruned by one of a single', () => {
  assert.deepEqual(createTable(createNames('my"swaps'), 'facts_3_0', table), [
    [
      'create table "my""swaps"."facts_3_0" ("seq" Int64 codec(Delta, LZ4), "wallet" Int32 codec(T64, LZ4), "amount" Nullable(Float64), "note" Nullable(String), "time" Nullable(Int64) codec(Delta, LZ4),',
      '"_row" UInt64 codec(Delta, LZ4), projection "by_wallet_seq" (select * order by "wallet", "seq"),',
      'index "by_note" "note" type bloom_filter, index "by_time" "time" type minmax) engine = MergeTree order by ("seq", "wallet")',
      "settings lightweight_mutation_projection_mode = 'rebuild', allow_nullable_key = 1, index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536",
    ].join(' '),
  ]);
});

const cluster = createNames('swaps', { name: 'main' });

test('on a cluster a table has its rows on replicas of each shard, by wallet, and one table over all of them', () => {
  const [rows, over] = createTable(cluster, 'facts_3_0', table);
  assert.match(rows!, /^create table "swaps"\."facts_3_0_part" on cluster "main" \("seq" Int64 codec\(Delta, LZ4\), /);
  assert.ok(
    rows!.includes(
      'engine = ReplicatedMergeTree(\'/clickhouse/tables/{shard}/{uuid}\', \'{shard}-{replica}\') order by ("seq", "wallet")',
    ),
  );
  assert.equal(
    over,
    'create table "swaps"."facts_3_0" on cluster "main" as "swaps"."facts_3_0_part" ' +
      'engine = Distributed("main", "swaps", "facts_3_0_part", cityHash64("wallet"))',
  );
});

test('on a cluster a table without the column of the sharding goes by its key', () => {
  for (const [sharding, column] of [
    ['note', 'note'],
    ['owner', 'seq'],
  ] as const) {
    const [, over] = createTable(createNames('swaps', { name: 'main', sharding }), 'facts_3_0', table);
    assert.ok(over!.endsWith(`cityHash64("${column}"))`), over);
  }
});

test('on a cluster the log and the removed rows are whole on each server', () => {
  const [database, ...tables] = createBookkeeping(cluster);
  assert.equal(database, 'create database if not exists "swaps" on cluster "main"');
  assert.equal(tables.length, 2);
  for (const statement of tables) {
    assert.match(statement, /^create table if not exists "swaps"\."swapfold_(log|removals)" on cluster "main" /);
    assert.match(statement, /ReplicatedMergeTree\('\/clickhouse\/tables\/all\/\{uuid\}', '\{shard\}-\{replica\}'\)/);
  }
});

test('on a cluster both tables are dropped, on one server the one', () => {
  assert.deepEqual(dropTable(cluster, 'facts_3_0'), [
    'drop table if exists "swaps"."facts_3_0" on cluster "main" sync',
    'drop table if exists "swaps"."facts_3_0_part" on cluster "main" sync',
  ]);
  assert.deepEqual(dropTable(createNames('swaps'), 'facts_3_0'), ['drop table if exists "swaps"."facts_3_0" sync']);
});

test('indexes are added where they are missing, for the rows that are there', () => {
  assert.deepEqual(
    addIndexes(createNames('swaps'), 'facts_3_0', { ...table, indexes: [['wallet', 'seq'], ['time']] }),
    [
      'alter table "swaps"."facts_3_0" add projection if not exists "by_wallet_seq" (select * order by "wallet", "seq")',
      'alter table "swaps"."facts_3_0" materialize projection "by_wallet_seq"',
      'alter table "swaps"."facts_3_0" add index if not exists "by_time" "time" type minmax',
      'alter table "swaps"."facts_3_0" materialize index "by_time"',
    ],
  );
});
