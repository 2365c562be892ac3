import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwapRow } from '../src/rows.ts';
import { accountsOf, decoded, made, sale, who } from './support/swaps.ts';
import {
  anchor,
  burn,
  bytes,
  type Call,
  call,
  checked,
  close,
  key,
  lamports,
  mintTo,
  openWrapped,
  paysByItself,
  SOL,
  sync,
  transfer,
  USDC,
  u32,
  u64,
  withFee,
} from './support/transaction.ts';

const { wallet, token, pool, own, ownSol, ownUsdc, vault, vaultSol } = who;
const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const TIP = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
const EVENT = 'e445a52e51cb9a1d';
const router = key('router');
const swapOf = (...calls: readonly Call[]): Call => call(CLMM, [key('a'), key('b'), pool], anchor('swap'), ...calls);

/** What rows say, short. */
const short = (rows: readonly SwapRow[]) =>
  rows.map(({ wallet: by, token_in, token_amount_in, token_out, token_amount_out, swap_index }) => [
    by === wallet ? 'wallet' : by,
    token_amount_in,
    token_in === SOL ? 'SOL' : token_in === USDC ? 'USDC' : 'token',
    token_amount_out,
    token_out === SOL ? 'SOL' : token_out === USDC ? 'USDC' : 'token',
    swap_index,
  ]);

const none = { rows: [], undecoded: {} };

/** `TradeEvent` of pump.fun: the fields that are read, with those between. */
const tradeEvent = (sol: number, amount: number, fee: number, creatorFee: number): string =>
  [
    `${EVENT}bddb7fd34ee661ee${bytes(token)}${u64(sol)}${u64(amount)}00${bytes(wallet)}${u64(1_730_000_000)}`,
    `${u64(1)}${u64(2)}${u64(3)}${u64(4)}${bytes(key('fees'))}${u64(95)}${u64(fee)}${bytes(key('creator'))}${u64(5)}${u64(creatorFee)}`,
  ].join('');

const curve = key('curve');
const pumpTokens = accountsOf(curve);
const pump = (name: string, ...calls: readonly Call[]): Call =>
  call(PUMP, [key('global'), key('fees'), token, curve, vault, own, wallet], anchor(name), ...calls);
const pumpSell = (of: { amount: bigint; paid: bigint; event?: string }): Call => {
  const sent = transfer(own, vault, wallet, of.amount);
  const event = of.event === undefined ? [] : [call(PUMP, [key('events')], of.event)];
  return paysByItself(pump('sell', sent, ...event), curve, wallet, of.paid);
};

test('pump.fun, bought: lamports to the curve and to those who take fees come to what was given', () => {
  const parts = [
    lamports(wallet, curve, 980_000_000n),
    lamports(wallet, key('fees'), 9_500_000n),
    lamports(wallet, key('creator'), 500_000n),
  ];
  const { rows, undecoded } = decoded(
    made([pump('buy', transfer(vault, own, curve, 7_000_000n), ...parts)], { tokens: pumpTokens }),
  );
  assert.deepEqual(short(rows), [['wallet', 0.99, 'SOL', 7, 'token', 0]]);
  assert.equal(rows[0]!.pool, curve);
  assert.deepEqual(undecoded, {});
});

test('pump.fun, sold: what the curve paid is in no instruction, and is what the wallet has more', () => {
  const sold = pumpSell({ amount: 7_000_000n, paid: 970_000_000n });
  assert.deepEqual(short(decoded(made([sold], { tokens: pumpTokens })).rows), [['wallet', 7, 'token', 0.97, 'SOL', 0]]);
});

test('pump.fun, sold by a router that takes a fee of the lamports: what the wallet got is less by it', () => {
  const sold = pumpSell({ amount: 7_000_000n, paid: 970_000_000n });
  const routed = call(router, [wallet], 'ff', sold, lamports(wallet, key('platform'), 20_000_000n));
  assert.deepEqual(short(decoded(made([routed], { tokens: pumpTokens })).rows), [
    ['wallet', 7, 'token', 0.95, 'SOL', 1],
  ]);
});

