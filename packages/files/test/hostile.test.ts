import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import type { SwapFileOptions } from '../src/options.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const path = await temporaryFolder(after);
const header = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
const good = 'h1,0,1704412823,W,A,B,1.5,2';
const nasty = [`x'; drop table input; --`, `"; copy (select 1) to 'out.csv'; --`, `'||(select 1)||'`, '$$', '\\'];

async function read(file: string, options: SwapFileOptions = {}) {
  const swaps: Record<string, unknown>[] = [];
  let rejected = 0;
  for await (const { batch, rejects } of readSwapFile(file, options)) {
    swaps.push(...([...columnsToObjects(batch)] as unknown as Record<string, unknown>[]));
    rejected += rejects.length;
  }
  return { swaps, rejected };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was read'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SwapfoldError && error.code === 'invalid-input', String(error));
  return error.message;
}

test('SQL in names of columns, values, maps, constants and paths is text', async () => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  for (const [i, text] of nasty.entries()) {
    const folder = path(`dir ${i} '; drop table`);
    mkdirSync(folder, { recursive: true });
    const csv = join(folder, `${i}'.csv`);
    const names = `${header.replace('wallet', () => quoted(text))},${quoted(`other ${text}`)}`;
    writeFileSync(csv, `${names}\n${good.replace('W', () => quoted(text))},1\n`);
    const json = join(folder, `${i}'.ndjson`);
    const values = good.split(',');
    const record = Object.fromEntries(
      header
        .split(',')
        .map((name, at) => [
          name === 'wallet' ? text : name,
          name === 'wallet' ? text : at === 1 || at === 2 || at > 5 ? Number(values[at]) : values[at],
        ]),
    );
    writeFileSync(json, JSON.stringify({ ...record, [`other ${text}`]: text }));
    for (const file of [csv, json]) {
      const { swaps, rejected } = await read(file, { map: { [text]: 'wallet' }, set: { [text]: text } });
      assert.deepEqual([swaps.length, rejected, swaps[0]?.wallet], [1, 0, text], file);
    }
    assert.deepEqual(readdirSync(folder).sort(), [`${i}'.csv`, `${i}'.ndjson`]);
  }
});

test('a line of 100 MB is refused before it fills the memory', async () => {
  const long = path('long.csv');
  writeFileSync(long, `${header}\n${good}\nh2,0,1704412823,"${'x'.repeat(100_000_000)}`);
  assert.match(await refusal(read(long)), /long\.csv: a quote that opens in row 2 is never closed/);
  const lines = path('long.ndjson');
  writeFileSync(lines, `{"tx_hash": "${'x'.repeat(100_000_000)}"}`);
  assert.match(await refusal(read(lines)), /long\.ndjson has a line of over 16777216 bytes/);
  const document = path('long.json');
  writeFileSync(document, `{"rows": [\n{"tx_hash": "${'x'.repeat(100_000_000)}"}]}`);
  assert.match(await refusal(read(document)), /long\.json is not JSON: it has a record of over 16777216 bytes/);
});

test('JSON of a depth of 10,000 is refused as a document, and is a rejected row of lines', async () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const document = path('deep.json');
  writeFileSync(document, deep);
  assert.match(await refusal(read(document)), /deep\.json is not JSON: it is nested deeper than 1000/);
  const objects = path('objects.json');
  writeFileSync(objects, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
  await refusal(read(objects));
  const swap = `{"tx_hash":"h1","swap_index":0,"block_time":1704412823,"wallet":"W","token_in":"A","token_out":"B","token_amount_in":1.5,"token_amount_out":2}`;
  const lines = path('deep.ndjson');
  writeFileSync(lines, `${swap}\n${swap.replace('"h1"', `"h2","x":${deep}`)}\n${swap.replace('h1', 'h3')}\n`);
  const { swaps } = await read(lines);
  assert.ok(swaps.some(({ tx_hash }) => tx_hash === 'h3'));
});

test('a zip bomb is refused after as many bytes as a record may have', async () => {
  const bomb = path('bomb.csv.gz');
  writeFileSync(bomb, Buffer.concat([gzipSync(`${header}\n`), gzipSync(Buffer.alloc(200_000_000, 0x20))]));
  assert.match(await refusal(read(bomb)), /bomb\.csv\.gz: a quote that opens in row 1 is never closed|bomb\.csv\.gz/);
  const lines = path('bomb.ndjson.gz');
  writeFileSync(lines, gzipSync(Buffer.alloc(200_000_000, 0x20)));
  await refusal(read(lines));
});

test('a Parquet file with lengths that cannot be is refused', async () => {
  const broken = path('broken.parquet');
  writeFileSync(
    broken,
    Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100), Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.from('PAR1')]),
  );
  assert.match(await refusal(read(broken)), /broken\.parquet is not a whole Parquet file/);
});
