import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { columnsToObjects, type SwapInput } from '@swapfold/core';
import { cases } from '../../../test/support/whole.ts';
import { generateMarket, type MarketOptions, type MarketTransfer } from '../src/index.ts';

const quotes = new Set([
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  'So11111111111111111111111111111111111111112',
]);

function rowsOf(options: MarketOptions): SwapInput[] {
  return [...generateMarket(options).swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
}

function digest(rows: Iterable<object>): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

const options = { seed: 7, swaps: 60_000 } as const;
/** For what is made again and again. */
const shorter = { ...options, swaps: cases(60_000, 3000) };
const rows = rowsOf(options);
const byTransaction = new Map<string, SwapInput[]>();
for (const row of rows) {
  const found = byTransaction.get(row.tx_hash);
  if (found === undefined) byTransaction.set(row.tx_hash, [row]);
  else found.push(row);
}
const transactions = [...byTransaction.values()];

test('the same seed gives the same swaps and registries a second time', () => {
  assert.equal(digest(rowsOf(shorter)), digest(rowsOf(shorter)));
  const [one, two] = [generateMarket(shorter), generateMarket(shorter)];
  assert.deepEqual(one.tokens(), two.tokens());
  assert.deepEqual(one.wallets(), two.wallets());
  assert.equal(
    digest([...one.swaps()].flatMap((b) => [...columnsToObjects(b)])),
    digest([...one.swaps()].flatMap((b) => [...columnsToObjects(b)])),
  );
});

test('the first 5,000 swaps of seed 7 are the same on every machine', () => {
  // Taken on Linux x64, Node 20. A deliberate change of the generator changes it; nothing else may.
  assert.equal(digest(rows.slice(0, 5000)), '1aeb94af997be80774fcefe047c06727604d604c11b390391800e3f939e80359');
});

test('the size of the batches changes nothing but the size of the batches', () => {
  assert.equal(digest(rowsOf({ ...shorter, batchRows: 500 })), digest(rowsOf(shorter)));
});

test('another seed gives another market', () => {
  assert.notEqual(digest(rowsOf({ seed: 8, swaps: 1000 })), digest(rowsOf({ seed: 9, swaps: 1000 })));
});

for (const swaps of [1, 2, 5, 99, 1000, 12_345]) {
  test(`a market of ${swaps} swaps has exactly that many and ends at endTime`, () => {
    const made = rowsOf({ seed: 1, swaps, endTime: 1_700_000_000 });
    assert.equal(made.length, swaps);
    assert.equal(made.at(-1)!.block_time, 1_700_000_000);
  });
}

test('every amount, price and USD value is positive and finite, or absent; no balance is negative', () => {
  for (const row of rows) {
    for (const side of ['in', 'out'] as const) {
      assert.ok(row[`token_amount_${side}`] > 0 && Number.isFinite(row[`token_amount_${side}`]), JSON.stringify(row));
      for (const value of [row[`token_price_${side}`], row[`usd_amount_${side}`]]) {
        assert.ok(value === null || (value! > 0 && Number.isFinite(value!)), JSON.stringify(row));
      }
      assert.ok(row[`pre_token_balance_${side}`]! >= 0 && row[`post_token_balance_${side}`]! >= 0, JSON.stringify(row));
    }
  }
});

test('swaps come in chain order, without a gap in swap_index', () => {
  const place = (row: SwapInput): number[] => [row.block_time, row.block_slot!, row.tx_index!];
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (before === undefined) continue;
    if (before.tx_hash === row.tx_hash) {
      assert.deepEqual(place(row), place(before));
      assert.equal(row.swap_index, before.swap_index + 1);
    } else {
      assert.equal(row.swap_index, 0);
      const differing = place(row).findIndex((value, k) => value !== place(before)[k]);
      assert.ok(differing >= 0 && place(row)[differing]! > place(before)[differing]!, JSON.stringify([before, row]));
    }
  }
});

test('a transaction belongs to one wallet', () => {
  assert.ok(transactions.every((swaps) => swaps.every((swap) => swap.wallet === swaps[0]!.wallet)));
});

