import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, at, BOB, CAT, NOBODY, type Service, START, startService, strangers, T, U, USDC } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** What an operation answers, which must be 200. */
async function ask(path: string, body: object) {
  const { status, json } = await service.post(path, body);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const hashes = (page: { data: { tx_hash: string }[] }): string[] => page.data.map((item) => item.tx_hash);

/** tx25, tx24, ... down to tx4: the swaps of Cat, newest first. */
const cats = Array.from({ length: 22 }, (_, i) => `tx${25 - i}`);

for (const path of ['/swaps/get-swaps', '/trades/get-trades']) {
  const lists: readonly (readonly [because: string, body: object, count: number, hashes: readonly string[]])[] = [
    ['neither wallet nor token: all of them, 20 unless asked otherwise', {}, 25, cats.slice(0, 20)],
    ['limit 1', { limit: 1 }, 25, ['tx25']],
    ['limit 100', { limit: 100 }, 25, [...cats, 'tx3', 'tx2', 'tx1']],
    ['a wallet alone', { wallet: ANN }, 2, ['tx3', 'tx1']],
    ['a token alone', { token: T }, 3, ['tx3', 'tx2', 'tx1']],
    ['a wallet and a token: only of that wallet on that token', { wallet: BOB, token: T }, 1, ['tx2']],
    ['a wallet on a token it never touched', { wallet: CAT, token: T }, 0, []],
    ['an unknown wallet', { wallet: NOBODY }, 0, []],
    ['an unknown token', { token: NOBODY }, 0, []],
  ];
  for (const [because, body, count, expected] of lists) {
    test(`${path} with ${because}`, async () => {
      const page = await ask(path, body);
      assert.equal(page.count, count);
      assert.deepEqual(hashes(page), expected);
      assert.deepEqual(Object.keys(page), expected.length < count ? ['count', 'cursor', 'data'] : ['count', 'data']);
    });
  }

  test(`${path} pages to the end without repeating or skipping, whatever the limits`, async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (const limit of [1, 3, 20, 100]) {
      const page = await ask(path, { limit, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...hashes(page));
      cursor = page.cursor;
    }
    assert.equal(cursor, undefined);
    assert.deepEqual(seen, [...cats, 'tx3', 'tx2', 'tx1']);
  });

  test(`${path} refuses a cursor with another wallet, and a damaged one`, async () => {
    const { cursor } = await ask(path, { token: T, limit: 1 });
    assert.deepEqual(hashes(await ask(path, { token: T, limit: 1, cursor })), ['tx2']);
    const misuses: readonly (readonly [body: object, says: RegExp])[] = [
      [{ token: T, wallet: ANN, cursor }, /belongs to another request/],
      [{ cursor }, /belongs to another request/],
      [{ token: T, cursor: cursor.slice(1) }, /damaged/],
      [{ token: T, cursor: `${cursor}A` }, /damaged/],
      [{ token: T, cursor: cursor.replace(/^./, 'X') }, /damaged/],
    ];
    for (const [body, says] of misuses) {
      const { status, json } = await service.post(path, body);
      assert.equal(status, 400);
      assert.equal(json.code, 'invalid-cursor');
      assert.match(json.error, says);
    }
  });
}

test('a cursor of swaps is refused for trades', async () => {
  const { cursor } = await ask('/swaps/get-swaps', { limit: 1 });
  const { status, json } = await service.post('/trades/get-trades', { limit: 1, cursor });
  assert.deepEqual([status, json.code], [400, 'invalid-cursor']);
});

test('get-swaps finds a token on either side', async () => {
  assert.equal((await ask('/swaps/get-swaps', { token: USDC })).count, 25);
});

test('a swap has every field of the interface, unknown ones null', async () => {
  const { data } = await ask('/swaps/get-swaps', { wallet: ANN });
  assert.deepEqual(data[0], {
    protocol: null,
    wallet: ANN,
    token_in: T,
    token_out: USDC,
    token_symbol_in: 'TEE',
    token_symbol_out: 'USDC',
    token_amount_in: 25,
    token_amount_out: 100,
    token_price_in: 4,
    token_price_out: 1,
    pre_token_balance_in: null,
    pre_token_balance_out: null,
    post_token_balance_in: null,
    post_token_balance_out: null,
    usd_amount_in: 100,
    usd_amount_out: 100,
    block_slot: 1003,
    block_time: START + 3600,
    tx_hash: 'tx3',
    swap_index: 0,
    pool: null,
    fee_native: null,
    pool_amount_in: null,
    pool_amount_out: null,
    swap_type: 'token_quote',
    valued_by: 'stable',
  });
});

test('a trade has every field of the interface, and its result', async () => {
  const { data } = await ask('/trades/get-trades', { wallet: ANN });
  const { position, ...rest } = data[0];
  assert.match(position, /^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
  assert.equal(position, data[1].position);
  // 25 of 50 tokens bought at 2 USD are sold for 100 USD: cost 50, profit 50, 100 %.
  assert.deepEqual(rest, {
    protocol: null,
    wallet: ANN,
    token: T,
    quote: USDC,
    token_amount: 25,
    quote_amount: 100,
    native_amount: null,
    usd_amount: 100,
    pre_token_balance: null,
    post_token_balance: null,
    token_symbol: 'TEE',
    quote_symbol: 'USDC',
    token_price: 4,
    quote_price: 1,
    block_slot: 1003,
    block_time: START + 3600,
    tx_hash: 'tx3',
    trade_index: 0,
    swap_type: 'token_quote',
    direction: 'sell',
    position_state: 'trade',
    realized_pnl_usd: 50,
    realized_roi: 100,
    realized_pnl_native: null,
    fee_native: null,
    market_cap: 4000,
    pools: [],
    gap_before: 0,
    returned_cost: 0,
  });
  assert.deepEqual([data[1].position_state, data[1].realized_pnl_usd, data[1].realized_roi], ['open', null, null]);
});

test('get-price keeps the order of the request, answers a duplicate once and leaves unknown tokens out', async () => {
  assert.deepEqual(await ask('/prices/get-price', { tokens: [U, NOBODY, T, U] }), [
    { token: U, usd_price: 0.01, block_slot: 1025, block_time: START + 9000, suspect: false, clean_usd_price: 0.01 },
    { token: T, usd_price: 4, block_slot: 1003, block_time: START + 3600, suspect: false, clean_usd_price: 4 },
  ]);
});

for (const path of ['/prices/get-price', '/prices/get-price-stats']) {
  test(`${path} takes 1 token and 1000 tokens, all unknown: an empty list`, async () => {
    assert.deepEqual(await ask(path, { tokens: [NOBODY] }), []);
    assert.deepEqual(await ask(path, { tokens: strangers(1000) }), []);
  });
}

test('get-price-stats compares with the window before, null where there is none', async () => {
  const [stats, other, ...more] = await ask('/prices/get-price-stats', { tokens: [T, T, NOBODY, U] });
  assert.deepEqual([other.token, more], [U, []]);
  // As of START + 9000: the price was 4 from START + 3600 on; volumes 100 at 0, 300 at 60, 100 at 3600.
  assert.deepEqual(stats, {
    token: T,
    usd_price: 4,
    block_slot: 1003,
    block_time: START + 3600,
    suspect: false,
    clean_usd_price: 4,
    usd_price_change_5m: 0,
    usd_volume_5m: 0,
    usd_volume_change_5m: null,
    usd_price_change_1h: 0,
    usd_volume_1h: 0,
    usd_volume_change_1h: -100,
    ...Object.fromEntries(
      ['6h', '12h', '1d', '7d', '30d'].flatMap((window) => [
        [`usd_price_change_${window}`, null],
        [`usd_volume_${window}`, 500],
        [`usd_volume_change_${window}`, null],
      ]),
    ),
  });
});

const candle = (offset: number, prices: readonly number[], volume: number, count: number) => {
  const [open, high, low, close] = prices;
  return { timestamp: START + offset, open, high, low, close, volume, count, suspect_count: 0 };
};
const first = candle(0, [2, 2, 2, 2], 100, 1);
const second = candle(60, [3, 3, 3, 3], 300, 1);
const third = candle(3600, [4, 4, 4, 4], 100, 1);

const candleCases: readonly (readonly [because: string, body: object, candles: readonly object[]])[] = [
  ['neither from nor count: the latest', {}, [first, second, third]],
  ['from and to: buckets that overlap [from, to)', { from: at(60), to: at(3600) }, [second]],
  ['from without to: until now', { from: at(60) }, [second, third]],
  ['from = to: none', { from: at(60), to: at(60) }, []],
  ['count and to: the latest that start before to', { count: 1, to: at(3600) }, [second]],
  ['count without to: the latest', { count: 2 }, [second, third]],
  ['to alone: the latest before it', { to: at(3600) }, [first, second]],
  ['a time with an offset', { from: '2024-01-05T02:00:00+01:00' }, [third]],
  ['a time before all swaps', { to: '1970-01-01T00:00:00Z' }, []],
  ['a time after all swaps', { from: '9999-12-31T23:59:58Z', to: '9999-12-31T23:59:59Z' }, []],
  [
    'fill: empty buckets at the close before',
    { interval: 1800, fill: true },
    [candle(0, [2, 3, 2, 3], 400, 2), candle(1800, [3, 3, 3, 3], 0, 0), third],
  ],
  ['the longest interval', { interval: 2_592_000 }, [{ ...candle(0, [2, 4, 2, 4], 500, 3), timestamp: 1_702_944_000 }]],
  ['an unknown token: an empty list', { token: NOBODY }, []],
];
for (const [because, body, expected] of candleCases) {
  test(`get-price-candles with ${because}`, async () => {
    assert.deepEqual(await ask('/prices/get-price-candles', { token: T, interval: 60, ...body }), expected);
  });
}

test('get-price-candles takes a range of exactly 5000 buckets, and a count of 5000', async () => {
  const range = { token: T, interval: 1, from: at(0), to: at(5000) };
  assert.equal((await ask('/prices/get-price-candles', range)).length, 3);
  assert.equal((await ask('/prices/get-price-candles', { token: T, interval: 1, count: 5000 })).length, 3);
});

const point = (offset: number, usd_price: number, usd_volume: number) => ({
  timestamp: START + offset,
  usd_price,
  usd_volume,
  suspect_count: 0,
});

const historyCases: readonly (readonly [because: string, body: object, prices: readonly object[]])[] = [
  ['to absent: until now', {}, [point(0, 2, 100), point(3600, 4, 400), point(7200, 4, 0)]],
  ['to, which is included', { to: at(3600) }, [point(0, 2, 100), point(3600, 4, 400)]],
  ['from before the first print, whose instants are left out', { from: at(-3600), to: at(0) }, [point(0, 2, 100)]],
  ['from = to: one instant', { from: at(60), to: at(60) }, [point(60, 3, 400)]],
  ['a range in the future: none', { from: '9999-12-31T23:00:00Z' }, []],
];
for (const [because, body, prices] of historyCases) {
  test(`get-price-history with ${because}`, async () => {
    const request = { tokens: [T], interval: 3600, from: at(0), ...body };
    assert.deepEqual(await ask('/prices/get-price-history', request), [{ token: T, prices }]);
  });
}

test('get-price-history answers unknown tokens with no prices, in the order of the request, duplicates once', async () => {
  const request = { tokens: [NOBODY, U, NOBODY], interval: 3600, from: at(9000) };
  assert.deepEqual(await ask('/prices/get-price-history', request), [
    { token: NOBODY, prices: [] },
    { token: U, prices: [point(9000, 0.01, 220)] },
  ]);
});

test('get-price-history takes 5000 points a token, 100,000 a request, and 100 tokens', async () => {
  const body = { interval: 1, from: at(0), to: at(4999) };
  const [{ prices }] = await ask('/prices/get-price-history', { tokens: [T], ...body });
  assert.equal(prices.length, 5000);
  assert.equal((await ask('/prices/get-price-history', { tokens: strangers(20), ...body })).length, 20);
  const wide = { tokens: strangers(100), interval: 1, from: at(0), to: at(999) };
  assert.equal((await ask('/prices/get-price-history', wide)).length, 100);
});

test('get-portfolio values what is held, the largest first', async () => {
  const { value, tokens } = await ask('/portfolios/get-portfolio', { wallet: BOB });
  // Bob bought 100 T for 300 USDC, which he is not known to have had; T is at 4 USD.
  assert.equal(value, 400);
  assert.deepEqual(tokens, [
    {
      token: T,
      symbol: 'TEE',
      balance: 100,
      price: 4,
      value: 400,
      cost_basis: 300,
      unrealized_pnl: 100,
      unmatched_amount: 0,
    },
  ]);
});

test('get-portfolio of an unknown wallet is empty', async () => {
  assert.deepEqual(await ask('/portfolios/get-portfolio', { wallet: NOBODY }), { value: 0, tokens: [] });
});

const rest = ['updated_at', 'synced_at'];
const windows = { tokens: ['7d', '1d', '6h', '1h', '5m', '1m'], wallets: ['30d', '14d', '7d', '3d', '1d'] } as const;

const kinds = [
  {
    kind: 'tokens',
    noun: 'token',
    address: T,
    sections: ['labels', 'matched_labels', 'metadata', 'market', 'metrics'],
  },
  {
    kind: 'wallets',
    noun: 'wallet',
    address: ANN,
    sections: ['labels', 'matched_labels', 'metadata', 'identity', 'metrics'],
  },
] as const;

for (const { kind, noun, address, sections } of kinds) {
  const addressOf = `${noun}_address`;
  const optionCases: readonly (readonly [because: string, options: object | undefined, sections: readonly string[]])[] =
    [
      ['absent: every section but the record', undefined, sections],
      ['empty: none', {}, []],
      ['all false: none', { include_metadata: false, include_labels: false, include_metrics: [] }, []],
      ['include_metadata: only that', { include_metadata: true }, ['metadata']],
      ['include_labels: the labels and the rules behind them', { include_labels: true }, ['labels', 'matched_labels']],
      ['include_metrics: only that', { include_metrics: ['7d'] }, ['metrics']],
      kind === 'tokens'
        ? ['include_market: only that', { include_market: true }, ['market']]
        : ['include_identity: only that', { include_identity: true }, ['identity']],
    ];
  for (const [because, options, expected] of optionCases) {
    test(`${kind}: options ${because}`, async () => {
      const profile = await ask(`/profiles/${kind}/get-profile`, { [noun]: address, options });
      assert.deepEqual(Object.keys(profile).sort(), [...rest, addressOf, ...expected].sort());
      const { data } = await ask(`/profiles/${kind}/search-profiles`, { filter: { [addressOf]: address }, options });
      assert.deepEqual(data, [profile]);
    });
  }

  test(`${kind}: absent options give every window, include_metrics those it names`, async () => {
    const whole = await ask(`/profiles/${kind}/get-profile`, { [noun]: address });
    assert.deepEqual(Object.keys(whole.metrics), windows[kind]);
    const options = { include_metrics: ['1d', '7d'] };
    const part = await ask(`/profiles/${kind}/get-profile`, { [noun]: address, options });
    assert.deepEqual(part.metrics, { '7d': whole.metrics['7d'], '1d': whole.metrics['1d'] });
  });

  test(`${kind}: an address without a profile is 404, and names the address`, async () => {
    const { status, json } = await service.post(`/profiles/${kind}/get-profile`, { [noun]: NOBODY });
    assert.deepEqual([status, json.code, json.details[0].path], [404, 'not-found', noun]);
    assert.match(json.error, new RegExp(NOBODY));
  });

  test(`${kind}: a search pages by its cursor, which is bound to the search`, async () => {
    const path = `/profiles/${kind}/search-profiles`;
    const body = { sort: { field: addressOf, direction: 'asc' }, options: {} };
    const all = await ask(path, body);
    assert.equal(all.count, 3);
    assert.equal(all.cursor, undefined);
    const one = await ask(path, { ...body, limit: 2 });
    const two = await ask(path, { ...body, limit: 2, cursor: one.cursor });
    assert.deepEqual([...one.data, ...two.data], all.data);
    assert.equal(two.cursor, undefined);
    const other = await service.post(path, { ...body, filter: { [addressOf]: address }, cursor: one.cursor });
    assert.deepEqual([other.status, other.json.code], [400, 'invalid-cursor']);
  });

  test(`${kind}: dynamic labels are in a profile when the request defines any`, async () => {
    const dynamic_labels = { mine: { [addressOf]: address }, nobody: { [addressOf]: NOBODY } };
    const { data } = await ask(`/profiles/${kind}/search-profiles`, { dynamic_labels, options: {} });
    for (const profile of data)
      assert.deepEqual(profile.dynamic_labels, profile[addressOf] === address ? ['mine'] : []);
  });
}

test('times of profiles are RFC 3339 in UTC', async () => {
  const profile = await ask('/profiles/tokens/get-profile', { token: T });
  assert.equal(profile.updated_at, '2024-01-05T01:00:00Z');
  assert.equal(profile.metadata.last_trade_at, '2024-01-05T01:00:00Z');
  assert.match(profile.synced_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

const everyOperation: readonly (readonly [name: string, path: string, body: object])[] = [
  [
    'tokens.search',
    '/profiles/tokens/search-profiles',
    { query: { text: 'tee' }, dynamic_labels: { dear: { 'market.price': { $gt: 3 } } } },
  ],
  ['tokens.get', '/profiles/tokens/get-profile', { token: T }],
  ['wallets.search', '/profiles/wallets/search-profiles', { limit: 2, sort: { field: 'metrics.7d.pnl' } }],
  ['wallets.get', '/profiles/wallets/get-profile', { wallet: ANN }],
  [
    'positions.search',
    '/profiles/positions/search-profiles',
    {
      filter: { wallet_address: ANN, 'holding.value': { $gte: 0 } },
      sort: { field: 'metrics.7d.win_pnl' },
      explain: true,
    },
  ],
  ['positions.get', '/profiles/positions/get-profile', { wallet: ANN, token: T, options: { include_metrics: ['1d'] } }],
  ['wallets.history', '/profiles/wallets/get-history', { wallet: ANN, interval: 600, from: at(0) }],
  ['tokens.history', '/profiles/tokens/get-history', { token: T, interval: 600, metrics: ['holders'] }],
  ['wallets.simulate', '/profiles/wallets/simulate', { wallet: ANN, delays: [0, 30], explain: true }],
  ['tokens.buyers', '/profiles/tokens/get-buyers', { token: T, limit: 2 }],
  ['swaps.list', '/swaps/get-swaps', { limit: 7 }],
  ['trades.list', '/trades/get-trades', { token: T, limit: 2 }],
  ['prices.latest', '/prices/get-price', { tokens: [T, U] }],
  ['prices.stats', '/prices/get-price-stats', { tokens: [T, U] }],
  ['prices.candles', '/prices/get-price-candles', { token: T, interval: 300 }],
  ['prices.history', '/prices/get-price-history', { tokens: [T, U], interval: 600, from: at(0) }],
  ['portfolios.get', '/portfolios/get-portfolio', { wallet: ANN }],
];

for (const [name, path, body] of everyOperation) {
  test(`${path} answers the bytes that the in-process answer has as JSON`, async () => {
    const { status, text, headers } = await service.post(path, body, { 'accept-encoding': 'identity' });
    assert.equal(status, 200);
    assert.equal(text, JSON.stringify(await service.dex.call(name, body)));
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
  });
}

test('candles that were asked for before are those of the swaps that have come since', async () => {
  const own = await startService();
  try {
    const body = { token: T, interval: 60 };
    const ask = async () => (await own.post('/prices/get-price-candles', body)).text;
    const before = await ask();
    assert.equal(await ask(), before);
    const last = JSON.parse(before).at(-1);
    const swap = { tx_hash: 'late', swap_index: 0, block_time: last.timestamp + 59, wallet: ANN };
    await own.dex.ingest([{ ...swap, token_in: USDC, token_out: T, token_amount_in: 9, token_amount_out: 1 }]);
    const after = JSON.parse(await ask()).at(-1);
    assert.deepEqual(
      [after.timestamp, after.close, after.count, after.volume],
      [last.timestamp, 9, last.count + 1, last.volume + 9],
    );
  } finally {
    await own.close();
  }
});