test('pump.fun, sold beside a refund of another program: the event says which part is the price', () => {
  const sold = pumpSell({
    amount: 7_000_000n,
    paid: 970_000_000n,
    event: tradeEvent(980_000_000, 7_000_000, 9_500_000, 500_000),
  });
  const refund = paysByItself(call(key('other'), [wallet, key('state')], '01'), key('state'), wallet, 3_000_000n);
  assert.deepEqual(short(decoded(made([sold, refund], { tokens: pumpTokens })).rows), [
    ['wallet', 7, 'token', 0.97, 'SOL', 0],
  ]);
});

test('pump.fun, sold twice in one transaction: by the events; without these it is counted and not guessed', () => {
  const event = tradeEvent(980_000_000, 7_000_000, 9_500_000, 500_000);
  const twice = [
    pumpSell({ amount: 7_000_000n, paid: 970_000_000n, event }),
    pumpSell({ amount: 7_000_000n, paid: 970_000_000n, event }),
  ];
  assert.deepEqual(short(decoded(made(twice, { tokens: pumpTokens })).rows), [
    ['wallet', 7, 'token', 0.97, 'SOL', 0],
    ['wallet', 7, 'token', 0.97, 'SOL', 4096],
  ]);
  const mute = [
    pumpSell({ amount: 7_000_000n, paid: 970_000_000n }),
    pumpSell({ amount: 7_000_000n, paid: 970_000_000n }),
  ];
  assert.deepEqual(decoded(made(mute, { tokens: pumpTokens })), { rows: [], undecoded: { no_amount: 2 } });
});

test('moonshot, sold: as pump.fun', () => {
  const sold = call(
    'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG',
    [wallet, own, curve, vault],
    anchor('sell'),
    transfer(own, vault, wallet, 7_000_000n),
  );
  const { rows } = decoded(made([paysByItself(sold, curve, wallet, 400_000_000n)], { tokens: pumpTokens }));
  assert.deepEqual(short(rows), [['wallet', 7, 'token', 0.4, 'SOL', 0]]);
  assert.equal(rows[0]!.pool, curve);
});

const second = { pool: key('second pool'), vaultSol: key('second sol'), vaultUsdc: key('second usdc') };
const routeTokens = [
  ...accountsOf(pool),
  { address: second.vaultSol, mint: SOL, owner: second.pool, amount: 70_000_000_000n },
  { address: second.vaultUsdc, mint: USDC, owner: second.pool, amount: 900_000_000n },
];

for (const [name, between] of [
  [
    'two_hop_swap',
    [transfer(vaultSol, ownSol, pool, 1_500_000_000n), transfer(ownSol, second.vaultSol, wallet, 1_500_000_000n)],
  ],
  ['two_hop_swap_v2', [checked(vaultSol, SOL, second.vaultSol, pool, 1_500_000_000n)]],
] as const)
  test(`${name} of Orca is two swaps, one in each pool, each with an index of its own`, () => {
    const ends = [
      checked(own, token, vault, wallet, 123_456_789n),
      checked(second.vaultUsdc, USDC, ownUsdc, second.pool, 210_000_000n),
    ];
    const hops = call(
      'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
      [pool, second.pool],
      anchor(name),
      ends[0]!,
      ...between,
      ends[1]!,
    );
    const { rows, undecoded } = decoded(made([hops], { tokens: routeTokens }));
    assert.deepEqual(
      short(rows).map((row) => row.slice(0, 5)),
      [
        ['wallet', 123.456789, 'token', 1.5, 'SOL'],
        ['wallet', 1.5, 'SOL', 210, 'USDC'],
      ],
    );
    assert.deepEqual(
      rows.map((row) => row.pool),
      [pool, second.pool],
    );
    assert.notEqual(rows[0]!.swap_index, rows[1]!.swap_index);
    assert.deepEqual(undecoded, {});
  });

