import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { unvaluedWarning } from '../src/prices/valuation.ts';
import { runMany, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const wallet = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const noon = 1_735_732_800; // 2025-01-01T12:00:00Z

const columns =
  'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out,usd_amount_in';
let transaction = 0;
const swap = (at: number, from: string, amount: number, to: string, received: number, usd = '') =>
  `tx${transaction++},0,${noon + at},${wallet},${from},${to},${amount},${received},${usd}`;
/** Bought for 1 SOL, sold for 3. */
const inSol = [swap(0, SOL, 1, WIF, 100), swap(3600, WIF, 100, SOL, 3)];
/** Bought for 50 USDC, sold for 75. */
const inUsdc = [swap(60, USDC, 50, BONK, 10), swap(120, BONK, 10, USDC, 75)];
/** Bought for 60 USDC of which the feed says that they are 18 trillion dollars. */
const mispriced = swap(180, USDC, 60, BONK, 12, '18000000000000');

async function file(name: string, rows: readonly string[]): Promise<string> {
  await writeFile(path(name), [columns, ...rows, ''].join('\n'));
  return path(name);
}

/** What follows `title` up to the end of its line, spaces apart. */
const line = (text: string, title: string): string[] =>
  text
    .split('\n')
    .find((one) => one.startsWith(title))
    ?.split(/ {2,}/)
    .map((cell) => cell.trim()) ?? [];

describe('what has no value in USD', () => {
  let answers: Awaited<ReturnType<typeof runMany>>;
  const answer = (i: number) => answers[i]!;
  before(async () => {
    const db = ['--db', path('sol.db')];
    const both = ['--db', path('both.db')];
    answers = await runMany(
      [
        ['import', 'swaps', await file('sol.csv', inSol), ...db],
        ['info', ...db],
        ['wallet', wallet, ...db],
        ['token', WIF, ...db],
        ['top', WIF, ...db],
        ['import', 'swaps', await file('both.csv', [...inUsdc, mispriced]), ...both],
        ['info', ...both],
        ['wallet', wallet, ...both],
      ],
      { cwd: path('.') },
    );
    for (const { code, stderr } of answers) assert.equal(code, 0, stderr);
  });

  test('the record of a wallet has no dollars that nobody knows, and names what it has', () => {
    const records = [answer(2), answer(7)].map(({ stdout }) =>
      stdout.split('\n').find((one) => one.startsWith('record')),
    );
    // 60 USDC for 12 BONK have no sale: what is realised are the 25 of the 50.
    assert.deepEqual(records, [
      'record 2 trades on 1 day since 2025-01-01',
      'record 3 trades on 1 day since 2025-01-01, $25 realised, $25 if no gain on paper comes true, 0.0% of its sales without a known cost',
    ]);
  });

  test('an import warns of it: how many, which quote token has no price, and the two remedies', () => {
    const lines = answer(0).stderr.split('\n');
    const from = lines.findIndex((one) => one.startsWith('Warning:'));
    assert.deepEqual(lines.slice(from, from + 4), [
      'Warning: 2 of 2 swaps (100%) have no value in USD; sums in USD leave them out.',
      '  SOL has no price in 2 of them.',
      '  Import prices of SOL: swapfold import prices FILE --token SOL --db ...',
      '  Or import swaps of SOL against a stable token, such as USDC.',
    ]);
    assert.doesNotMatch(answer(0).stdout, /Contradicted/);
  });

  test('info counts it', () => {
    assert.match(answer(1).stdout, /^without value +2 swaps; SOL has no price in 2$/m);
    assert.match(answer(1).stdout, /^contradicted +0 swaps$/m);
  });

  test('a wallet shows its result in SOL, and a dash with the reason for sums in USD', () => {
    const { stdout } = answer(2);
    assert.deepEqual(line(stdout, 'pnl '), ['pnl', '–', '–', '–']);
    assert.deepEqual(line(stdout, 'pnl_native'), ['pnl_native', '2 SOL', '2 SOL', '2 SOL']);
    assert.deepEqual(line(stdout, 'roi_native'), ['roi_native', '200%', '200%', '200%']);
    assert.deepEqual(line(stdout, 'volume '), ['volume', '–', '–', '–']);
    for (const name of ['largest_win', 'largest_loss', 'max_drawdown'])
      assert.deepEqual(line(stdout, `${name} `), [name, '–', '–', '–']);
    assert.deepEqual(line(stdout, 'volume_native'), ['volume_native', '4 SOL', '4 SOL', '4 SOL']);
    assert.match(
      stdout,
      /\n– for a sum in USD: none of its trades has a value in USD\. "swapfold info" says which quote token has no price\.\n/,
    );
    assert.match(stdout, /realized pnl +realized SOL +realized roi +roi SOL +unrealized pnl +unrealized SOL/);
    // The wallet has one position, and sold it all.
    assert.match(stdout, /\n\S+ +closed +– +2 +– +200% +– +/);
  });

  test('a token shows its volume in SOL', () => {
    const { stdout } = answer(3);
    // 7d, 1d, 6h, and 1h, 5m, 1m, which begin after the buy.
    assert.deepEqual(line(stdout, 'volume ').slice(1), ['–', '–', '–', '–', '–', '–']);
    const volumes = ['4 SOL', '4 SOL', '4 SOL', '3 SOL', '3 SOL', '3 SOL'];
    assert.deepEqual(line(stdout, 'volume_native').slice(1), volumes);
    assert.equal(stdout.match(/^– for a sum in USD/gm)?.length, 1);
  });

  test('top shows results in SOL, and dashes for what was bought and sold', () => {
    const { stdout } = answer(4);
    assert.match(
      stdout,
      new RegExp(`\n1  ${wallet}  closed +– +2 +– +200% +– +– +– +– +– +2  2025-01-01T13:00:00Z\n– for a sum in USD`),
    );
  });

  test('with values, nothing warns, no dash stands for a sum, and without a price of SOL nothing is in SOL', () => {
    assert.doesNotMatch(answer(5).stderr, /Warning/);
    const { stdout } = answer(7);
    assert.deepEqual(line(stdout, 'pnl '), ['pnl', '$25', '$25', '$25']);
    assert.doesNotMatch(stdout, /SOL|_native|for a sum/);
  });

  test('a feed that is not believed is counted by the import and by info', () => {
    assert.match(answer(5).stdout, /^Contradicted in the store: one swap\. A quote token says /m);
    assert.match(answer(6).stdout, /^contradicted +one swap$/m);
    // 50 + 75 + 60.
    assert.deepEqual(line(answer(7).stdout, 'volume '), ['volume', '$185', '$185', '$185']);
  });
});

const quotes = [
  { address: USDC, symbol: 'USDC', kind: 'stable' },
  { address: SOL, symbol: 'SOL', kind: 'native' },
  { address: BONK, symbol: 'mSOL', kind: 'reference' },
] as const;
const valuation = (unvalued: number, unpriced: readonly (readonly [string, string, number])[] = []) => ({
  unvalued,
  contradicted: 0,
  unpriced: unpriced.map(([token, symbol, swaps]) => ({ token, symbol, swaps })),
  stable_feeds: [],
});

for (const [swaps, unvalued, isWarned] of [
  [100, 1, false],
  [100, 2, true],
  [99, 1, true],
  [0, 0, false],
] as const)
  test(`${unvalued} of ${swaps} swaps without a value ${isWarned ? 'are worth' : 'are not worth'} a warning`, () => {
    const warning = unvaluedWarning({ swaps, valuation: valuation(unvalued) }, { quote_tokens: quotes });
    assert.equal(warning.length > 0, isWarned);
  });

test('a token of kind reference has one remedy: swaps against a stable token would not price it', () => {
  const info = { swaps: 10, valuation: valuation(4, [[BONK, 'mSOL', 4]]) };
  assert.deepEqual(unvaluedWarning(info, { quote_tokens: quotes }), [
    'Warning: 4 of 10 swaps (40.0%) have no value in USD; sums in USD leave them out.',
    '  mSOL has no price in 4 of them.',
    '  Import prices of mSOL: swapfold import prices FILE --token mSOL --db ...',
  ]);
});

test('without a quote token in them, the warning names what the configuration or the rows lack', () => {
  const warning = unvaluedWarning({ swaps: 10, valuation: valuation(10) }, { quote_tokens: [] });
  assert.match(warning[1]!, /No quote token is in them\. Name .* "quote_tokens" .* or give usd_amount_in/);
});

describe('a print far off those before it', () => {
  /** Ten buys at 1 USD, and 50 cents at 1,000 USD an hour later. */
  const prints = [
    ...Array.from({ length: 10 }, (_, i) => swap(i, USDC, 100, BONK, 100)),
    swap(3600, USDC, 0.5, BONK, 0.0005),
  ];
  let answers: Awaited<ReturnType<typeof runMany>>;
  before(async () => {
    const db = ['--db', path('prints.db')];
    answers = await runMany(
      [
        ['import', 'swaps', await file('prints.csv', prints), ...db],
        ['token', BONK, ...db],
        ['candles', BONK, '--interval', '1d', ...db],
        ['candles', BONK, '--interval', '1d', '--prints', 'clean', '--format', 'json', ...db],
      ],
      { cwd: path('.') },
    );
    for (const { code, stderr } of answers) assert.equal(code, 0, stderr);
  });

  test('a token says so, beside the price that values it', () => {
    assert.match(answers[1]!.stdout, /price \$1,.*\nnewest print \$1K: suspect/);
  });

  test('candles say how many they draw, and draw clean prints alone if asked', () => {
    assert.match(
      answers[2]!.stdout,
      /Prints far off those before them: 1, drawn too; --prints clean leaves them out\./,
    );
    const [candle] = JSON.parse(answers[3]!.stdout) as { high: number; suspect_count: number }[];
    assert.deepEqual([candle!.high, candle!.suspect_count], [1, 1]);
  });
});
