import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsToObjects, type SwapInput } from '@swapfold/core';
import { generateMarket, type MarketOptions } from '../src/index.ts';

const quotes = new Set(['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'So11111111111111111111111111111111111111112']);

function rowsOf(options: Omit<MarketOptions, 'shape'>): SwapInput[] {
  const { swaps } = generateMarket({ ...options, shape: 'launchpad' });
  return [...swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
}

const options = { seed: 7, swaps: 60_000 } as const;
const rows = rowsOf(options);

/** The launched token of a swap, if it has one. */
const tokenOf = ({ token_in, token_out }: SwapInput): string | undefined =>
  [token_in, token_out].find((token) => !quotes.has(token));

function byKey<K>(swaps: readonly SwapInput[], key: (swap: SwapInput) => K | undefined): Map<K, SwapInput[]> {
  const groups = new Map<K, SwapInput[]>();
  for (const swap of swaps) {
    const of = key(swap);
    if (of === undefined) continue;
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [swap]);
    else group.push(swap);
  }
  return groups;
}

const tokens = byKey(rows, tokenOf);

for (const [seed, swaps] of [
  [1, 20_000],
  [2, 20_000],
  [3, 60_000],
] as const) {
  test(`of ${swaps} swaps of seed ${seed}, a wallet makes 3 in the median and 8 to 10 on average`, () => {
    const counts = [...byKey(rowsOf({ seed, swaps }), ({ wallet }) => wallet).values()]
      .map(({ length }) => length)
      .sort((a, b) => a - b);
    assert.equal(counts[counts.length >> 1], 3);
    const mean = swaps / counts.length;
    assert.ok(mean >= 8 && mean <= 10, String(mean));
  });
}

test('a wallet trades a token once or twice', () => {
  const traded = [...tokens.values()].flat();
  const pairs = byKey(traded, (swap) => `${swap.wallet} ${tokenOf(swap)}`);
  const mean = traded.length / pairs.size;
  assert.ok(mean > 1.2 && mean < 2.1, String(mean));
});

test('most tokens live for about an hour: their trades all lie within two', () => {
  const lives = [...tokens.values()].map((swaps) => swaps.at(-1)!.block_time - swaps[0]!.block_time);
  assert.ok(lives.length > 1500, String(lives.length));
  const part = lives.filter((seconds) => seconds <= 7200).length / lives.length;
  assert.ok(part > 0.75 && part < 0.9, String(part));
  const median = lives.sort((a, b) => a - b)[lives.length >> 1]!;
  assert.ok(median > 1800 && median < 5400, String(median));
});

test('one token in a hundred leaves its curve, once, and goes on in a pool', () => {
  const graduates = [...tokens.values()].filter((swaps) => swaps.some(({ protocol }) => protocol === 'pump_amm'));
  const part = graduates.length / tokens.size;
  assert.ok(part > 0.008 && part < 0.012, String(part));
  for (const swaps of graduates) {
    const left = swaps.findIndex(({ protocol }) => protocol === 'pump_amm');
    assert.ok(left > 0 && swaps.slice(left).every(({ protocol }) => protocol === 'pump_amm'));
  }
  const later = graduates.filter((swaps) => swaps.at(-1)!.block_time - swaps[0]!.block_time > 86_400);
  assert.ok(later.length > graduates.length / 2, `${later.length} of ${graduates.length}`);
});

test('on a curve everybody pays with SOL, and a buy right after another one pays more', () => {
  const sol = 'So11111111111111111111111111111111111111112';
  let pairs = 0;
  for (const swaps of tokens.values()) {
    const onCurve = swaps.filter(({ protocol }) => protocol === 'pump_fun');
    assert.ok(onCurve.every(({ token_in, token_out }) => token_in === sol || token_out === sol));
    const priceOf = ({ token_amount_in, token_amount_out }: SwapInput): number => token_amount_in / token_amount_out;
    for (const [i, swap] of onCurve.slice(1).entries()) {
      const before = onCurve[i]!;
      // Of less, a price is rounded by the decimals of the token.
      if (before.token_in !== sol || swap.token_in !== sol || swap.token_amount_out < 1) continue;
      pairs++;
      assert.ok(priceOf(swap) > priceOf(before) * (1 - 1e-5), JSON.stringify([before, swap]));
    }
  }
  assert.ok(pairs > 5000, String(pairs));
});

test('the first swap of a token is its creator’s buy, and most creators sell within the hour', () => {
  const registry = generateMarket({ ...options, shape: 'launchpad' }).tokens();
  const launched = registry.filter(({ creator_address }) => creator_address !== null);
  let sold = 0;
  let known = 0;
  for (const { address, creator_address, created_at } of launched) {
    const [first, ...others] = tokens.get(address) ?? [];
    if (first === undefined) continue;
    known++;
    assert.equal(first.wallet, creator_address);
    assert.equal(first.token_out, address);
    assert.ok(first.block_time >= Date.parse(created_at!) / 1000);
    if (others.some(({ wallet, token_in }) => wallet === creator_address && token_in === address)) sold++;
  }
  assert.ok(known > 1500 && sold > 0.7 * known && sold < 0.95 * known, `${sold} of ${known}`);
});

test('other wallets buy half of the tokens within two seconds of the launch', () => {
  const sniped = [...tokens].filter(([token, [first, ...others]]) =>
    others.some(
      (swap) => swap.token_out === token && swap.wallet !== first!.wallet && swap.block_time - first!.block_time <= 2,
    ),
  );
  const part = sniped.length / tokens.size;
  assert.ok(part > 0.45 && part < 0.75, String(part));
});

test('one wallet in a hundred makes a third of the swaps', () => {
  const counts = [...byKey(rows, ({ wallet }) => wallet).values()].map(({ length }) => length).sort((a, b) => b - a);
  const busiest = counts.slice(0, Math.ceil(counts.length / 100)).reduce((sum, count) => sum + count, 0);
  const part = busiest / rows.length;
  assert.ok(part > 0.25 && part < 0.5, String(part));
});

test('every amount is positive, no balance is negative, and a sell of a token sells no more than was bought', () => {
  const held = new Map<string, number>();
  for (const row of rows) {
    for (const side of ['in', 'out'] as const) {
      assert.ok(row[`token_amount_${side}`] > 0 && Number.isFinite(row[`token_amount_${side}`]), JSON.stringify(row));
      assert.ok(row[`usd_amount_${side}`]! > 0 && Number.isFinite(row[`usd_amount_${side}`]!), JSON.stringify(row));
      assert.ok(row[`pre_token_balance_${side}`]! >= 0 && row[`post_token_balance_${side}`]! >= 0, JSON.stringify(row));
    }
    const token = tokenOf(row);
    if (token === undefined) continue;
    const key = `${row.wallet} ${token}`;
    const before = held.get(key) ?? 0;
    const after = before + (row.token_out === token ? row.token_amount_out : -row.token_amount_in);
    assert.ok(after > -1e-6 * (before + 1), JSON.stringify(row));
    held.set(key, after);
  }
});

test('swaps come in chain order, and swaps of one transaction are of one wallet', () => {
  for (const [i, row] of rows.slice(1).entries()) {
    const before = rows[i]!;
    if (row.tx_hash === before.tx_hash) {
      assert.equal(row.wallet, before.wallet);
      assert.equal(row.swap_index, before.swap_index + 1);
      continue;
    }
    assert.equal(row.swap_index, 0);
    const places = [row, before].map((swap) => [swap.block_time, swap.block_slot!, swap.tx_index!]);
    const differing = places[0]!.findIndex((value, k) => value !== places[1]![k]);
    assert.ok(differing >= 0 && places[0]![differing]! > places[1]![differing]!, JSON.stringify([before, row]));
  }
});

for (const swaps of [1, 2, 5, 99, 1000]) {
  test(`a launchpad of ${swaps} swaps has exactly that many, begins with SOL and ends at endTime`, () => {
    const made = rowsOf({ seed: 1, swaps, endTime: 1_700_000_000 });
    assert.equal(made.length, swaps);
    assert.equal(tokenOf(made[0]!), undefined);
    assert.equal(made.at(-1)!.block_time, 1_700_000_000);
  });
}

test('the same seed gives the same launchpad a second time and in batches of any size, another seed another one', () => {
  const short = { seed: 3, swaps: 5000 };
  const first = rowsOf(short);
  assert.deepEqual(rowsOf(short), first);
  assert.deepEqual(rowsOf({ ...short, batchRows: 500 }), first);
  assert.notDeepEqual(rowsOf({ ...short, seed: 4 }), first);
  const market = generateMarket({ ...short, shape: 'launchpad' });
  const again = (): SwapInput[] => [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
  assert.deepEqual(again(), again());
  assert.deepEqual(market.tokens(), generateMarket({ ...short, shape: 'launchpad' }).tokens());
});

for (const [name, given, message] of [
  ['wallets', { wallets: 100 }, /"wallets" of the market must be absent if its shape is 'launchpad', not 100/],
  ['tokens', { tokens: 100 }, /"tokens" of the market must be absent/],
  ['bots', { bots: 3 }, /"bots" of the market must be absent/],
  ['a surge', { surge: 0.1 }, /"surge" of the market must be absent/],
  ['a rush', { rush: 0.1 }, /"rush" of the market must be absent/],
  ['a mix', { mix: { bot: 60 } }, /"mix" of the market must be absent/],
  ['no swaps', { swaps: 0 }, /"swaps" of the market must be a whole number/],
  [
    'an unknown shape',
    { shape: 'bazaar' as 'usual' },
    /"shape" of the market must be 'usual' or 'launchpad', not "bazaar"/,
  ],
] as const) {
  test(`a launchpad with ${name} is refused`, () => {
    assert.throws(
      () => generateMarket({ seed: 1, swaps: 100, shape: 'launchpad', ...given }),
      (error: Error & { code?: string }) => error.code === 'invalid-input' && message.test(error.message),
    );
  });
}
