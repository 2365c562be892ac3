import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../src/hop.ts';
import { Trace } from '../src/trace.ts';
import type { Transfer } from '../src/transfers.ts';
import { accountsOf, decoded, fill, made, sale, who } from './support/swaps.ts';
import { short, solOf, tokenOf, tokensOf, withoutHeights, withoutOwner } from './support/told.ts';
import {
  anchor,
  type Call,
  call,
  checked,
  key,
  lamports,
  type Made,
  paysByItself,
  SOL,
  transfer,
  USDC,
} from './support/transaction.ts';

const { wallet, token, pool, own, ownSol, vault, vaultSol } = who;
const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
const PUMPSWAP = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
const PHOENIX = 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY';
const order = key('order program');
const [keeper, escrow, maker] = [key('keeper'), key('escrow'), key('maker')];
const swapOf = (...calls: readonly Call[]): Call => call(CLMM, [key('a'), key('b'), pool], anchor('swap'), ...calls);

const told = (calls: readonly Call[], of: Partial<Made>) => short(decoded(made(calls, of)).rows);

/** The keeper sells 100 of the token, which an escrow gave it, for 2 SOL, and passes on what is given here. */
const filled = (...paid: readonly Call[]): Call[] => [
  call(order, [escrow], '01', transfer(tokenOf(escrow), tokenOf(keeper), escrow, 100_000_000n)),
  swapOf(
    transfer(tokenOf(keeper), vault, keeper, 100_000_000n),
    transfer(vaultSol, solOf(keeper), pool, 2_000_000_000n),
  ),
  call(order, [keeper], '02', ...paid),
];
const signedByKeeper = { signers: [keeper], tokens: tokensOf(keeper, escrow, maker) };

test('an order that a keeper fills is of who gets what came out, though it signs nothing and its escrow paid', () => {
  const calls = filled(transfer(solOf(keeper), solOf(maker), keeper, 1_960_000_000n));
  assert.deepEqual(told(calls, signedByKeeper), [['maker', 100, 'token', 1.96, 'SOL']]);
});

test('what an escrow held is not what its maker held: the balances of what was given are unknown', () => {
  const [row] = decoded(
    made(filled(transfer(solOf(keeper), solOf(maker), keeper, 2_000_000_000n)), signedByKeeper),
  ).rows;
  assert.deepEqual([row!.pre_token_balance_in, row!.post_token_balance_in], [Number.NaN, Number.NaN]);
  assert.deepEqual([row!.pre_token_balance_out, row!.post_token_balance_out], [9, 11]);
});

test('a keeper who keeps more than half of what came out has swapped for itself', () => {
  const calls = filled(transfer(solOf(keeper), solOf(maker), keeper, 900_000_000n));
  assert.deepEqual(told(calls, signedByKeeper), [['keeper', 100, 'token', 2, 'SOL']]);
});

test('an order whose escrow gets what came out is of the escrow', () => {
  const calls = filled(transfer(solOf(keeper), solOf(escrow), keeper, 1_990_000_000n));
  assert.deepEqual(told(calls, signedByKeeper), [['escrow', 100, 'token', 1.99, 'SOL']]);
});

test('two orders that a keeper fills in one transaction are matched by their amounts', () => {
  const [second, secondMaker] = [key('second escrow'), key('second maker')];
  const sell = (amount: bigint, sol: bigint): Call =>
    swapOf(transfer(tokenOf(keeper), vault, keeper, amount), transfer(vaultSol, solOf(keeper), pool, sol));
  const calls = [
    transfer(tokenOf(escrow), tokenOf(keeper), escrow, 100_000_000n),
    transfer(tokenOf(second), tokenOf(keeper), second, 50_000_000n),
    sell(100_000_000n, 2_000_000_000n),
    sell(50_000_000n, 990_000_000n),
    transfer(solOf(keeper), solOf(maker), keeper, 1_990_000_000n),
    transfer(solOf(keeper), solOf(secondMaker), keeper, 985_000_000n),
  ];
  const rows = told(calls, { signers: [keeper], tokens: tokensOf(keeper, escrow, maker, second, secondMaker) });
  assert.deepEqual(rows, [
    ['maker', 100, 'token', 1.99, 'SOL'],
    [secondMaker, 50, 'token', 0.985, 'SOL'],
  ]);
});

