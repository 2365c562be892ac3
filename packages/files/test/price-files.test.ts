import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import type { PriceFile } from '../src/prices/price-file.ts';
import { pricesOf, readPrices } from '../src/prices/read-prices.ts';

const path = await temporaryFolder(after);

/** 2026-01-01T00:00:00Z: all candles here are finished by then. */
const NOW = 1_767_225_600;
/** 2024-01-01T00:00:00Z */
const NEW_YEAR = 1_704_067_200;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

const read = (text: string, now = NOW): PriceFile => pricesOf('file', text, now);
const json = (value: unknown, now = NOW): PriceFile => read(JSON.stringify(value), now);
/** `[time, usd_price]` of each price. */
const pairs = ({ prices }: PriceFile) => prices.map(({ time, usd_price: price }) => [time, price]);

const klineHeader =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
const okxHeader = 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm';
/** A kline of Binance. `unit`: how many of its time units are a second. */
const kline = (open: number, length: number, close: string | number, unit = 1000) =>
  `${open * unit},1,2,0.5,${close},7,${(open + length) * unit - 1},9,3,4,5,0`;
const okx = (open: number, close: string, confirm = 1, instrument = 'SOL-USDT') =>
  `${instrument},1,2,0.5,${close},7,8,9,${open * 1000},${confirm}`;

const days = [
  [NEW_YEAR + DAY, 101.5],
  [NEW_YEAR + 2 * DAY, 98.25],
];
const klines = (unit: number) => [
  kline(NEW_YEAR, DAY, '101.50000000', unit),
  kline(NEW_YEAR + DAY, DAY, '98.25', unit),
];

for (const [unit, scale] of [
  ['milliseconds', 1e3],
  ['microseconds', 1e6],
] as const) {
  test(`klines of Binance in ${unit}, without a header, close when their candles end`, () => {
    const found = read(klines(scale).join('\n'));
    assert.deepEqual([found.shape, pairs(found)], ['Binance klines', days]);
  });

  test(`klines of Binance in ${unit}, with a header`, () => {
    const found = read(`${klineHeader}\r\n${klines(scale).join('\r\n')}\r\n`);
    assert.deepEqual([found.shape, pairs(found), found.rows], ['Binance klines', days, 2]);
    assert.deepEqual(
      found.prices.map(({ row }) => row),
      [1, 2],
    );
  });
}

test('a file may go on in another unit, as those of Binance did in 2025', () => {
  const rows = [kline(NEW_YEAR, DAY, 101.5), kline(NEW_YEAR + DAY, DAY, 98.25, 1e6)];
  assert.deepEqual(pairs(read(rows.join('\n'))), days);
});

test('JSON arrays of the API of Binance', () => {
  const array = (line: string) => line.split(',').map((value, i) => (i === 0 || i === 6 ? Number(value) : value));
  const found = json(klines(1000).map(array));
  assert.deepEqual([found.shape, pairs(found)], ['Binance klines', days]);
});

test('a candle that ends after now is passed over; one that ends now is not', () => {
  const text = klines(1000).join('\n');
  const found = read(text, NEW_YEAR + 2 * DAY - 1);
  assert.deepEqual(pairs(found), days.slice(0, 1));
  assert.deepEqual([...found.passed], [['the candle is not finished', 1]]);
  assert.deepEqual(pairs(read(text, NEW_YEAR + 2 * DAY)), days);
});

test('a close time within a second counts from the next whole second', () => {
  const row = `${NEW_YEAR * 1000},1,2,0.5,7,7,${NEW_YEAR * 1000 + 1499},9,3,4,5,0`;
  assert.deepEqual(pairs(read(row)), [[NEW_YEAR + 2, 7]]);
});

