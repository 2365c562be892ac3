import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candleChart } from '../src/text/candle-chart.ts';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatElapsed,
  formatNative,
  formatPercent,
  formatUsd,
} from '../src/text/numbers.ts';
import { tableLines } from '../src/text/table.ts';

const plain = (text: string) => text;
const palette = { bold: plain, dim: plain, green: plain, red: plain };

test('numbers are written as people read them', () => {
  assert.equal(formatCount(1_234_567), '1,234,567');
  assert.deepEqual([0, 950, 1234, -45_600_000, 0.00123, 1.5e-9].map(formatCompact), [
    '0',
    '950',
    '1.23K',
    '-45.6M',
    '0.00123',
    '1.50e-9',
  ]);
  assert.deepEqual([0, -45_600, 1.5, null].map(formatUsd), ['$0', '-$45.6K', '$1.5', '–']);
  assert.deepEqual(
    [2, -1234, null].map((value) => formatNative(value, 'SOL')),
    ['2 SOL', '-1.23K SOL', '–'],
  );
  assert.deepEqual([12.345, -0.04, 99.96, 456.7, 999.97, 123_456, null].map(formatPercent), [
    '12.3%',
    '0.0%',
    '100%',
    '457%',
    '1K%',
    '123K%',
    '–',
  ]);
  assert.deepEqual([0.42, 3.14, 59.97, 119.7, 125].map(formatElapsed), [
    '0.42 s',
    '3.1 s',
    '1 min 0 s',
    '2 min 0 s',
    '2 min 5 s',
  ]);
  assert.deepEqual([9.99e14, 1e15, 1e21].map(formatCompact), ['999T', '1.00e+15', '1.00e+21']);
  assert.deepEqual([59.7, 3599.6].map(formatDuration), ['1m 0s', '1h 0m']);
  assert.deepEqual([0, 59, 3600, 90_061, 725, null].map(formatDuration), [
    '0s',
    '59s',
    '1h 0m',
    '1d 1h',
    '12m 5s',
    '–',
  ]);
});

test('the columns of a table stand under each other, without spaces at the ends of lines', () => {
  const columns = [
    { title: 'name', align: 'left' },
    { title: 'n', align: 'right' },
    { title: 'note', align: 'left' },
  ] as const;
  assert.deepEqual(
    tableLines(columns, [
      ['a', '1,000', 'x'],
      ['long name', '5', ''],
    ]),
    ['name           n  note', '─────────  ─────  ────', 'a          1,000  x', 'long name      5'],
  );
});

test('a symbol that would move the cursor, turn the text or end the line is written out', () => {
  const [, , row] = tableLines([{ title: 'token', align: 'left' }], [['A\u001b[2J\u202e\nB é 猫']]);
  assert.equal(row, 'A\\u{1B}[2J\\u{202E}\\u{A}B é 猫');
});

// Two lines are four half characters: 0 at price 1, 3 at price 4.
const candles = [
  { timestamp: 1_704_412_800, open: 1, high: 4, low: 1, close: 2, volume: 8, count: 1, suspect_count: 0 },
  { timestamp: 1_704_416_400, open: 4, high: 4, low: 2, close: 3, volume: 1, count: 1, suspect_count: 0 },
  { timestamp: 1_704_420_000, open: 2, high: 2, low: 2, close: 2, volume: 0, count: 1, suspect_count: 0 },
];

test('a candle chart draws bodies thick, wicks thin, and volumes below', () => {
  assert.deepEqual(candleChart(candles, { height: 2, palette }), [
    '    $4 ┤│┃ ',
    '       ┤┃╵╹',
    '$8 vol ┤█▁ ',
    '        01-05 00:00  01-05 02:00',
  ]);
});

test('a candle chart of one price is a line, not a fault', () => {
  const flat = [{ ...candles[2]!, volume: 0 }];
  const lines = candleChart(flat, { height: 3, palette });
  assert.equal(lines.length, 5);
  assert.equal(lines.slice(0, 3).filter((line) => line.endsWith('╹') || line.endsWith('╻')).length, 1);
});

test('rising candles are green and falling ones red', () => {
  const painted = { ...palette, green: (text: string) => `+${text}`, red: (text: string) => `-${text}` };
  assert.equal(candleChart(candles, { height: 2, palette: painted })[0], '    $4 ┤+│-┃ ');
});