test('a signer that passes on what it bought by a later instruction has bought it', () => {
  const calls = [swapOf(...sale(pool, false)), transfer(ownSol, solOf(maker), wallet, 1_500_000_000n)];
  assert.deepEqual(told(calls, { tokens: tokensOf(maker) }), [['wallet', 123.456789, 'token', 1.5, 'SOL']]);
});

test('what another gets at once of what a signer paid for is the swap of the signer', () => {
  const calls = [
    swapOf(transfer(own, vault, wallet, 100_000_000n), transfer(vaultSol, solOf(maker), pool, 2_000_000_000n)),
  ];
  assert.deepEqual(told(calls, { tokens: tokensOf(maker) }), [['wallet', 100, 'token', 2, 'SOL']]);
});

test('who lends what is swapped and gets it back has not swapped: the signer between has', () => {
  const lender = key('lender');
  const tokens = tokensOf(lender);
  const calls = [
    transfer(tokenOf(lender), own, lender, 100_000_000n),
    swapOf(transfer(own, vault, wallet, 100_000_000n), transfer(vaultSol, ownSol, pool, 2_000_000_000n)),
    swapOf(transfer(ownSol, vaultSol, wallet, 2_000_000_000n), transfer(vault, own, pool, 101_000_000n)),
    transfer(own, tokenOf(lender), wallet, 100_100_000n),
  ];
  const { rows } = decoded(made(calls, { tokens }));
  assert.deepEqual(new Set(rows.map((row) => row.wallet)), new Set([wallet]));
});

const multisig = key('multisig');
const member = key('member');
const router = { owner: key('router'), token: tokenOf(key('router')), sol: solOf(key('router')) };
/** A vault of a multisig, whose member signs the message. */
const execute = (...calls: readonly Call[]): Call => call(multisig, [member, wallet], 'c2', ...calls);

test('a swap of a vault that signs nothing is the vault’s, with the fees of the instruction that the multisig called', () => {
  const fee = { address: key('fee account'), mint: token, owner: key('fees'), amount: 0n };
  const routed = call(
    key('bot'),
    [wallet],
    '01',
    swapOf(...sale(pool, false)),
    transfer(own, fee.address, wallet, 1_000_000n),
  );
  const beside = transfer(own, fee.address, wallet, 7_000_000n);
  const rows = told([execute(routed, beside)], { signers: [member], tokens: [...accountsOf(pool), fee] });
  assert.deepEqual(rows, [['wallet', 124.456789, 'token', 1.5, 'SOL']]);
});

test('the pool that a layout names is not the trader, though it pays first and the trader signs nothing', () => {
  const swap = call(
    PUMPSWAP,
    [pool, wallet],
    anchor('buy'),
    transfer(vault, own, pool, 50_000_000n),
    transfer(ownSol, vaultSol, wallet, 1_000_000_000n),
  );
  const tokens = accountsOf(pool).map((one) => (one.address === ownSol ? { ...one, amount: 4_000_000_000n } : one));
  assert.deepEqual(told([execute(swap)], { signers: [member], tokens }), [['wallet', 1, 'SOL', 50, 'token']]);
});

test('a curve that gives first is the pool: by the place that its layout gives it', () => {
  const curve = key('curve');
  const buy = call(
    PUMP,
    [key('global'), key('fees'), token, curve, vault, own, wallet],
    anchor('buy'),
    transfer(vault, own, curve, 7_000_000n),
    lamports(wallet, curve, 980_000_000n),
    lamports(wallet, key('fees'), 20_000_000n),
  );
  const raw = made([execute(buy)], { signers: [member], tokens: accountsOf(curve) });
  assert.deepEqual(short(decoded(raw).rows), [['wallet', 1, 'SOL', 7, 'token']]);
});

test('a pool without a place in a layout is the one whose accounts move nothing elsewhere', () => {
  const routed = call(
    key('routing program'),
    [wallet],
    '01',
    transfer(own, router.token, wallet, 100_000_000n),
    swapOf(
      transfer(vaultSol, router.sol, pool, 2_000_000_000n),
      transfer(router.token, vault, router.owner, 100_000_000n),
    ),
    transfer(router.sol, ownSol, router.owner, 1_990_000_000n),
  );
  const authority = key('authority of many pools');
  const tokens = tokensOf(router.owner).map((one) => (one.owner === pool ? { ...one, owner: authority } : one));
  assert.deepEqual(told([routed], { tokens }), [['wallet', 100, 'token', 1.99, 'SOL']]);
});

