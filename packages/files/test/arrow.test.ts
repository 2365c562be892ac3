import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  Binary,
  type DataType,
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { readSwapFile, type SwapFileBatch } from '../src/read-swap-file.ts';

const path = await temporaryFolder(after);
const SOL = 'So11111111111111111111111111111111111111112';
const token = '7VVV1adJZdckjK1LKzXH1vKs49n8vv5SPAvCdR7Lpump';
const wallet = '481remqEtfJ8qpHqFy1sGe1eLi6J8LeNHGujUSHKGcp';
/** 2024-03-17 08:54:52 UTC; the rows are a second apart. */
const time = 1_710_665_692;

/** A column of instants whose values are whole units, as the format has them. */
function instants(type: DataType, units: readonly bigint[]): Vector {
  const data = makeData({
    type: type as TimestampSecond,
    length: units.length,
    nullCount: 0,
    data: BigInt64Array.from(units),
  });
  return new Table({ at: data } as never).getChild('at')! as Vector;
}

function fileOf(name: string, columns: Readonly<Record<string, Vector>>, form: 'file' | 'stream' = 'file'): string {
  const file = path(name);
  const schema = new Schema(Object.entries(columns).map(([name, { type }]) => new Field(name, type, true)));
  const [length] = Object.values(columns).map((column) => column.length);
  const children = Object.values(columns).map((column) => column.data[0]!);
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: length!, nullCount: 0, children }),
  );
  // Two batches, so that what follows the first is read, too.
  writeFileSync(file, tableToIPC(new Table([batch, batch]), form));
  return file;
}

/** Columns of two swaps. */
const swaps = (blockTime: Vector): Record<string, Vector> => ({
  protocol: vectorFromArray(['raydium', 'raydium'], new Dictionary(new Utf8(), new Int32())),
  wallet: vectorFromArray([wallet, wallet], new Utf8()),
  token_in: vectorFromArray([SOL, SOL], new Utf8()),
  token_out: vectorFromArray([token, token], new Utf8()),
  token_amount_in: vectorFromArray([1.5, 2], new Float64()),
  token_amount_out: vectorFromArray([10, 20], new Float64()),
  usd_amount_in: vectorFromArray([150, null], new Float64()),
  block_slot: vectorFromArray([7n, 8n], new Int64()),
  block_time: blockTime,
  tx_hash: vectorFromArray(['first', 'second'], new Utf8()),
  swap_index: vectorFromArray([0, 1], new Int32()),
});

async function read(file: string): Promise<SwapFileBatch> {
  const batches: SwapFileBatch[] = [];
  for await (const batch of readSwapFile(file)) batches.push(batch);
  assert.equal(batches.length, 1);
  return batches[0]!;
}

const texts = (column: unknown): unknown[] => {
  if (Array.isArray(column)) return column;
  const { dictionary, ids } = column as { dictionary: readonly string[]; ids: Int32Array };
  return Array.from(ids, (id) => dictionary[id] ?? null);
};

for (const form of ['file', 'stream'] as const)
  test(`an Arrow ${form} gives its rows of all batches, with what is missing`, async () => {
    const columns = swaps(instants(new TimestampSecond('UTC'), [BigInt(time), BigInt(time + 1)]));
    const { batch, rejects, isZoneless } = await read(
      fileOf(form === 'file' ? 'own.arrow' : 'own.arrows', columns, form),
    );
    assert.deepEqual([batch.length, rejects, isZoneless], [4, [], false]);
    assert.deepEqual([...batch.columns.block_time], [time, time + 1, time, time + 1]);
    assert.deepEqual(texts(batch.columns.protocol), ['raydium', 'raydium', 'raydium', 'raydium']);
    assert.deepEqual(texts(batch.columns.tx_hash), ['first', 'second', 'first', 'second']);
    assert.deepEqual([...batch.columns.usd_amount_in!], [150, Number.NaN, 150, Number.NaN]);
    assert.deepEqual([...batch.columns.block_slot!], [7, 8, 7, 8]);
  });