test('candles of OKX as CSV: the distance of the rows is the length of a candle, over gaps too', () => {
  const rows = [okx(NEW_YEAR, '10'), okx(NEW_YEAR + MINUTE, '11'), okx(NEW_YEAR + 4 * MINUTE, '12')];
  const found = read([okxHeader, ...rows].join('\n'));
  assert.deepEqual(
    [found.shape, pairs(found)],
    [
      'OKX candles',
      [
        [NEW_YEAR + MINUTE, 10],
        [NEW_YEAR + 2 * MINUTE, 11],
        [NEW_YEAR + 5 * MINUTE, 12],
      ],
    ],
  );
});

/** An array of the API of OKX: texts, candles of an index have no volumes. */
const okxArray = (open: number, close: string, confirm: string, volumes = ['7', '8', '9']) => [
  String(open * 1000),
  ...['1', '2', '0.5'],
  close,
  ...volumes,
  confirm,
];

for (const [what, volumes] of [
  ['candles', ['7', '8', '9']],
  ['candles of an index', []],
] as const)
  test(`${what} of the API of OKX, newest first: the one that goes on is passed over`, () => {
    const found = json({
      code: '0',
      msg: '',
      data: [
        okxArray(NEW_YEAR + 2 * HOUR, '12', '0', [...volumes]),
        okxArray(NEW_YEAR + HOUR, '11', '1', [...volumes]),
        okxArray(NEW_YEAR, '10', '1', [...volumes]),
      ],
    });
    assert.deepEqual(pairs(found), [
      [NEW_YEAR + 2 * HOUR, 11],
      [NEW_YEAR + HOUR, 10],
    ]);
    assert.deepEqual([...found.passed], [['the candle is not finished', 1]]);
  });

test('a candle alone whose length nothing tells is refused, with what would do', () => {
  assert.throws(
    () => read([okxHeader, okx(NEW_YEAR, '10')].join('\n')),
    /file has one candle and no close_time.*Add the candle before or after it, or give its close as token, time, usd_price/,
  );
  // The one that goes on tells the length of the one before it.
  const two = [okxHeader, okx(NEW_YEAR, '10'), okx(NEW_YEAR + HOUR, '11', 0)];
  assert.deepEqual(pairs(read(two.join('\n'))), [[NEW_YEAR + HOUR, 10]]);
});

test('a row off the grid does not move the ends of the others before their time', () => {
  const opens = [0, 30, 90, 150, 210].map((minutes) => NEW_YEAR + minutes * MINUTE);
  const found = read([okxHeader, ...opens.map((open, i) => okx(open, String(10 + i)))].join('\n'));
  assert.deepEqual(
    pairs(found),
    opens.slice(1).map((end, i) => [end, 10 + i]),
  );
});

test('months end when the next one begins; the last one has no end', () => {
  // February and March of 2024 and April: 29 and 31 days.
  const [february, march, april] = [1_706_745_600, 1_709_251_200, 1_711_929_600];
  const found = read([okxHeader, okx(february, '10'), okx(march, '11'), okx(april, '12')].join('\n'));
  assert.deepEqual(pairs(found), [
    [march, 10],
    [april, 11],
  ]);
  assert.deepEqual(
    found.rejects.map(({ row, field }) => [row, field]),
    [[3, 'open_time']],
  );
});

test('candles of several instruments, or in another currency than dollars, are refused', () => {
  const two = [okxHeader, okx(NEW_YEAR, '10'), okx(NEW_YEAR, '3000', 1, 'ETH-USDT-SWAP')];
  assert.throws(() => read(two.join('\n')), /several instruments \("SOL-USDT", "ETH-USDT-SWAP"\)/);
  const inBitcoin = [okxHeader, okx(NEW_YEAR, '1', 1, 'SOL-BTC'), okx(NEW_YEAR + 60, '1', 1, 'SOL-BTC')];
  assert.throws(() => read(inBitcoin.join('\n')), /prices of SOL-BTC in BTC: reference prices are in USD/);
});

