import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Swapfold } from '@swapfold/core';
import { isWhole } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { type Fate, serveOverHttp } from '../support/http-server.ts';
import { rivals } from '../support/rivals.ts';

const { client, dispose } = await openClient();
const database = `swapfold_lists_${process.pid}`;
after(async () => {
  for (const name of [database, `${database}_late`])
    await client.command({ query: `drop database if exists ${name} sync` });
  await dispose();
});

const TURNS = isWhole ? 100 : 2;
/** Turns after which the reader has seen several states, however slow the machine is. */
const MOST_TURNS = 100;

test('a list that is asked for beside another process that ingests and rolls back is one of a committed state', async (t) => {
  const { config, swaps, slot } = rivals;
  const open = (isReader: boolean) =>
    Swapfold.open({ storage: clickhouse({ server: client, database, read_only: isReader }), config });
  const list = async (dex: Swapfold): Promise<string> => {
    const { count, cursor, data } = await dex.swaps.list({ limit: 20 });
    assert.equal(cursor === undefined, count <= data.length, `${data.length} of ${count} with ${cursor}`);
    return JSON.stringify([count, data]);
  };

  const writer = await open(false);
  const committed = new Set([await list(writer)]);
  const reader = await open(true);
  let isOver = false;
  const answers = new Set<string>();
  let asked = 0;
  const asking = (async () => {
    for (; !isOver; asked++) answers.add(await list(reader));
  })();
  for (let turn = 0; turn < TURNS || (answers.size <= 2 && turn < MOST_TURNS); turn++) {
    const old = swaps.filter((swap) => swap.block_slot! < slot);
    for (const from of [0, 20]) {
      await writer.ingest(swaps.slice(from, from + 20));
      committed.add(await list(writer));
    }
    await writer.ingest(old.slice(turn * 7, turn * 7 + 5));
    committed.add(await list(writer));
    await writer.rollback({ from_block_slot: swaps[turn % 2 === 0 ? 10 : 25]!.block_slot! });
    committed.add(await list(writer));
  }
  isOver = true;
  await asking;
  const torn = [...answers].filter((answer) => !committed.has(answer));
  t.diagnostic(
    `${asked} answers, ${answers.size} of them different, ${torn.length} of no state; ${committed.size} states`,
  );
  assert.deepEqual(
    torn.map((answer) => answer.slice(0, 200)),
    [],
  );
  assert.ok(answers.size > 2, `${answers.size} states were seen`);
  await reader.close();
  await writer.close();
});

test('a list whose own look finds a newer state than the watch has seen takes its count from that state too', async () => {
  const { config, swaps } = rivals;
  const writer = await Swapfold.open({ storage: clickhouse({ server: client, database: `${database}_late` }), config });
  await writer.ingest(swaps.slice(0, 5));
  let isArmed = false;
  let release: ((fate: Fate) => void) | undefined;
  const server = await serveOverHttp(client, (statement) => {
    if (!isArmed || release !== undefined || !statement.includes('swapfold_log')) return 'pass';
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  const storage = clickhouse({ server: server.url, database: `${database}_late`, read_only: true });
  const reader = await Swapfold.open({ storage, config });
  assert.equal((await reader.swaps.list({ limit: 20 })).count, 5);
  isArmed = true;
  while (release === undefined) await wait(20);
  await writer.ingest(swaps.slice(5, 10));
  // What was seen is older than a second then, and the look that would have seen more has no answer yet.
  await wait(1000);
  const { count, data } = await reader.swaps.list({ limit: 20 });
  assert.deepEqual([count, data.length], [10, 10]);
  release('pass');
  await reader.close();
  await writer.close();
  await server.close();
});
