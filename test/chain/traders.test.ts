import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Swap } from '@swapfold/core';
import { type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { type Address, decodeEventLog, formatUnits, type Hex, maxUint256 } from 'viem';
import { engines, withFolder } from '../support/engines.ts';
import { allow, deployBundles, deployCow, deploySafe, filled, inner, type Step, step } from './accounts.ts';
import { startAnvil } from './anvil.ts';
import { artifacts } from './artifacts.ts';
import { type Contract, calling, deploy, mined, type Receipt, type Transaction, view } from './contracts.ts';
import { deployExchange, type Token, units } from './exchange.ts';
import { openStore, optionsOf, swapsOf } from './following.ts';

const CHAIN_ID = 31_337;
const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const [owner] = (await chain.call<Address[]>('eth_accounts')) as [Address];
const [alice, bob, carol, solver, relayer] = exchange.traders as [Address, Address, Address, Address, Address];
const tokenOf = (symbol: string): Token => exchange.tokens.find((token) => token.symbol === symbol)!;
const [usdc, weth, aaa] = ['USDC', 'WETH', 'AAA'].map(tokenOf) as [Token, Token, Token];
const all = [usdc, weth, aaa];
const lower = (address: string): string => address.toLowerCase();
const route = (...path: readonly Token[]) => ({ version: 'v2', path }) as const;

const bundles = await deployBundles(chain, owner);
const cow = await deployCow(chain, owner, CHAIN_ID);
const steps = await deploy(chain, owner, artifacts.steps);
const accounts = [await bundles.addAccount(), await bundles.addAccount()];
const inSafe = await deploySafe(chain, owner);
const { safe } = inSafe({ to: owner, data: '0x' });
await mined(chain, [
  ...allow([alice, bob, carol], all, cow.relayer),
  ...allow([alice, bob, carol], all, steps.address),
  ...[safe, ...accounts.map(({ address }) => address)].flatMap((account) =>
    [usdc, weth].map((token) => calling(owner, token, 'transfer', [account, units(token, 100)])),
  ),
]);

/** Swaps of a transaction, by each engine the same. */
async function swapsIn(
  { transactionHash, blockNumber }: Receipt,
  more: Partial<EvmSourceOptions> = {},
): Promise<Swap[]> {
  const found: Swap[][] = [];
  await withFolder(async (folder) => {
    for (const engine of ['sqlite', 'duckdb'] as const) {
      const dex = await openStore(exchange, engines[engine]!(folder));
      const block = Number(blockNumber);
      await dex.follow(evmSource({ ...optionsOf(exchange), from_block: block, to_block: block, ...more }));
      found.push(await swapsOf(dex));
      await dex.close();
    }
  });
  assert.deepEqual(found[0], found[1]);
  assert.ok(found[0]!.every(({ tx_hash }) => tx_hash === transactionHash));
  return found[0]!;
}

/** What an account got of a token in a block, in whole tokens. */
async function got(token: Token, of: Address, { blockNumber }: Receipt): Promise<number> {
  const block = BigInt(blockNumber);
  const [before, now] = await Promise.all(
    [block - 1n, block].map((at) => view<bigint>(chain, token, 'balanceOf', [of], `0x${at.toString(16)}`)),
  );
  const difference = now! - before!;
  return difference < 0n
    ? -Number(formatUnits(-difference, token.decimals))
    : Number(formatUnits(difference, token.decimals));
}

/** Holds the swaps of a wallet, one route, to what its balances say. */
async function assertRoute(
  swaps: readonly Swap[],
  wallet: Address,
  path: readonly [Token, Token],
  receipt: Receipt,
): Promise<void> {
  assert.deepEqual(new Set(swaps.map((swap) => swap.wallet)), new Set([lower(wallet)]));
  const [first, last] = [swaps[0]!, swaps.at(-1)!];
  assert.deepEqual(
    [first.token_in, last.token_out],
    path.map(({ address }) => lower(address)),
  );
  assert.deepEqual(
    [first.token_amount_in, last.token_amount_out],
    [-(await got(path[0], wallet, receipt)), await got(path[1], wallet, receipt)],
  );
}

const run = async (from: Address, list: readonly Step[]): Promise<Receipt> =>
  (await mined(chain, [calling(from, steps, 'run', [list])]))[0]!;

/** What a contract does to swap tokens that it has: it lets the router move them, and swaps. */
const swapBy = (contract: Address, path: readonly Token[], amount: bigint): Transaction[] => {
  const swap = exchange.swap(contract, route(...path), amount);
  return [calling(contract, path[0]!, 'approve', [swap.to!, maxUint256]), swap];
};

const move = (token: Token, from: Address, to: Address, amount: bigint): Step =>
  step(inner(calling(from, token, 'transferFrom', [from, to, amount])));
const pay = (token: Token, to: Address, amount: bigint): Step =>
  step(inner(calling(steps.address, token, 'transfer', [to, amount])));

test('two operations of one bundle are of their two accounts, as their balances say, and not of the bundler', async () => {
  const [one, two] = accounts as [(typeof accounts)[0], (typeof accounts)[0]];
  const receipt = await bundles.bundle(relayer, [
    { account: one, calls: swapBy(one.address, [usdc, weth, aaa], units(usdc, 50)).map(inner) },
    { account: two, calls: swapBy(two.address, [weth, usdc], units(weth, 0.5)).map(inner) },
  ]);
  const swaps = await swapsIn(receipt);
  assert.equal(swaps.length, 3);
  await assertRoute(swaps.slice(0, 2), one.address, [usdc, aaa], receipt);
  await assertRoute(swaps.slice(2), two.address, [weth, usdc], receipt);
  // Each account paid the EntryPoint of its own deposit.
  const paid = [one, one, two].map(({ address }) => costs(receipt).get(lower(address)));
  assert.deepEqual(
    swaps.map(({ fee_native }) => fee_native),
    paid,
  );
  const sent = await swapsIn(receipt, { wallet: 'sender' });
  assert.deepEqual(new Set(sent.map(({ wallet }) => wallet)), new Set([lower(relayer)]));
});

/** What accounts paid for their operations, by the events of the EntryPoint, in ether. */
function costs({ logs }: Receipt): ReadonlyMap<string, number> {
  const { abi, address } = bundles.entryPoint;
  const found = new Map<string, number>();
  for (const { topics, data, address: of } of logs) {
    if (lower(of) !== lower(address)) continue;
    const { eventName, args } = decodeEventLog({ abi, topics: [...topics] as [Hex, ...Hex[]], data });
    const { sender, actualGasCost } = Object(args) as { sender: string; actualGasCost: bigint };
    if (eventName === 'UserOperationEvent') found.set(lower(sender), Number(formatUnits(actualGasCost, 18)));
  }
  return found;
}

test('an operation that swaps for somebody else is still of its account', async () => {
  const [account] = accounts as [(typeof accounts)[0]];
  const swap = exchange.swap(carol, route(usdc, weth), units(usdc, 5));
  const calls = [calling(account.address, usdc, 'approve', [swap.to!, maxUint256]), swap].map(inner);
  const receipt = await bundles.bundle(relayer, [{ account, calls }]);
  const [swapped] = await swapsIn(receipt);
  assert.equal(swapped!.wallet, lower(account.address));
  // Carol got the tokens, so that what came out is what the pool gave.
  assert.equal(swapped!.token_amount_out, await got(weth, carol, receipt));
});

test('an order of CoW Protocol is of its owner, and two orders of one settlement are of two', async () => {
  const { settlement } = cow;
  assert.equal(lower(settlement.address), '0x9008d19f58aabd9ed0d60971565aa8510560ab41');
  const orders = [
    { owner: alice, sell: usdc.address, buy: weth.address, sellAmount: units(usdc, 2000), buyAmount: units(weth, 0.9) },
    { owner: bob, sell: aaa.address, buy: weth.address, sellAmount: units(aaa, 100), buyAmount: units(weth, 0.4) },
  ];
  const calls = [
    ...swapBy(settlement.address, [usdc, weth], units(usdc, 1990)),
    ...swapBy(settlement.address, [aaa, weth], units(aaa, 100)),
  ];
  const receipt = await cow.settle(solver, orders, calls.map(inner));
  const swaps = await swapsIn(receipt);
  assert.equal(swaps.length, 2);
  await assertRoute(swaps.slice(0, 1), alice, [usdc, weth], receipt);
  await assertRoute(swaps.slice(1), bob, [aaa, weth], receipt);
  assert.deepEqual(
    swaps.map(({ fee_native }) => fee_native),
    [0, 0],
    'the solver paid the chain',
  );
  // Of ten of Alice's dollars the settlement kept, which is a fee: she gave them.
  assert.equal(swaps[0]!.token_amount_in, 2000);
});

test('the hops of a route belong to the order whose tokens are at its ends', async () => {
  const receipt = await cow.settle(
    solver,
    [
      { owner: alice, sell: usdc.address, buy: aaa.address, sellAmount: units(usdc, 100), buyAmount: units(aaa, 4) },
      { owner: bob, sell: weth.address, buy: usdc.address, sellAmount: units(weth, 1), buyAmount: units(usdc, 1900) },
    ],
    [
      ...swapBy(cow.settlement.address, [usdc, weth, aaa], units(usdc, 100)),
      ...swapBy(cow.settlement.address, [weth, usdc], units(weth, 1)),
    ].map(inner),
  );
  const swaps = await swapsIn(receipt);
  assert.deepEqual(
    swaps.map(({ wallet }) => wallet),
    [alice, alice, bob].map(lower),
  );
});

test('an order for ether that a contract places for somebody is of whom it pays', async () => {
  const ethFlow: Address = '0xba3cb449bd2b4adddbc894d8697f5170800eadec';
  const order = {
    ...{ owner: ethFlow, receiver: carol, sell: weth.address, buy: usdc.address },
    ...{ sellAmount: units(weth, 1), buyAmount: units(usdc, 1800) },
  };
  await chain.call('anvil_impersonateAccount', ethFlow);
  await chain.call('anvil_setBalance', ethFlow, '0xde0b6b3a7640000');
  await mined(chain, [
    calling(owner, weth, 'transfer', [ethFlow, units(weth, 1)]),
    ...allow([ethFlow], [weth], cow.relayer),
  ]);
  const receipt = await cow.settle(
    solver,
    [order],
    swapBy(cow.settlement.address, [weth, usdc], units(weth, 1)).map(inner),
  );
  const [swap] = await swapsIn(receipt);
  assert.deepEqual([swap!.wallet, swap!.token_amount_out], [lower(carol), await got(usdc, carol, receipt)]);
});

const fills: readonly (readonly [protocol: string, event: (maker: Address) => Step])[] = [
  ['UniswapX', (maker) => filled.uniswapx(solver, maker)],
  ['1inch of version 5, whose event names the maker', (maker) => filled.oneInch5(maker)],
  ['1inch of version 6, whose event does not', () => filled.oneInch6()],
];

for (const [protocol, event] of fills)
  test(`an order of ${protocol} is of its maker, and not of the solver that keeps a part`, async () => {
    const swapped = swapBy(steps.address, [aaa, weth, usdc], units(aaa, 200)).map((each) => step(inner(each)));
    const receipt = await run(solver, [
      move(aaa, alice, steps.address, units(aaa, 200)),
      ...swapped,
      pay(usdc, alice, units(usdc, 1800)),
      event(alice),
      pay(usdc, solver, units(usdc, 3)),
    ]);
    const swaps = await swapsIn(receipt);
    assert.equal(swaps.length, 2);
    await assertRoute(swaps, alice, [aaa, usdc], receipt);
    assert.equal(swaps[1]!.token_amount_out, 1800);
  });

test('an event of anybody names nobody who gave no tokens', async () => {
  const receipt = await run(solver, [
    move(usdc, bob, steps.address, units(usdc, 20)),
    ...swapBy(steps.address, [usdc, weth], units(usdc, 20)).map((each) => step(inner(each))),
    // Carol is sent what comes out, and has not asked for it.
    pay(weth, carol, units(weth, 0.001)),
    filled.uniswapx(solver, carol),
  ]);
  const [swap] = await swapsIn(receipt);
  // The contract that passed on what Bob gave kept all but a little of what came out.
  assert.equal(swap!.wallet, lower(steps.address));
});

test('what an owner does by a Safe is of the Safe', async () => {
  const [approve, swap] = swapBy(safe, [weth, usdc], units(weth, 2));
  await mined(chain, [inSafe(inner(approve!))]);
  const [receipt] = await mined(chain, [inSafe(inner(swap!))]);
  await assertRoute(await swapsIn(receipt!), safe, [weth, usdc], receipt!);
});

test('what a Safe swaps for its owner, who sends the transaction, is of the Safe that gave', async () => {
  const [approve] = swapBy(safe, [weth, usdc], units(weth, 1));
  const swap = exchange.swap(owner, route(weth, usdc), units(weth, 1));
  await mined(chain, [inSafe(inner(approve!))]);
  const [receipt] = await mined(chain, [inSafe(inner(swap))]);
  const [swapped] = await swapsIn(receipt!);
  assert.equal(swapped!.wallet, lower(safe));
  assert.equal(swapped!.token_amount_in, -(await got(weth, safe, receipt!)));
});

test('a swap that a relayer sends is of the account that gave and got, through contracts that keep nothing', async () => {
  const receipt = await run(relayer, [
    move(usdc, bob, steps.address, units(usdc, 300)),
    ...swapBy(steps.address, [usdc, weth], units(usdc, 300)).map((each) => step(inner(each))),
    pay(weth, bob, units(weth, 0.14)),
  ]);
  await assertRoute(await swapsIn(receipt), bob, [usdc, weth], receipt);
});

test('a swap whose tokens go to another account is of the sender, who gave the tokens', async () => {
  const to = exchange.swap(carol, route(usdc, weth), units(usdc, 30));
  const [receipt] = await mined(chain, [{ ...to, from: alice }]);
  const [swap] = await swapsIn(receipt!);
  assert.equal(swap!.wallet, lower(alice));
});

test('of a token that taxes transfers, a purchase has what arrived and a sale what left, and a pool its own side', async () => {
  const contract: Contract = await deploy(chain, owner, artifacts.taxedToken);
  const taxed: Token = { ...contract, symbol: 'TAX', decimals: 18 };
  const factory = exchange.v2Factory;
  await mined(chain, [
    calling(owner, taxed, 'mint', [owner, units(taxed, 1_000_000)]),
    calling(owner, factory, 'createPair', [taxed.address, weth.address]),
  ]);
  const pair = {
    ...artifacts.v2Pair,
    address: await view<Address>(chain, factory, 'getPair', [taxed.address, weth.address]),
  };
  await mined(chain, [
    calling(owner, taxed, 'transfer', [pair.address, units(taxed, 100_000)]),
    calling(owner, weth, 'transfer', [pair.address, units(weth, 100)]),
    calling(owner, pair, 'mint', [owner]),
  ]);
  const router = exchange.swap(alice, route(weth, usdc), 1n).to!;
  await mined(chain, allow([alice], [taxed], router));
  const withTax = 'swapExactTokensForTokensSupportingFeeOnTransferTokens';
  const by = (path: readonly Token[], amount: bigint): Transaction =>
    calling(alice, { ...artifacts.v2Router, address: router }, withTax, [
      amount,
      0n,
      path.map(({ address }) => address),
      alice,
      10_000_000_000n,
    ]);
  const [bought] = await mined(chain, [by([weth, taxed], units(weth, 1))]);
  const [purchase] = await swapsIn(bought!);
  assert.deepEqual([purchase!.token_amount_in, purchase!.token_amount_out], [1, await got(taxed, alice, bought!)]);
  const [given] = await swapsIn(bought!, { wallet: 'sender' });
  // A twentieth of what the pool gave.
  assert.ok(Math.abs(purchase!.token_amount_out / given!.token_amount_out - 0.95) < 1e-12);

  const [sold] = await mined(chain, [by([taxed, weth, usdc], units(taxed, 400))]);
  const sale = await swapsIn(sold!);
  await assertRoute(sale, alice, [taxed, usdc], sold!);
  assert.equal(sale[0]!.token_amount_in, 400);
  const [received] = await swapsIn(sold!, { wallet: 'sender' });
  assert.equal(received!.token_amount_in, 380);
  // The hop between is as both pools saw it.
  assert.equal(sale[0]!.token_amount_out, sale[1]!.token_amount_in);
});