test('a vault that trades at a book, which keeps each token by itself, is no pool', () => {
  const book = call(
    PHOENIX,
    [key('program'), key('log'), pool, wallet],
    '00',
    transfer(vaultSol, ownSol, key('sol vault'), 1_500_000_000n),
    transfer(own, vault, wallet, 100_000_000n),
  );
  const tokens = accountsOf(pool).map((one) =>
    one.owner === pool ? { ...one, owner: one.mint === SOL ? key('sol vault') : key('token vault') } : one,
  );
  assert.deepEqual(told([execute(book)], { signers: [member], tokens }), [['wallet', 100, 'token', 1.5, 'SOL']]);
});

test('a token account whose owner nobody says is of who moves its tokens', () => {
  const raw = made(
    [
      call(
        key('routing program'),
        [wallet],
        '01',
        transfer(own, router.token, wallet, 100_000_000n),
        swapOf(
          transfer(router.token, vault, router.owner, 100_000_000n),
          transfer(vaultSol, ownSol, pool, 2_000_000_000n),
        ),
      ),
    ],
    { tokens: tokensOf(router.owner) },
  );
  assert.deepEqual(short(decoded(withoutOwner(raw, router.owner)).rows), [['wallet', 100, 'token', 2, 'SOL']]);
});

test('a middle token is the same in both hops, whatever a router keeps or a token withholds of it', () => {
  const second = { pool: key('second pool'), sol: key('second SOL'), usdc: key('second USDC') };
  const tokens = [
    ...tokensOf(router.owner),
    { address: second.sol, mint: SOL, owner: second.pool, amount: 5n },
    { address: second.usdc, mint: USDC, owner: second.pool, amount: 900_000_000n },
  ];
  const routed = call(
    key('routing program'),
    [wallet],
    '01',
    swapOf(transfer(own, vault, wallet, 100_000_000n), transfer(vaultSol, router.sol, pool, 2_000_000_000n)),
    call(
      CLMM,
      [key('a'), key('b'), second.pool],
      anchor('swap'),
      transfer(router.sol, second.sol, router.owner, 1_990_000_000n),
      transfer(second.usdc, who.ownUsdc, second.pool, 300_000_000n),
    ),
  );
  assert.deepEqual(told([routed], { tokens }), [
    ['wallet', 100, 'token', 1.99, 'SOL'],
    ['wallet', 1.99, 'SOL', 300, 'USDC'],
  ]);
});

test('the amounts of the pool stand beside those of the wallet where a fee or a router lies between, and else are left out', () => {
  const fee = { address: key('fee account'), mint: token, owner: key('fees'), amount: 0n };
  const tokens = [...accountsOf(pool), fee];
  const swap = swapOf(...sale(pool, false));
  const poolsOf = (calls: readonly Call[]) =>
    decoded(made(calls, { tokens })).rows.map((row) => [row.pool_amount_in, row.pool_amount_out]);
  const routed = call(key('bot'), [wallet], '01', swap, transfer(own, fee.address, wallet, 1_000_000n));
  assert.deepEqual(poolsOf([routed]), [[123.456789, 1.5]]);
  assert.deepEqual(poolsOf([swap]), [[Number.NaN, Number.NaN]]);
  const within = swapOf(...sale(pool, false), transfer(own, fee.address, wallet, 1_000_000n));
  assert.deepEqual(poolsOf([within]), [[123.456789, 1.5]]);
});

test('what arrived at a pool is less than what was sent of a token that withholds, and what it sent is more than what arrived', () => {
  const tokens = accountsOf(pool).map((one) => (one.mint === token ? { ...one, is2022: true } : one));
  const sold = swapOf(
    checked(own, token, vault, wallet, 100_000_000n, 3_000_000n),
    transfer(vaultSol, ownSol, pool, 2_000_000_000n),
  );
  const [row] = decoded(made([sold], { tokens })).rows;
  assert.deepEqual([row!.token_amount_in, row!.pool_amount_in, row!.pool_amount_out], [100, 97, 2]);
});