test('addresses and hashes have the shapes of the chain', () => {
  const addresses = new Set(rows.flatMap((row) => [row.wallet, row.token_in, row.token_out]));
  for (const address of addresses) assert.match(address, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  for (const hash of byTransaction.keys()) assert.match(hash, /^[1-9A-HJ-NP-Za-km-z]{87,88}$/);
});

const isQuote = (token: string): boolean => quotes.has(token);
const hops = transactions.filter(
  (swaps) => swaps.length > 1 && swaps.some((swap, i) => i > 0 && swap.token_in === swaps[i - 1]!.token_out),
);
const isRoundTrip = (swaps: SwapInput[]): boolean => swaps[0]!.token_in === swaps.at(-1)!.token_out;
const routes = hops.filter((swaps) => !isRoundTrip(swaps));

test('the last hop of an atomic round trip gives exactly what the hop before received', () => {
  const trips = hops.filter(isRoundTrip);
  assert.ok(trips.length > 0);
  for (const swaps of trips) assert.equal(swaps.at(-1)!.token_amount_in, swaps.at(-2)!.token_amount_out);
});

test('most routes pass on exactly what they received, and some leave up to 1 % of it', () => {
  const parts = routes.flatMap((swaps) =>
    swaps.slice(1).map((swap, i) => swap.token_amount_in / swaps[i]!.token_amount_out),
  );
  const exact = parts.filter((part) => part === 1).length;
  assert.ok(exact > parts.length * 0.7 && exact < parts.length, `${exact} of ${parts.length}`);
  const uncut = routes.filter((swaps) => swaps.every((swap) => swap.token_amount_in > 0.01));
  for (const swaps of uncut) {
    for (const [i, swap] of swaps.slice(1).entries()) {
      const part = swap.token_amount_in / swaps[i]!.token_amount_out;
      assert.ok(part <= 1 && part > 0.98, JSON.stringify(swaps));
    }
  }
});

/** What the market must hold, each with the number of swaps, transactions or pairs that show it. */
function phenomena(): Record<string, number> {
  const bought = new Map<string, number>();
  const soldBy = new Map<string, number>();
  const boughtBy = new Map<string, number>();
  let oversold = 0;
  for (const row of rows) {
    const inKey = `${row.wallet} ${row.token_in}`;
    const outKey = `${row.wallet} ${row.token_out}`;
    if (!isQuote(row.token_in)) {
      const left = (bought.get(inKey) ?? 0) - row.token_amount_in;
      if (left < -1e-6 * row.token_amount_in) oversold++;
      bought.set(inKey, Math.max(0, left));
      soldBy.set(row.wallet, (soldBy.get(row.wallet) ?? 0) + 1);
    }
    if (!isQuote(row.token_out)) {
      bought.set(outKey, (bought.get(outKey) ?? 0) + row.token_amount_out);
      boughtBy.set(row.wallet, (boughtBy.get(row.wallet) ?? 0) + 1);
    }
  }
  const launched = new Map(
    generateMarket(options)
      .tokens()
      .flatMap((token) => (token.created_at === null ? [] : [[token.address, Date.parse(token.created_at) / 1000]])),
  );
  const lasts = new Map<string, number>();
  const peaks = new Map<string, number>();
  for (const row of rows) {
    if (isQuote(row.token_out) || row.token_price_out == null) continue;
    lasts.set(row.token_out, row.token_price_out);
    peaks.set(row.token_out, Math.max(peaks.get(row.token_out) ?? 0, row.token_price_out));
  }
  const count = (of: (row: SwapInput) => boolean): number => rows.filter(of).length;
  return {
    'stable-native swaps': count(
      (row) => isQuote(row.token_in) && isQuote(row.token_out) && row.token_symbol_in !== row.token_symbol_out,
    ),
    'token-to-token swaps': count(
      (row) => !isQuote(row.token_in) && !isQuote(row.token_out) && row.token_in !== row.token_out,
    ),
    'self swaps': count((row) => row.token_in === row.token_out),
    'dust swaps': count((row) => row.usd_amount_in != null && row.usd_amount_in < 0.1),
    'swaps without USD': count((row) => row.usd_amount_in === null),
    'swaps without a symbol': count((row) => row.token_symbol_in === null),
    'sells that leave nothing though they sold a part': count(
      (row) => row.post_token_balance_in === 0 && row.pre_token_balance_in! > row.token_amount_in * 1.05,
    ),
    'sells of what was never bought': oversold,
    'launch buys within 3 seconds': count((row) => row.block_time - (launched.get(row.token_out) ?? -Infinity) <= 3),
    'routes of two hops': routes.filter((swaps) => swaps.length === 2).length,
    'routes of three hops': routes.filter((swaps) => swaps.length === 3).length,
    'round trips of two hops': hops.filter((swaps) => isRoundTrip(swaps) && swaps.length === 2).length,
    'round trips of three hops': hops.filter((swaps) => isRoundTrip(swaps) && swaps.length === 3).length,
    'split trades': transactions.filter(
      (swaps) =>
        swaps.length > 1 &&
        swaps.every((s) => s.token_in === swaps[0]!.token_in && s.token_out === swaps[0]!.token_out),
    ).length,
    'transactions in the second of the one before': transactions.filter(
      (swaps, i) => i > 0 && swaps[0]!.block_time === transactions[i - 1]![0]!.block_time,
    ).length,
    'transactions in the slot of the one before': transactions.filter(
      (swaps, i) => i > 0 && swaps[0]!.block_slot === transactions[i - 1]![0]!.block_slot,
    ).length,
    'wallets with 10 buys and no sell': [...boughtBy].filter(([wallet, buys]) => buys >= 10 && !soldBy.has(wallet))
      .length,
    'wallets with 500 trades': [...boughtBy].filter(([wallet, buys]) => buys + (soldBy.get(wallet) ?? 0) >= 500).length,
    'tokens that fell by more than 99.9 %': [...lasts].filter(([token, last]) => last < peaks.get(token)! / 1000)
      .length,
    'prices under 1e-10': [...lasts.values()].filter((price) => price < 1e-10).length,
    'prices over 5e4': [...lasts.values()].filter((price) => price > 5e4).length,
    'swaps in USDT': count((row) => row.token_symbol_in === 'USDT'),
    'swaps on pump_amm': count((row) => row.protocol === 'pump_amm'),
  };
}

for (const [name, number] of Object.entries(phenomena())) {
  test(`the market has ${name}`, () => assert.ok(number > 0));
}

test('a native-stable swap comes first and one falls into every hundredth of the period', () => {
  const isNative = (row: SwapInput): boolean =>
    new Set([row.token_symbol_in, row.token_symbol_out]).size === 2 &&
    isQuote(row.token_in) &&
    isQuote(row.token_out) &&
    'SOL' === (row.token_symbol_in === 'SOL' ? 'SOL' : row.token_symbol_out);
  assert.ok(isNative(rows[0]!));
  const first = rows[0]!.block_time;
  const step = (rows.at(-1)!.block_time - first) / 100;
  const hundredths = new Set(
    rows.filter(isNative).map((row) => Math.min(99, Math.floor((row.block_time - first) / step))),
  );
  assert.equal(hundredths.size, 100);
});

test('the busiest tenth of the wallets makes over a third of the swaps, and the most traded tenth of the tokens too', () => {
  const share = (keys: string[]): number => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const sorted = [...counts.values()].sort((a, b) => b - a);
    return sorted.slice(0, Math.ceil(sorted.length / 10)).reduce((sum, n) => sum + n, 0) / keys.length;
  };
  assert.ok(share(rows.map((row) => row.wallet)) > 1 / 3);
  assert.ok(share(rows.flatMap((row) => [row.token_in, row.token_out]).filter((token) => !isQuote(token))) > 1 / 3);
});

