import assert from 'node:assert/strict';
import test from 'node:test';
import { defineTable } from '@swapfold/core';
import { createTable } from '../src/definition.ts';
import { createNames } from '../src/names.ts';

const table = defineTable({
  name: 'facts',
  columns: { seq: 'long', wallet: 'id', amount: 'double', note: 'text', time: 'long' },
  key: ['seq', 'wallet'],
  indexes: [['seq'], ['wallet', 'seq'], ['note'], ['time']],
  derived: true,
});

test('a table is ordered by its key, read in the order of an index of several columns, and pruned by one of a single', () => {
  assert.equal(
    createTable(createNames('my"swaps'), 'facts_3_0', table),
    [
      'create table "my""swaps"."facts_3_0" ("seq" Int64, "wallet" Int32, "amount" Nullable(Float64), "note" Nullable(String), "time" Nullable(Int64),',
      '"_row" UInt64 codec(Delta, LZ4), projection "by_wallet_seq" (select * order by "wallet", "seq"),',
      'index "by_note" "note" type bloom_filter, index "by_time" "time" type minmax) engine = MergeTree order by ("seq", "wallet")',
      "settings lightweight_mutation_projection_mode = 'rebuild', allow_nullable_key = 1",
    ].join(' '),
  );
});