test('prices of CoinGecko count from the first whole second at or after their time', () => {
  const found = json({
    prices: [
      [NEW_YEAR * 1000, 100.5],
      [NEW_YEAR * 1000 + 5123, 101],
    ],
    market_caps: [],
    total_volumes: [],
  });
  assert.deepEqual(
    [found.shape, pairs(found)],
    [
      'CoinGecko',
      [
        [NEW_YEAR, 100.5],
        [NEW_YEAR + 6, 101],
      ],
    ],
  );
});

const own = [
  { row: 1, token: 'SOL', time: NEW_YEAR, usd_price: 100 },
  { row: 2, token: undefined, time: NEW_YEAR + 1, usd_price: null },
];
for (const [name, text] of Object.entries({
  CSV: `token,time,usd_price\nSOL,${NEW_YEAR},100\n,${NEW_YEAR + 1},null\n`,
  'CSV with tabs, quotes and other columns': `note\tusd_price\tToken\tTIME\n"a ""b""\n\tc"\t100\t"SOL"\t${NEW_YEAR}\nx\t\\N\t\t${NEW_YEAR + 1}`,
  'CSV with semicolons': `token;time;usd_price\nSOL;${NEW_YEAR};100\n;${NEW_YEAR + 1};null`,
  NDJSON: `{"token":"SOL","time":${NEW_YEAR},"usd_price":"100"}\n\n{"time":${NEW_YEAR + 1},"usd_price":null}\n`,
  'a JSON array': `[{"token":"SOL","time":${NEW_YEAR},"usd_price":100},{"time":${NEW_YEAR + 1},"usd_price":null}]`,
}))
  test(`Swapfold's own columns as ${name}`, () => {
    const found = read(text);
    assert.deepEqual([found.shape, found.prices, found.rejects], ['own columns', own, []]);
  });

for (const [time, second] of [
  ['2024-01-01T00:00:00Z', 0],
  ['2024-01-01T00:00:00.001Z', 1],
  ['2024-01-01 00:00:00.000 UTC', 0],
  ['2024-01-01 00:00:07', 7],
  ['2024-01-01T01:00:00+01:00', 0],
  ['2024-01-01 01:00:00+01', 0],
  [`${NEW_YEAR * 1000}`, 0],
  [`${NEW_YEAR * 1e6 + 1}`, 1],
  [`${NEW_YEAR}.5`, 1],
] as const)
  test(`the time ${time} is ${second} seconds into 2024`, () => {
    assert.deepEqual(pairs(read(`time,usd_price\n${time},2`)), [[NEW_YEAR + second, 2]]);
  });

for (const [row, field, reason] of [
  ['yesterday,2', 'time', /expected Unix seconds, .* received "yesterday"/],
  ['2023-02-30T00:00:00Z,2', 'time', /received "2023-02-30T00:00:00Z"/],
  ['-5,2', 'time', /received "-5"/],
  [`${NEW_YEAR}000000000,2`, 'time', /received "1704067200000000000"/],
  [`${NEW_YEAR},`, 'usd_price', /expected a number above 0, received "" \(null removes a price\)/],
  [`${NEW_YEAR},0`, 'usd_price', /received "0"/],
  [`${NEW_YEAR},-1`, 'usd_price', /received "-1"/],
  [`${NEW_YEAR},0x10`, 'usd_price', /received "0x10"/],
  [`${NEW_YEAR},1e999`, 'usd_price', /received "1e999"/],
  [`${NEW_YEAR},1,5`, '', /^has 3 values, expected 2$/],
] as const)
  test(`the row "${row}" is rejected with its place, and the next one is read`, () => {
    const found = read(`time,usd_price\n${row}\n${NEW_YEAR},3`);
    assert.deepEqual([found.rows, pairs(found)], [2, [[NEW_YEAR, 3]]]);
    const [reject] = found.rejects;
    assert.deepEqual([found.rejects.length, reject?.row, reject?.field], [1, 1, field]);
    assert.match(reject!.reason, reason);
  });