test('a balance goes on from where the last swap of the pair left it, or a transfer came between', () => {
  const last = new Map<string, number>();
  let [kept, all] = [0, 0];
  for (const row of rows) {
    if (row.token_in === row.token_out) continue;
    for (const side of ['in', 'out'] as const) {
      const key = `${row.wallet} ${row[`token_${side}`]}`;
      const before = last.get(key);
      if (before !== undefined) {
        all++;
        if (before === row[`pre_token_balance_${side}`]) kept++;
      }
      last.set(key, row[`post_token_balance_${side}`]!);
    }
  }
  assert.ok(kept > all * 0.8 && kept < all, `${kept} of ${all}`);
});

test('with its transfers, a balance of what is no quote token goes on from where it was left', () => {
  const transfers = [...generateMarket(options).transfers()];
  assert.ok(transfers.length > 500);
  const known = new Set(rows.map(({ wallet }) => wallet));
  const balances = new Map<string, number>();
  const move = ({ from, to, token, token_amount, kind }: MarketTransfer): void => {
    const [own, other, sign] = kind === 'deposit' ? [to, from, 1] : [from, to, -1];
    assert.ok(!known.has(other) && token_amount > 0);
    const pair = `${own} ${token}`;
    balances.set(pair, (balances.get(pair) ?? 0) + sign * token_amount);
  };
  const isBy = (a: { block_slot?: number | null; tx_index?: number | null }, b: typeof a): boolean =>
    a.block_slot! < b.block_slot! || (a.block_slot === b.block_slot && a.tx_index! <= b.tx_index!);
  const isNear = (a: number, b: number, amount: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(amount, a, 1e-6);
  let at = 0;
  let left = 0;
  for (const swap of rows) {
    const out: MarketTransfer[] = [];
    for (; at < transfers.length && isBy(transfers[at]!, swap); at++)
      if (transfers[at]!.kind === 'deposit') move(transfers[at]!);
      else if (transfers[at]!.tx_hash === swap.tx_hash) out.push(transfers[at]!);
      else assert.fail('a withdrawal is of the transaction of a swap');
    for (const side of ['in', 'out'] as const) {
      const [token, amount] = [swap[`token_${side}`], swap[`token_amount_${side}`]];
      if (quotes.has(token)) continue;
      const pair = `${swap.wallet} ${token}`;
      const [pre, post] = [swap[`pre_token_balance_${side}`]!, swap[`post_token_balance_${side}`]!];
      assert.ok(isNear(pre, balances.get(pair) ?? 0, amount), `${swap.tx_hash} ${side}`);
      balances.set(pair, side === 'in' ? pre - amount : pre + amount);
      for (const transfer of out.filter((one) => one.token === token && one.from === swap.wallet)) {
        move(transfer);
        left++;
      }
      assert.ok(isNear(post, balances.get(pair)!, amount), `${swap.tx_hash} ${side} after`);
    }
  }
  assert.ok(left > 100);
});

test('what a feed does not report is absent', () => {
  const [batch] = generateMarket({
    seed: 3,
    swaps: 100,
    withBalances: false,
    withUsd: false,
    withTxIndex: false,
  }).swaps();
  assert.deepEqual(
    Object.keys(batch!.columns).filter((name) => /balance|usd|price|tx_index/.test(name)),
    [],
  );
});

test('no created_at lies after the first swap of its token', () => {
  const created = new Map(
    generateMarket(options)
      .tokens()
      .map((token) => [token.address, token.created_at]),
  );
  for (const row of rows) {
    const time = created.get(row.token_out);
    assert.ok(time == null || Date.parse(time) / 1000 <= row.block_time, JSON.stringify(row));
  }
});

test('a rush of a tenth gives one token that rises a tenth of all swaps in the last hour, and tokens are launched up to the end', () => {
  const market = generateMarket({ ...options, rush: 0.1 });
  const rushing = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
  assert.equal(rushing.length, options.swaps);
  const end = rushing.at(-1)!.block_time;
  const lastHour = rushing.filter((row) => row.block_time > end - 3600);
  // 90 % of the swaps over 35 days are 0.1 % an hour.
  const part = lastHour.length / options.swaps;
  assert.ok(part > 0.1 && part < 0.105, String(part));
  const counts = new Map<string, number>();
  for (const { token_in, token_out } of lastHour)
    for (const token of [token_in, token_out]) if (!isQuote(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  const [[token, first], [, second]] = [...counts].sort(([, a], [, b]) => b - a) as [
    [string, number],
    [string, number],
  ];
  assert.ok(first / options.swaps > 0.09 && second < first / 10, `${first}, ${second}`);
  const bought = lastHour.filter((row) => row.token_out === token).map((row) => row.token_price_out!);
  const mean = (prices: readonly number[]): number => prices.reduce((a, b) => a + b, 0) / prices.length;
  const third = Math.floor(bought.length / 3);
  assert.ok(mean(bought.slice(-third)) > mean(bought.slice(0, third)));
  assert.equal(market.tokens().find(({ address }) => address === token)?.holders, 31_000);
  const launches = (given: readonly { readonly created_at: string | null }[]): number =>
    Math.max(...given.map(({ created_at }) => Date.parse(created_at ?? '') / 1000).filter((time) => time > 0));
  assert.ok(launches(market.tokens()) > launches(generateMarket(options).tokens()));
});

test("a surge of a tenth gives one token a tenth of all swaps on the last day, beside that day's usual ones", () => {
  const surging = rowsOf({ ...options, surge: 0.1 });
  assert.equal(surging.length, options.swaps);
  const end = surging.at(-1)!.block_time;
  const lastDay = surging.filter((row) => row.block_time > end - 86_400);
  const counts = new Map<string, number>();
  for (const row of lastDay) {
    for (const token of [row.token_in, row.token_out])
      if (!isQuote(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  const [first, second] = [...counts.values()].sort((a, b) => b - a);
  const share = (count: number): number => count / options.swaps;
  // 90 % of the swaps over 35 days are 2.6 % a day.
  assert.ok(share(lastDay.length) > 0.12 && share(lastDay.length) < 0.13, String(share(lastDay.length)));
  assert.ok(share(first!) > 0.09 && share(first!) < 0.12, String(share(first!)));
  assert.ok(second! < first! / 10);
});

test('few bots with much weight make thousands of swaps each', () => {
  const counts = new Map<string, number>();
  for (const row of rowsOf({ ...options, bots: 20, mix: { bot: 60 } })) {
    counts.set(row.wallet, (counts.get(row.wallet) ?? 0) + 1);
  }
  const busiest = [...counts.values()].sort((a, b) => b - a).slice(0, 20);
  assert.ok(
    busiest.every((count) => count > options.swaps / 60),
    busiest.join(' '),
  );
});

test('a collector gathers a thousand tokens, and no more', () => {
  const held = new Map<string, Set<string>>();
  const market = { ...options, wallets: 1200, tokens: 1500, mix: { collect: 20 } };
  for (const row of rowsOf(market)) {
    for (const [token, balance] of [
      [row.token_in, row.post_token_balance_in],
      [row.token_out, row.post_token_balance_out],
    ] as const) {
      if (isQuote(token)) continue;
      const tokens = held.get(row.wallet) ?? new Set();
      if (balance! > 0) tokens.add(token);
      else tokens.delete(token);
      held.set(row.wallet, tokens);
    }
  }
  const most = Math.max(...[...held.values()].map((tokens) => tokens.size));
  assert.ok(most >= 990 && most <= 1000, String(most));
});

const faults: readonly (readonly [title: string, options: MarketOptions, message: RegExp])[] = [
  ['no swaps', { seed: 1, swaps: 0 }, /"swaps" of the market must be a whole number from 1 to 1000000000, not 0/],
  ['half a seed', { seed: 0.5, swaps: 1 }, /"seed" .* not 0\.5/],
  ['no days', { seed: 1, swaps: 1, days: 0 }, /"days" .* above 0/],
  ['a surge of everything', { seed: 1, swaps: 1, surge: 1 }, /"surge" .* a share from 0 to below 1, not 1/],
  ['a surge over the whole period', { seed: 1, swaps: 9, surge: 0.5, days: 1 }, /"days" .* above 1/],
  ['a rush of everything', { seed: 1, swaps: 1, rush: 1 }, /"rush" .* a share from 0 to below 1, not 1/],
  ['a rush over the whole period', { seed: 1, swaps: 9, rush: 0.5, days: 1 }, /"days" .* above 1 if there is a rush/],
  ['a rush and a surge', { seed: 1, swaps: 9, rush: 0.5, surge: 0.5 }, /"rush" .* 0 if there is a surge/],
  ['a negative weight', { seed: 1, swaps: 1, mix: { dust: -1 } }, /"mix\.dust"/],
  [
    'an unknown scenario',
    { seed: 1, swaps: 1, mix: { arbitrag: 1 } as object },
    /Unknown "mix\.arbitrag".* Did you mean "arbitrage"\?/,
  ],
];
for (const [title, given, message] of faults) {
  test(`a market with ${title} is refused`, () => {
    assert.throws(
      () => generateMarket(given),
      (error: Error & { code?: string }) => error.code === 'invalid-input' && message.test(error.message),
    );
  });
}