test('Meteora DAMM v1 trades through vaults, whose shares are made and burnt meanwhile', () => {
  const [shares, poolShares] = [key('shares'), key('pool shares')];
  const VAULT = '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi';
  const [into, out] = [key('vault in'), key('vault out')];
  const tokens = [
    ...accountsOf(into).filter(({ address }) => address !== vaultSol),
    { address: vaultSol, mint: SOL, owner: out, amount: 80_000_000_000n },
    { address: poolShares, mint: shares, owner: pool, amount: 5_000_000n },
    { address: key('protocol fee'), mint: token, owner: key('protocol'), amount: 0n },
  ];
  const swap = call(
    'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB',
    [pool, own, ownSol],
    anchor('swap'),
    transfer(own, key('protocol fee'), wallet, 456_789n),
    call(
      VAULT,
      [into],
      anchor('deposit'),
      transfer(own, vault, wallet, 123_000_000n),
      mintTo(shares, poolShares, into, 1_000n),
    ),
    call(
      VAULT,
      [out],
      anchor('withdraw'),
      burn(poolShares, shares, pool, 900n),
      transfer(vaultSol, ownSol, out, 1_500_000_000n),
    ),
  );
  const { rows, undecoded } = decoded(made([swap], { tokens }));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 0]]);
  assert.equal(rows[0]!.protocol, 'meteora_damm_v1');
  assert.deepEqual(undecoded, {});
});

const taxed = accountsOf(pool).map((one) => (one.mint === token ? { ...one, is2022: true } : one));

for (const [name, gave, got] of [
  [
    'says',
    withFee(own, token, vault, wallet, 100_000_000n, 3_000_000n),
    withFee(vault, token, own, pool, 100_000_000n, 3_000_000n),
  ],
  [
    'does not say',
    checked(own, token, vault, wallet, 100_000_000n, 3_000_000n),
    checked(vault, token, own, pool, 100_000_000n, 3_000_000n),
  ],
] as const) {
  test(`a token that withholds 3%, which the transfer ${name}: sold, the wallet gave all of it`, () => {
    const swap = swapOf(gave, transfer(vaultSol, ownSol, pool, 2_000_000_000n));
    assert.deepEqual(short(decoded(made([swap], { tokens: taxed })).rows), [['wallet', 100, 'token', 2, 'SOL', 0]]);
  });
  test(`a token that withholds 3%, which the transfer ${name}: bought, what arrived counts`, () => {
    const tokens = taxed.map((one) => (one.address === ownSol ? { ...one, amount: 4_000_000_000n } : one));
    const swap = swapOf(transfer(ownSol, vaultSol, wallet, 2_000_000_000n), got);
    assert.deepEqual(short(decoded(made([swap], { tokens })).rows), [['wallet', 2, 'SOL', 97, 'token', 0]]);
  });
}

const platform = { address: key('platform token'), mint: token, owner: key('platform'), amount: 0n };

test('a fee of a platform counts if it is paid within the instruction, and not if by one of its own', () => {
  const tokens = [...accountsOf(pool), platform];
  const fee = transfer(own, platform.address, wallet, 1_000_000n);
  const within = call(router, [wallet], 'ff', fee, swapOf(...sale(pool, false)));
  assert.deepEqual(short(decoded(made([within], { tokens })).rows), [['wallet', 124.456789, 'token', 1.5, 'SOL', 2]]);
  const beside = made([fee, swapOf(...sale(pool, false))], { tokens });
  assert.deepEqual(short(decoded(beside).rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 4096]]);
});

test('a tip within the instruction is no part of the price, but of the fee, as the fee of the transaction', () => {
  const tokens = accountsOf(pool);
  const tip = lamports(wallet, TIP, 2_000_000n);
  const { rows } = decoded(
    made([call(router, [wallet], 'ff', swapOf(...sale(pool, false)), tip)], { tokens, fee: 7000 }),
  );
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 1]]);
  assert.equal(rows[0]!.fee_native, 0.002007);
});