test('faulty candles are rejected by their own columns, and the others are read', () => {
  const rows = [
    kline(NEW_YEAR, DAY, 'x'),
    `later,${kline(NEW_YEAR, DAY, 5).split(',').slice(1).join(',')}`,
    `${NEW_YEAR * 1000},1,2,0.5,5,7,${NEW_YEAR * 1000 - 1},9,3,4,5,0`,
    '1,2,3',
    kline(NEW_YEAR + DAY, DAY, '98.25'),
  ];
  const found = read([klineHeader, ...rows].join('\n'));
  assert.deepEqual(pairs(found), days.slice(1));
  assert.deepEqual(
    found.rejects.map(({ row, field }) => [row, field]),
    [
      [1, 'close'],
      [2, 'open_time'],
      [3, 'close_time'],
      [4, ''],
    ],
  );
  const unsure = [okxHeader, okx(NEW_YEAR, '10', 7), okx(NEW_YEAR + 60, '11')];
  assert.deepEqual(read(unsure.join('\n')).rejects, [
    { row: 1, field: 'confirm', reason: 'expected 0 or 1, received "7"' },
  ]);
});

test('a line that is no JSON is rejected among lines that are', () => {
  const found = read(`{"time":${NEW_YEAR},"usd_price":1}\n{"time":\n[1]\n{"time":${NEW_YEAR + 1},"usd_price":2}`);
  assert.deepEqual(pairs(found), [
    [NEW_YEAR, 1],
    [NEW_YEAR + 1, 2],
  ]);
  assert.deepEqual(
    found.rejects.map(({ row, reason }) => [row, reason.replace(/\(.*/, '')]),
    [
      [2, 'is no JSON '],
      [3, 'is not an object: [1]'],
    ],
  );
});

for (const [what, text, found] of [
  ['other columns', 'date,price\n2024-01-01,5', 'has the columns "date", "price"'],
  ['other objects', '[{"t":1,"p":2}]', 'has objects with "t", "p"'],
  ['another document', '{"result":{"list":[]}}', 'is an object with "result"'],
  ['arrays of another length', '[[1704067200000,1,2,3,4,5]]', 'has arrays of 6 values'],
  ['a cut document', '[[1704067200000,"1",', 'is no JSON'],
  ['arrays of numbers', '[1,2]', 'has 1'],
] as const)
  test(`${what}: the error names what it found and the shapes that are read`, () => {
    assert.throws(
      () => read(text),
      (error: Error) => {
        assert.ok(error.message.startsWith(`file is no file of prices that is known: it ${found}`), error.message);
        for (const shape of ['token, time, usd_price', 'Binance klines', 'OKX candles', 'CoinGecko'])
          assert.ok(error.message.includes(shape), shape);
        return true;
      },
    );
  });

test('gzip files are read; damaged, packed otherwise, empty and missing ones are refused', async () => {
  // Windows begins texts with a byte order mark.
  const packed = gzipSync(`\ufeff${klines(1000).join('\n')}`);
  await writeFile(path('whole.csv.gz'), packed);
  assert.deepEqual(pairs(await readPrices(path('whole.csv.gz'), NOW)), days);
  const refused = {
    'cut.gz': [packed.subarray(0, 30), /^cut\.gz is a damaged gzip file/],
    'one.zip': [Buffer.from('PK\u0003\u0004rest'), /^one\.zip is a zip file: unpack it, or pipe it in \(unzip -p/],
    'one.parquet': [Buffer.from('PAR1rest'), /^one\.parquet is a Parquet file: prices are read from CSV and JSON/],
    'empty.csv': [Buffer.from(' \n'), /^empty\.csv is empty/],
  } as const;
  for (const [name, [bytes, message]] of Object.entries(refused)) {
    await writeFile(path(name), bytes);
    await assert.rejects(readPrices(path(name), NOW), { code: 'invalid-input', message });
  }
  await assert.rejects(readPrices(path('none.csv'), NOW), { message: /^Cannot read .*no such file\.$/ });
});