const second = BigInt(time);
/** Values of a unit; the first has all of the last second that the unit can say. Fractions are read down to microseconds. */
const units: readonly (readonly [
  new (zone?: string | null) => DataType,
  string,
  readonly bigint[],
  fraction: number,
])[] = [
  [TimestampSecond, 'seconds', [second, second + 1n], 0],
  [TimestampMillisecond, 'milliseconds', [second * 1000n + 999n, (second + 1n) * 1000n], 0.999],
  [TimestampMicrosecond, 'microseconds', [second * 1_000_000n + 999_999n, (second + 1n) * 1_000_000n], 0.999999],
  [
    TimestampNanosecond,
    'nanoseconds',
    [second * 1_000_000_000n + 999_999_999n, (second + 1n) * 1_000_000_000n],
    0.999999,
  ],
];
for (const [Type, unit, values, fraction] of units)
  for (const zone of ['UTC', 'Europe/Berlin', null])
    test(`a timestamp of Arrow in ${unit} ${zone === null ? 'without a zone is UTC, which is said' : `of ${zone} is the instant that it stores`}`, async () => {
      const file = fileOf(`${unit}-${zone?.slice(0, 3)}.arrow`, swaps(instants(new Type(zone), values)));
      const { batch, isZoneless } = await read(file);
      assert.deepEqual([...batch.columns.block_time], [time + fraction, time + 1, time + fraction, time + 1]);
      assert.equal(isZoneless, zone === null);
    });

test('decimals of Arrow are the numbers that they write, and a row at fault is rejected with its number', async () => {
  const columns = {
    ...swaps(instants(new TimestampSecond('UTC'), [second, second])),
    // 15 and -3 with scale 1, the least of four words first.
    token_amount_in: new Table({
      at: makeData({
        type: new Decimal(1, 38, 128),
        length: 2,
        nullCount: 0,
        data: Uint32Array.from([15, 0, 0, 0, 0xffff_fffd, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff]),
      }),
    } as never).getChild('at')! as Vector,
    swap_index: vectorFromArray(['0', 'none'], new Utf8()),
  };
  const { batch, rejects } = await read(fileOf('decimals.arrow', columns));
  assert.deepEqual([...batch.columns.token_amount_in], [1.5, 1.5]);
  assert.deepEqual([...(batch.numbers as Float64Array)], [1, 3]);
  assert.deepEqual(
    rejects.map(({ row, field }) => [row, field]),
    [
      [2, 'swap_index'],
      [4, 'swap_index'],
    ],
  );
});

test('bytes of Arrow are addresses in hex, and texts that are written as bytes are those texts', async () => {
  const bytes = (start: number): Uint8Array => Uint8Array.from({ length: 20 }, (_, i) => start + i);
  const text = (of: string): Uint8Array => Buffer.from(of);
  const hex = (of: Uint8Array): string => `0x${Buffer.from(of).toString('hex')}`;
  const columns = {
    ...swaps(instants(new TimestampSecond('UTC'), [second, second])),
    wallet: vectorFromArray([bytes(200), bytes(65)], new Binary()),
    token_in: vectorFromArray([text(hex(bytes(1))), text(SOL)], new Binary()),
    tx_hash: vectorFromArray(['\\xaa01', 'second'], new Utf8()),
    protocol: vectorFromArray(['', 'orca'], new Utf8()),
  };
  const { batch, rejects } = await read(fileOf('bytes.arrow', columns));
  assert.deepEqual(rejects, []);
  assert.deepEqual(texts(batch.columns.wallet).slice(0, 2), [hex(bytes(200)), hex(bytes(65))]);
  assert.deepEqual(texts(batch.columns.token_in).slice(0, 2), [hex(bytes(1)), SOL]);
  assert.deepEqual(texts(batch.columns.tx_hash).slice(0, 2), ['0xaa01', 'second']);
  assert.deepEqual(texts(batch.columns.protocol).slice(0, 2), [null, 'orca']);
});