test('a split over two pools shares a fee of a platform by what each got', () => {
  const other = { vault: key('other token'), sol: key('other sol'), pool: key('other pool') };
  const tokens = [
    ...accountsOf(pool),
    platform,
    { address: other.vault, mint: token, owner: other.pool, amount: 0n },
    { address: other.sol, mint: SOL, owner: other.pool, amount: 9_000_000_000n },
  ];
  const first = swapOf(transfer(own, vault, wallet, 300_000_000n), transfer(vaultSol, ownSol, pool, 3_000_000_000n));
  const last = call(
    CLMM,
    [key('a'), key('b'), other.pool],
    anchor('swap'),
    transfer(own, other.vault, wallet, 100_000_000n),
    transfer(other.sol, ownSol, other.pool, 1_000_000_000n),
  );
  const split = call(router, [wallet], 'ff', transfer(own, platform.address, wallet, 4_000_000n), first, last);
  assert.deepEqual(short(decoded(made([split], { tokens })).rows), [
    ['wallet', 303, 'token', 3, 'SOL', 2],
    ['wallet', 101, 'token', 1, 'SOL', 5],
  ]);
});

test('wrapped SOL in an account that is opened and closed within the transaction is SOL', () => {
  const temporary = key('temporary');
  const tokens = accountsOf(pool).filter(({ address }) => address !== ownSol);
  const buy = swapOf(transfer(temporary, vaultSol, wallet, 2_000_000_000n), transfer(vault, own, pool, 9_000_000n));
  const around = [...openWrapped(temporary, wallet), lamports(wallet, temporary, 2_000_000_000n), sync(temporary)];
  const { rows, undecoded } = decoded(made([...around, buy, close(temporary, wallet, wallet)], { tokens }));
  assert.deepEqual(short(rows), [['wallet', 2, 'SOL', 9, 'token', 4 * 4096]]);
  assert.deepEqual([rows[0]!.pre_token_balance_in, rows[0]!.post_token_balance_in], [10, 7.999995]);
  assert.deepEqual(undecoded, {});
  const inside = call(router, [wallet], 'ff', ...around, buy, close(temporary, wallet, wallet));
  assert.deepEqual(short(decoded(made([inside], { tokens })).rows), [['wallet', 2, 'SOL', 9, 'token', 5]]);
});

const shared = { owner: key('router authority'), token: key('shared token'), sol: key('shared sol') };
const sharedTokens = [
  ...accountsOf(pool),
  { address: shared.token, mint: token, owner: shared.owner, amount: 40n },
  { address: shared.sol, mint: SOL, owner: shared.owner, amount: 50n },
];

test('a router that trades with accounts of its own trades for the wallet that gave to it and got of it', () => {
  const swap = swapOf(
    transfer(shared.token, vault, shared.owner, 123_000_000n),
    transfer(vaultSol, shared.sol, pool, 1_500_000_000n),
  );
  const route = call(
    router,
    [wallet],
    'ff',
    transfer(own, shared.token, wallet, 123_456_789n),
    swap,
    transfer(shared.sol, ownSol, shared.owner, 1_499_000_000n),
  );
  const { rows } = decoded(made([route], { tokens: sharedTokens }));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.499, 'SOL', 2]]);
});

test('a router whose pool pays the wallet at once trades for it, too', () => {
  const swap = swapOf(
    transfer(shared.token, vault, shared.owner, 123_456_789n),
    transfer(vaultSol, ownSol, pool, 1_500_000_000n),
  );
  const route = call(router, [wallet], 'ff', transfer(own, shared.token, wallet, 123_456_789n), swap);
  assert.deepEqual(short(decoded(made([route], { tokens: sharedTokens })).rows), [
    ['wallet', 123.456789, 'token', 1.5, 'SOL', 2],
  ]);
});

test('a router that unwraps SOL of its own into the lamports of the wallet gives it SOL', () => {
  const temporary = key('temporary');
  const swap = swapOf(
    transfer(shared.token, vault, shared.owner, 123_456_789n),
    transfer(vaultSol, temporary, pool, 1_500_000_000n),
  );
  const opened = openWrapped(temporary, shared.owner);
  const route = call(
    router,
    [wallet],
    'ff',
    transfer(own, shared.token, wallet, 123_456_789n),
    ...opened,
    swap,
    close(temporary, wallet, shared.owner),
  );
  assert.deepEqual(short(decoded(made([route], { tokens: sharedTokens })).rows), [
    ['wallet', 123.456789, 'token', 1.5, 'SOL', 4],
  ]);
});

