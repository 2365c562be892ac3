import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import type { ColumnData, ColumnType } from '@swapfold/core/engine';
import { createByteSource } from '../src/byte-source.ts';
import { createConnection } from '../src/connection.ts';
import { readBlocks } from '../src/native-reader.ts';
import { columnBytes, serialBytes, writeBlock } from '../src/native-writer.ts';

const { NaN: none } = Number;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Uint8Array, size: number, types: readonly ColumnType[]): Promise<ColumnData[][]> {
  const blocks: ColumnData[][] = [];
  for await (const block of readBlocks(createByteSource(inChunks(bytes, size)), types)) blocks.push(block);
  return blocks;
}

test('a block is its counts, then each column with name, type, nulls and values, as ClickHouse documents Native', () => {
  const block = writeBlock(2, [
    { name: 'a', type: 'Int32', bytes: columnBytes('id', Int32Array.of(-1, 258), false) },
    { name: 's', type: 'Nullable(String)', bytes: columnBytes('text', ['é', null], true) },
  ]);
  const expected = [
    [2, 2],
    [1, 97, 5, ...Buffer.from('Int32'), 255, 255, 255, 255, 2, 1, 0, 0],
    [1, 115, 16, ...Buffer.from('Nullable(String)'), 0, 1, 2, 0xc3, 0xa9, 0],
  ];
  assert.deepEqual([...block], expected.flat());
});

test('whole numbers are eight bytes in two’s complement, and a null is zero', () => {
  const [nulls, values] = columnBytes('long', Float64Array.of(-1, 2 ** 32 + 5, none), true);
  assert.deepEqual([...nulls!], [0, 0, 1]);
  assert.deepEqual([...new BigInt64Array(values!.slice().buffer)], [-1n, 4_294_967_301n, 0n]);
});

test('row numbers go on over the 32nd bit', () => {
  const numbers = new BigUint64Array(serialBytes((7n << 32n) - 1n, 3).slice().buffer);
  assert.deepEqual([...numbers], [30_064_771_071n, 30_064_771_072n, 30_064_771_073n]);
});

test('what was written is read again, however the bytes are cut', async () => {
  const columns: readonly (readonly [ColumnType, string, ColumnData, boolean])[] = [
    ['id', 'Int32', Int32Array.of(-1, 0, 2 ** 31 - 1), false],
    ['long', 'Int64', Float64Array.of(-(2 ** 53) + 1, 0, 2 ** 53 - 1), false],
    ['long', 'Nullable(Int64)', Float64Array.of(none, -1, 2 ** 32), true],
    ['double', 'Nullable(Float64)', Float64Array.of(-0, 5e-324, none), true],
    ['text', 'Nullable(String)', ['', null, '\u{1f600}'.repeat(300)], true],
  ];
  const block = writeBlock(
    3,
    columns.map(([type, declared, data, isNullable], i) => ({
      name: `column ${i}`,
      type: declared,
      bytes: columnBytes(type, data, isNullable),
    })),
  );
  const types = columns.map(([type]) => type);
  const data = columns.map(([, , values]) => values);
  for (const size of [1, 2, 7, 64, block.length * 2]) {
    assert.deepEqual(
      await readAll(Buffer.concat([block, block]), size, types),
      [data, data],
      `chunks of ${size} bytes`,
    );
  }
});

test('an answer that ends early is an error that tells its last words', async () => {
  const block = writeBlock(3, [{ name: 'a', type: 'Int32', bytes: columnBytes('id', Int32Array.of(1, 2, 3), false) }]);
  const broken = Buffer.concat([block.subarray(0, block.length - 12), Buffer.from('Code: 241')]);
  await assert.rejects(readAll(broken, 100, ['id']), /ended 3 bytes early: .*Code: 241/);
});

test('an answer of other columns than asked for is an error', async () => {
  const block = writeBlock(1, [{ name: 'a', type: 'Int32', bytes: columnBytes('id', Int32Array.of(1), false) }]);
  await assert.rejects(readAll(block, 100, ['id', 'id']), /has 1 columns; 2 were asked for/);
  await assert.rejects(readAll(block, 100, ['text']), /has a Int32 where a text is due/);
});

test('a cursor that is left in the midst of its answer gives its connection back', async () => {
  const streams: Readable[] = [];
  const client = {
    async exec() {
      const stream = Readable.from(
        (async function* () {
          // A block of one row of one column, again and again.
          for (;;) yield Buffer.from('\x01\x01\x01a\x05Int64\x07\x00\x00\x00\x00\x00\x00\x00', 'latin1');
        })(),
      );
      streams.push(stream);
      return { stream };
    },
  };
  const connection = createConnection(client as unknown as Parameters<typeof createConnection>[0]);
  const cursor = await connection.open({ sql: 'select 7', values: [] }, ['long']);
  assert.deepEqual(await cursor.next(), [Float64Array.of(7)]);
  await cursor.close();
  assert.equal(streams[0]!.destroyed, true);
});
