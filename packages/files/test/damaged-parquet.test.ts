import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import { parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { isWhole } from '../../../test/support/whole.ts';
import { createRandom } from '../../testing/src/conformance/random.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const SEED = 1814;
const CASES = isWhole ? 2000 : 40;
const ROWS = 2500;
const folder = mkdtempSync(join(tmpdir(), 'swapfold-damaged-'));
after(() => rmSync(folder, { recursive: true }));

/** A file of two row groups, with texts in dictionaries and without, and columns with missing values. */
async function swapsFile(options: string): Promise<Buffer> {
  const path = join(folder, 'whole.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `copy (select 'h' || i tx_hash, 0 swap_index, 1704412823 + i block_time, 'W' || (i % 37) wallet, 'A' token_in,
      'B' || (i % 5) token_out, i + 0.5 token_amount_in, (i % 11)::double token_amount_out,
      case when i % 3 = 0 then null else 'dex' || (i % 4) end protocol
      from range(${ROWS}) t(i)) to '${path}' (format parquet, row_group_size 2048, ${options})`,
  );
  connection.closeSync();
  return readFileSync(path);
}

/** Rows that were read and rejected, or the code and message of the refusal; any other error is thrown. */
async function outcomeOf(bytes: Uint8Array): Promise<{ rows: number; rejects: number } | { refusal: string }> {
  const path = join(folder, 'damaged.parquet');
  writeFileSync(path, bytes);
  let [rows, rejects] = [0, 0];
  try {
    for await (const read of readSwapFile(path)) {
      rows += read.batch.length;
      rejects += read.rejects.length;
    }
  } catch (error) {
    if (!(error instanceof SwapfoldError)) throw error;
    assert.equal(error.code, 'invalid-input');
    assert.ok(error.message.includes(basename(path)), error.message);
    assert.doesNotMatch(error.message, /undefined|not a function|Cannot|Invalid (typed )?array|Offset is outside/);
    return { refusal: error.message };
  }
  return { rows, rejects };
}

const formats = {
  'pages as they are': 'compression uncompressed',
  'packed with Snappy': 'compression snappy',
  'of the second version, packed with zstd': 'compression zstd, parquet_version v2',
};
for (const [title, options] of Object.entries(formats)) {
  test(`a damaged Parquet file, ${title}, is refused with its place or gives as many rows as before`, async (t) => {
    const random = createRandom(SEED);
    const whole = await swapsFile(options);
    let refused = 0;
    for (let i = 0; i < CASES; i++) {
      const bytes = Buffer.from(whole);
      const reach = i % 2 === 0 ? whole.length : 2500;
      const at = whole.length - 1 - Math.floor(random() * reach);
      const many = i % 4 < 2 ? 1 : 5;
      for (let k = at; k < Math.min(at + many, whole.length); k++)
        bytes[k] = many === 1 ? Math.floor(random() * 256) : 128 + Math.floor(random() * 128);
      const outcome = await outcomeOf(bytes).catch((error: Error) =>
        assert.fail(`case ${i}, byte ${at}: ${error.stack}`),
      );
      if ('refusal' in outcome) refused++;
      else if (outcome.rows + outcome.rejects !== ROWS)
        assert.ok(i % 2 === 1 && at > whole.length - 2500, `case ${i}, byte ${at}: ${JSON.stringify(outcome)}`);
    }
    t.diagnostic(`seed ${SEED}, ${CASES} files, ${refused} refused`);
    assert.ok(refused > CASES / 5, String(refused));
  });
}

/** The file, and where the first page of a column begins in it. */
async function withPlace(column: string): Promise<{ bytes: Buffer; header: number; page: number }> {
  const bytes = await swapsFile('compression uncompressed');
  const { buffer, byteOffset, length } = Buffer.from(bytes);
  const { row_groups } = parquetMetadata(new Uint8Array(buffer as ArrayBuffer, byteOffset, length));
  const meta = row_groups[0]!.columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === column)!.meta_data!;
  const reader = { view: new DataView(buffer, byteOffset, length), offset: Number(meta.data_page_offset) };
  const header = reader.offset;
  parquetHeader(reader);
  return { bytes, header, page: reader.offset };
}

test('a page with a run of two billion values is refused with its row group', async () => {
  const { bytes, page } = await withPlace('protocol');
  // Behind the length of the levels: 2^31 - 1 times the value 1.
  bytes.set([0xfe, 0xff, 0xff, 0xff, 0x0f, 1], page + 4);
  const { refusal } = (await outcomeOf(bytes)) as { refusal: string };
  assert.match(refusal, /^damaged\.parquet: row group 1 of 2 \(rows 1 to 2048\) is damaged: /);
});

test('a text that is not UTF-8 is a rejected row', async () => {
  const { bytes } = await withPlace('tx_hash');
  const at = bytes.indexOf('h123');
  bytes[at] = 0xff;
  assert.deepEqual(await outcomeOf(bytes), { rows: ROWS - 1, rejects: 1 });
});