test('an order that a market maker fills, who signs and pays the fee as well, is a swap of the taker', () => {
  const maker = key('maker');
  const fill = call(
    '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH',
    [wallet, maker, own, vault],
    'a860b7a35c0a28a0',
    ...sale(maker, false),
  );
  const { rows } = decoded(made([fill], { tokens: accountsOf(maker), signers: [maker, wallet] }));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 0]]);
  assert.equal(rows[0]!.fee_native, 0);
});

test('two swaps by two instructions of the message are two swaps, the balances of the second as the first left them', () => {
  const back = swapOf(transfer(ownSol, vaultSol, wallet, 1_000_000_000n), transfer(vault, own, pool, 80_000_000n));
  const { rows } = decoded(made([swapOf(...sale(pool, false)), back]));
  assert.deepEqual(short(rows), [
    ['wallet', 123.456789, 'token', 1.5, 'SOL', 0],
    ['wallet', 1, 'SOL', 80, 'token', 4096],
  ]);
  assert.deepEqual(
    rows.map((row) => [
      row.pre_token_balance_in,
      row.post_token_balance_in,
      row.pre_token_balance_out,
      row.post_token_balance_out,
    ]),
    [
      [500, 376.543211, 10, 11.5],
      [11.5, 10.499995, 376.543211, 456.543211],
    ],
  );
});

test('programs and accounts of lookup tables are read as those of the message', () => {
  const looked = [CLMM, vault, vaultSol, own, router];
  const { rows } = decoded(made([call(router, [wallet], 'ff', swapOf(...sale(pool, false)))], { looked }));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 1]]);
});

test('a node that did not record how deep instructions were called tells the same swap', () => {
  const raw = made(
    [call(router, [wallet], 'ff', transfer(own, platform.address, wallet, 1_000_000n), swapOf(...sale(pool, false)))],
    { tokens: [...accountsOf(pool), platform] },
  );
  const innerInstructions = raw.meta!.innerInstructions!.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) => ({ ...one, stackHeight: null })),
  }));
  const { rows } = decoded({ ...raw, meta: { ...raw.meta!, innerInstructions } });
  assert.deepEqual(short(rows), [['wallet', 124.456789, 'token', 1.5, 'SOL', 2]]);
});

test('a failed transaction is no swap', () => {
  assert.deepEqual(decoded(made([swapOf(...sale(pool, false))], { err: { InstructionError: [0, 'Custom'] } })), none);
});

test('a program that nobody knows is read by its transfers, under its address and without a pool', () => {
  const { rows } = decoded(made([call(key('nobody'), [wallet, pool], '01', ...sale(pool, false))]));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 0]]);
  assert.deepEqual([rows[0]!.protocol, rows[0]!.pool], [key('nobody'), null]);
});

const shares = { address: key('share account'), mint: key('shares'), owner: wallet, amount: 1_000_000n };
const withShares = [...accountsOf(pool), shares];

for (const [name, calls] of Object.entries({
  'liquidity that is added': [
    transfer(own, vault, wallet, 1_000_000n),
    transfer(ownUsdc, key('vault usdc'), wallet, 2_000_000n),
    mintTo(shares.mint, shares.address, pool, 5n),
  ],
  'liquidity that is taken out': [
    burn(shares.address, shares.mint, wallet, 5n),
    transfer(vault, own, pool, 1_000_000n),
    transfer(vaultSol, ownSol, pool, 2_000_000n),
  ],
  'a deposit that gives shares': [
    transfer(own, vault, wallet, 1_000_000n),
    mintTo(shares.mint, shares.address, pool, 5n),
  ],
  'a reward that is paid with a change of shares': [
    burn(shares.address, shares.mint, wallet, 5n),
    transfer(own, vault, wallet, 1_000_000n),
    transfer(vaultSol, ownSol, pool, 2_000_000n),
  ],
  'a deposit alone': [transfer(own, vault, wallet, 1_000_000n)],
} satisfies Record<string, Call[]>)) {
  const tokens = [...withShares, { address: key('vault usdc'), mint: USDC, owner: pool, amount: 0n }];
  test(`${name} is no swap, of a known exchange and of a program that nobody knows`, () => {
    assert.deepEqual(decoded(made([call(CLMM, [wallet], anchor('increase_liquidity'), ...calls)], { tokens })), none);
    assert.deepEqual(decoded(made([call(key('nobody'), [wallet], '01', ...calls)], { tokens })), none);
  });
}