test('a program that nobody knows and that takes lamports is read neither way, and both are counted', () => {
  const curve = key('curve');
  const unknown = (data: string, ...calls: readonly Call[]): Call =>
    call(key('launchpad'), [wallet, curve], data, ...calls);
  const buy = unknown('01', lamports(wallet, curve, 1_000_000_000n), transfer(vault, own, curve, 7_000_000n));
  const tokens = accountsOf(curve);
  assert.deepEqual(decoded(made([buy], { tokens })), { rows: [], undecoded: { unknown_program: 1 } });
  const sell = paysByItself(unknown('02', transfer(own, vault, wallet, 7_000_000n)), curve, wallet, 990_000_000n);
  assert.deepEqual(decoded(made([sell], { tokens })), { rows: [], undecoded: { unknown_program: 1 } });
  const deposit = unknown('03', transfer(own, vault, wallet, 7_000_000n));
  assert.deepEqual(decoded(made([deposit], { tokens })), { rows: [], undecoded: {} });
});

test('a log of a pool to itself is no second hop where the node did not record the heights', () => {
  const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
  const [events, logs] = [key('events'), key('pool events')];
  const inner = call(
    CLMM,
    [key('a'), key('b'), pool, own, vault, ownSol, vaultSol, wallet, logs],
    anchor('swap'),
    ...sale(pool, false),
    call(CLMM, [logs], 'e445a52e51cb9a1d00'),
  );
  const event = `e445a52e51cb9a1d40c6cde8260871e2${'00'.repeat(32)}${'00'.repeat(80)}`;
  const accounts = [wallet, own, vault, ownSol, vaultSol, pool, ...fill(2), key('a'), key('b'), logs, events];
  const raw = made([call(JUPITER, accounts, 'e517cb977ae3ad2a', inner, call(JUPITER, [events], event))]);
  assert.deepEqual(short(decoded(withoutHeights(raw)).rows), [['wallet', 123.456789, 'token', 1.5, 'SOL']]);
});

/** A swap behind a ladder of accounts: at each step two transfers join and part, so that there are 2^steps ways through it. */
function ladder(steps: number): readonly Call[] {
  const rung = (i: number): string => tokenOf(key(`rung ${i}`));
  const calls: Call[] = [];
  for (let i = 0; i < steps; i++)
    for (const amount of [10_000_000n, 15_000_000n])
      calls.push(checked(i === 0 ? own : rung(i), token, rung(i + 1), i === 0 ? wallet : key(`rung ${i}`), amount));
  const swap = swapOf(
    transfer(rung(steps), vault, key(`rung ${steps}`), 25_000_000n),
    transfer(vaultSol, ownSol, pool, 500_000_000n),
  );
  return [...calls, swap];
}

test('a transaction with more ways through its transfers than could ever be followed is read in no time', () => {
  const steps = 60;
  const tokens = [
    ...accountsOf(pool),
    ...Array.from({ length: steps }, (_, i) => key(`rung ${i + 1}`)).map((owner) => ({
      ...{ address: tokenOf(owner), mint: token, owner, amount: 0n },
    })),
  ];
  assert.deepEqual(told([call(key('program'), [wallet], '01', ...ladder(steps))], { tokens }), [
    ['wallet', 25, 'token', 0.5, 'SOL'],
  ]);
});

/** How often the trace looks at a transfer, of as many as are wanted that go back and forth before a hop. */
function looks(count: number): number {
  const move = (at: number, from: string, to: string): Transfer => ({
    ...{ at, kind: 'transfer', mint: token, from, to, source: undefined, target: undefined },
    ...{ sent: BigInt(1 + (at % 7)), arrived: BigInt(1 + (at % 7)), saysFee: true },
  });
  const transfers = Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? move(at, wallet, router.owner) : move(at, router.owner, wallet),
  );
  const last = move(count, wallet, pool);
  let read = 0;
  const counted = new Proxy([...transfers, last], {
    get: (list, place) => {
      read++;
      return Reflect.get(list, place);
    },
  });
  const trace = new Trace(counted, [{ ins: [last], outs: [] as Transfer[] } as unknown as Hop]);
  assert.equal(trace.originOf(last)?.payer, wallet);
  assert.notEqual(trace.endOf(transfers[0]!), undefined);
  return read;
}

test('ten times as many transfers are looked at ten times as often', () => {
  assert.ok(looks(20_000) <= 10 * looks(2_000));
});