test('an Arrow file that is cut off, or none, is refused by its name', async () => {
  const whole = tableToIPC(new Table(swaps(instants(new TimestampSecond(), [second, second])) as never), 'file');
  const cut = path('cut.arrow');
  writeFileSync(cut, whole.subarray(0, whole.length - 200));
  await assert.rejects(read(cut), { code: 'invalid-input', message: /^cut\.arrow is damaged, or no whole Arrow file/ });
  const none = path('none.arrow');
  writeFileSync(none, 'wallet\0token_in');
  await assert.rejects(read(none), { message: 'none.arrow is not an Arrow file: it does not begin with ARROW1.' });
  const chunks = (async function* () {
    yield whole;
  })();
  const stream = readSwapFile({ name: 'standard input', chunks });
  await assert.rejects(stream.next(), {
    message: /^standard input is an Arrow file, which cannot be read as a stream/,
  });
});

/** Written by pyarrow 25.0.1: forty times 'w' as a dictionary, with compression='lz4'. */
const packed = [
  'QVJST1cxAAD/////kAAAABAAAAAAAAoADAAGAAUACAAKAAAAAAEEAAQAAAC4////BAAAAAEAAAAUAAAAEAAYAAgABgAHAAwAEAAUABAAAAAAAAEFFAAAAEQAAAAgAAAABA',
  'AAAAAAAAAGAAAAd2FsbGV0AAAIAAgAAAAEAAgAAAAMAAAACAAMAAgABwAIAAAAAAAAASAAAAAEAAQABAAAAP////+4AAAAFAAAAAAAAAAMABgABgAFAAgADAAMAAAAAAIE',
  'ABgAAAA4AAAAAAAAAAAAAAAIAAgAAAAEAAgAAAAQAAAADAAcABAABAAIAAwADAAAAFgAAAAcAAAAFAAAAAEAAAAAAAAAAAAAAAQABAAEAAAAAwAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAB8AAAAAAAAAIAAAAAAAAAAYAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAAAAAAAAgAAAAAAAAABCJNGGBAgggAAIAAAAAAAQAAAAAAAAAAAQAAAAAA',
  'AAAEIk0YYECCAQAAgHcAAAAA/////5gAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAACgAAAAAAAAAAAAAAAwAHAAQAAQACAAMAAwAAABIAAAAHAAAABQAAA',
  'AoAAAAAAAAAAAAAAAEAAQABAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAiAAAAAAAAAAAAAAABAAAAKAAAAAAAAAAAAAAAAAAAAKAAAAAAAAAABCJNGGBAggsA',
  'AAAfAAEAh1AAAAAAAAAAAAAAAAAAAAD/////AAAAABAAAAAMABQABgAIAAwAEAAMAAAAAAAEAEwAAAAoAAAABAAAAAEAAACYAQAAAAAAAKAAAAAAAAAAKAAAAAAAAAAAAA',
  'AAAQAAAKAAAAAAAAAAwAAAAAAAAAA4AAAAAAAAAAAAAAC4////BAAAAAEAAAAUAAAAEAAYAAgABgAHAAwAEAAUABAAAAAAAAEFFAAAAEQAAAAgAAAABAAAAAAAAAAGAAAA',
  'd2FsbGV0AAAIAAgAAAAEAAgAAAAMAAAACAAMAAgABwAIAAAAAAAAASAAAAAEAAQABAAAANgAAABBUlJPVzE=',
].join('');

test('an Arrow file with packed batches is refused with what to do', async () => {
  const file = path('packed.feather');
  writeFileSync(file, Buffer.from(packed, 'base64'));
  await assert.rejects(read(file), {
    code: 'invalid-input',
    message: /its batches are packed; write it without compression, or as Parquet/,
  });
});