test('a loan that is paid back for what was pledged is no swap: another program moves one of both', () => {
  const lender = call(
    key('lender'),
    [wallet],
    '01',
    transfer(own, vault, wallet, 1_000_000n),
    call(key('lender pool'), [pool], '02', transfer(vaultSol, ownSol, pool, 2_000_000n)),
  );
  assert.deepEqual(decoded(made([lender])), none);
  const known = call('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD', [wallet], '01', ...sale(pool, false));
  assert.deepEqual(decoded(made([known])), none);
});

test('a single piece that is bought is no swap', () => {
  assert.deepEqual(
    decoded(made([call(key('market'), [wallet], '01', ...sale(pool, false))], { decimals: { [token]: 0 } })),
    none,
  );
});

test('an instruction that swaps and shows no exchange is counted', () => {
  const half = swapOf(transfer(own, vault, wallet, 1_000_000n));
  assert.deepEqual(decoded(made([half])), { rows: [], undecoded: { no_exchange: 1 } });
});

test('a hop whose transfers do not come to what its accounts held is counted and not stored', () => {
  const raw = made([swapOf(...sale(pool, false))]);
  const postTokenBalances = raw.meta!.postTokenBalances!.map((one) =>
    one.owner === wallet && one.mint === token
      ? { ...one, uiTokenAmount: { ...one.uiTokenAmount, amount: '376543210' } }
      : one,
  );
  assert.deepEqual(decoded({ ...raw, meta: { ...raw.meta!, postTokenBalances } }), {
    rows: [],
    undecoded: { contradicts_balances: 1 },
  });
});

test('a node that records no inner instructions is told by a count', () => {
  const raw = made([swapOf(...sale(pool, false))]);
  assert.deepEqual(decoded({ ...raw, meta: { ...raw.meta!, innerInstructions: null } }), {
    rows: [],
    undecoded: { no_inner_instructions: 1 },
  });
});

test("a hop of a program whose transfers tell nothing is read of Jupiter's event, its ends by what the wallet gave and got", () => {
  const maker = key('maker');
  const step = (data: string, ...calls: readonly Call[]): Call => call(key('odd program'), [wallet], data, ...calls);
  const odd = step(
    '01',
    call(key('odd vault'), [wallet], '02', transfer(own, vault, wallet, 123_456_789n)),
    call(key('odd vault'), [wallet], '03', transfer(vaultSol, ownSol, maker, 1_500_000_000n)),
  );
  const said = `${bytes(token)}${u64(123_456_789)}${bytes(SOL)}${u64(1_500_000_000)}`;
  for (const event of [
    `${EVENT}40c6cde8260871e2${bytes(key('odd program'))}${said}`,
    `${EVENT}0102030405060708${u32(1)}${said}`,
  ]) {
    const route = call(
      JUPITER,
      [key('token program'), wallet],
      'e517cb977ae3ad2a',
      odd,
      call(JUPITER, [key('events')], event),
    );
    const { rows, undecoded } = decoded(made([route], { tokens: accountsOf(maker) }));
    assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 1]]);
    assert.equal(rows[0]!.protocol, key('odd program'));
    assert.deepEqual(undecoded, {});
  }
});

test('a batch of token instructions moves what its parts move', () => {
  const parts = sale(pool, false);
  const data = parts.map(({ data: part }) => `03${(part.length / 2).toString(16).padStart(2, '0')}${part}`).join('');
  const batch: Call = {
    ...call(
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      parts.flatMap(({ accounts }) => accounts),
      `ff${data}`,
    ),
    apply: (ledger) => {
      for (const part of parts) part.apply?.(ledger);
    },
  };
  const { rows, undecoded } = decoded(made([swapOf(batch)]));
  assert.deepEqual(short(rows), [['wallet', 123.456789, 'token', 1.5, 'SOL', 0]]);
  assert.deepEqual(undecoded, {});
});

test("Jupiter's event of a hop stands behind its call, also where a call between has none", () => {
  const maker = key('maker');
  const vaultCall = (data: string, ...calls: readonly Call[]): Call => call(key('odd vault'), [wallet], data, ...calls);
  const give = vaultCall('02', transfer(own, vault, wallet, 123_456_789n));
  const get = vaultCall('03', transfer(vaultSol, ownSol, maker, 1_500_000_000n));
  const odd = call(key('odd program'), [wallet], '01', give, get);
  const event = `${EVENT}40c6cde8260871e2${bytes(key('odd program'))}${bytes(token)}${u64(123_456_789)}${bytes(SOL)}${u64(1_500_000_000)}`;
  const check = call(key('guard'), [wallet], '09');
  const route = call(
    JUPITER,
    [key('token program'), wallet],
    'e517cb977ae3ad2a',
    check,
    odd,
    call(JUPITER, [key('events')], event),
    check,
  );
  assert.deepEqual(short(decoded(made([route], { tokens: accountsOf(maker) })).rows), [
    ['wallet', 123.456789, 'token', 1.5, 'SOL', 2],
  ]);
});

test("both hops of a route are the wallet's, also one that only Jupiter's event tells of", () => {
  const maker = key('maker');
  const makers = [
    { address: key('maker sol'), mint: SOL, owner: maker, amount: 0n },
    { address: key('maker usdc'), mint: USDC, owner: maker, amount: 900_000_000n },
  ];
  const oddVault = (data: string, inner: Call): Call => call(key('odd vault'), [wallet], data, inner);
  const odd = call(
    key('odd program'),
    [wallet],
    '01',
    oddVault('02', transfer(ownSol, key('maker sol'), wallet, 1_500_000_000n)),
    oddVault('03', transfer(key('maker usdc'), ownUsdc, maker, 200_000_000n)),
  );
  const event = `${EVENT}40c6cde8260871e2${bytes(key('odd program'))}${bytes(SOL)}${u64(1_500_000_000)}${bytes(USDC)}${u64(200_000_000)}`;
  const route = call(
    JUPITER,
    [key('token program'), wallet],
    'e517cb977ae3ad2a',
    swapOf(...sale(pool, false)),
    odd,
    call(JUPITER, [key('events')], event),
  );
  const { rows } = decoded(made([route], { tokens: [...accountsOf(pool), ...makers] }));
  assert.deepEqual(
    short(rows).map((row) => row.slice(0, 5)),
    [
      ['wallet', 123.456789, 'token', 1.5, 'SOL'],
      ['wallet', 1.5, 'SOL', 200, 'USDC'],
    ],
  );
});

test("both hops of a route are the wallet's, also one that a router pays out of what the first pool gave it", () => {
  const second = key('second pool');
  const seconds = [
    { address: key('second sol'), mint: SOL, owner: second, amount: 5n },
    { address: key('second usdc'), mint: USDC, owner: second, amount: 900_000_000n },
  ];
  const route = call(
    router,
    [wallet],
    'ff',
    swapOf(transfer(own, vault, wallet, 123_456_789n), transfer(vaultSol, shared.sol, pool, 1_500_000_000n)),
    call(
      CLMM,
      [key('a'), key('b'), second],
      anchor('swap'),
      transfer(shared.sol, key('second sol'), shared.owner, 1_500_000_000n),
      transfer(key('second usdc'), ownUsdc, second, 200_000_000n),
    ),
  );
  const { rows } = decoded(made([route], { tokens: [...sharedTokens, ...seconds] }));
  assert.deepEqual(
    short(rows).map((row) => row.slice(0, 5)),
    [
      ['wallet', 123.456789, 'token', 1.5, 'SOL'],
      ['wallet', 1.5, 'SOL', 200, 'USDC'],
    ],
  );
});
