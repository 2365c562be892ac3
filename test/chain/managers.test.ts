import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Swap } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { type Address, decodeEventLog, formatUnits, type Hex, zeroAddress } from 'viem';
import { noneUndecoded } from '../../packages/evm/src/undecoded.ts';
import { engines, withFolder } from '../support/engines.ts';
import { startAnvil } from './anvil.ts';
import { mined, type Receipt, view } from './contracts.ts';
import { deployExchange, type Token, units } from './exchange.ts';
import { openStore, optionsOf, readOnce, run, swapsOf } from './following.ts';
import { type Currency, deployManaged, ether, type ManagedPool } from './managers.ts';
import { startProxy } from './proxy.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const managed = await deployManaged(exchange);
const { manager, addPool, swap } = managed;
const [trader] = exchange.traders as [Address];
const tokenOf = (symbol: string): Token => exchange.tokens.find((token) => token.symbol === symbol)!;
const [usdc, weth, wbtc] = ['USDC', 'WETH', 'WBTC'].map(tokenOf) as [Token, Token, Token];
const lower = (address: string): string => address.toLowerCase();

const pools = {
  tokens: await addPool({ currencies: [usdc, wbtc], amounts: [4_000_000, 100] }),
  native: await addPool({ currencies: [ether, usdc], amounts: [10_000, 20_000_000] }),
  hooked: await addPool({ currencies: [usdc, wbtc], amounts: [8_000_000, 200], hooks: managed.feeHook }),
  hookedNative: await addPool({ currencies: [ether, usdc], amounts: [5_000, 10_000_000], hooks: managed.feeHook }),
} as const;
const made = Number(await chain.call('eth_blockNumber'));

interface Case {
  readonly sentence: string;
  readonly pool: ManagedPool;
  readonly in: Currency;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
  /** Of the token whose amount is left open, what the hook takes. */
  readonly hookTakes?: true;
}

const cases: readonly Case[] = [
  { sentence: 'exact in', pool: pools.tokens, in: usdc, exact: 'in', amount: units(usdc, 1234.5) },
  { sentence: 'exact in, the other way', pool: pools.tokens, in: wbtc, exact: 'in', amount: units(wbtc, 0.25) },
  { sentence: 'exact out', pool: pools.tokens, in: usdc, exact: 'out', amount: units(wbtc, 0.5) },
  { sentence: 'exact out, the other way', pool: pools.tokens, in: wbtc, exact: 'out', amount: units(usdc, 777) },
  { sentence: 'ether in', pool: pools.native, in: ether, exact: 'in', amount: units(ether, 2) },
  { sentence: 'ether in, exact out', pool: pools.native, in: ether, exact: 'out', amount: units(usdc, 3000) },
  { sentence: 'ether out', pool: pools.native, in: usdc, exact: 'in', amount: units(usdc, 5000) },
  { sentence: 'ether out, exact', pool: pools.native, in: usdc, exact: 'out', amount: units(ether, 1.5) },
  {
    sentence: 'a hook takes of what comes out',
    pool: pools.hooked,
    in: usdc,
    exact: 'in',
    amount: units(usdc, 900),
    hookTakes: true,
  },
  {
    sentence: 'a hook takes of what goes in',
    pool: pools.hooked,
    in: usdc,
    exact: 'out',
    amount: units(wbtc, 0.1),
    hookTakes: true,
  },
  {
    sentence: 'a hook takes of what comes out for ether',
    ...{ pool: pools.hookedNative, in: ether, exact: 'in', amount: units(ether, 1), hookTakes: true },
  },
  {
    sentence: 'a hook takes of what goes in for ether',
    ...{ pool: pools.hookedNative, in: usdc, exact: 'out', amount: units(ether, 1), hookTakes: true },
  },
];

const receipts: Receipt[] = [];
for (const { pool, in: currency, exact, amount } of cases)
  receipts.push(...(await mined(chain, [swap(trader, pool, { in: currency, exact, amount })])));

const options: EvmSourceOptions = {
  ...optionsOf(exchange),
  factories: undefined,
  managers: [{ address: manager.address, protocol: 'uniswap-v4' }],
  native_token: weth.address,
};

async function balance(currency: Currency, of: Address, block: bigint): Promise<bigint> {
  const at = `0x${block.toString(16)}`;
  if (currency.address === zeroAddress) return BigInt(await chain.call('eth_getBalance', of, at));
  return view<bigint>(chain, currency as Token, 'balanceOf', [of], at);
}

/** What an account got of a currency in a block, in its smallest unit; less than nothing is what it gave. Gas is not counted. */
async function got(
  currency: Currency,
  of: Address,
  { blockNumber, gasUsed, effectiveGasPrice }: Receipt,
): Promise<bigint> {
  const block = BigInt(blockNumber);
  const difference = (await balance(currency, of, block)) - (await balance(currency, of, block - 1n));
  const paysGas = currency.address === zeroAddress && of === trader;
  return difference + (paysGas ? BigInt(gasUsed) * BigInt(effectiveGasPrice) : 0n);
}

const whole = (amount: bigint, { decimals }: Currency): number => Number(formatUnits(amount, decimals));
const stored = ({ address }: Currency): string => lower(address === zeroAddress ? weth.address : address);

async function readAll(storage: StorageAdapter, more: Partial<EvmSourceOptions> = {}): Promise<Swap[]> {
  const dex = await openStore(exchange, storage);
  const source = evmSource({ ...options, ...more, to_block: 'latest' });
  await dex.follow(source);
  assert.deepEqual(source.undecoded, noneUndecoded());
  const swaps = await swapsOf(dex);
  await dex.close();
  return swaps;
}

for (const engine of ['sqlite', 'duckdb'] as const)
  test(`on ${engine}, a swap of a manager is what the balances of the wallet say, native ether and the fees of hooks included`, () =>
    withFolder(async (folder) => {
      const swaps = await readAll(engines[engine]!(folder));
      assert.equal(swaps.length, cases.length);
      for (const [i, { sentence, pool, in: currency }] of cases.entries()) {
        const receipt = receipts[i]!;
        const out = pool.currencies.find((other) => other !== currency)!;
        const given = -(await got(currency, trader, receipt));
        const taken = await got(out, trader, receipt);
        const { block_time: _, ...found } = swaps[i]!;
        assert.deepEqual(
          [found.token_in, found.token_amount_in, found.token_out, found.token_amount_out],
          [stored(currency), whole(given, currency), stored(out), whole(taken, out)],
          sentence,
        );
        assert.deepEqual(
          [found.pool, found.protocol, found.wallet, found.tx_hash, Number(found.block_slot)],
          [pool.id, 'uniswap-v4', lower(trader), receipt.transactionHash, Number(receipt.blockNumber)],
          sentence,
        );
        assert.equal(found.token_symbol_in, currency === ether ? 'WETH' : currency.symbol, sentence);
      }
    }));

test('the amounts of the pools are what the manager got and gave, less the fee of the hook, if the sender is the wallet', async () => {
  const swaps = await readAll(engines.memory!(''), { wallet: 'sender' });
  for (const [i, { sentence, pool, in: currency, hookTakes }] of cases.entries()) {
    const out = pool.currencies.find((other) => other !== currency)!;
    const [received, given] = [
      await got(currency, manager.address, receipts[i]!),
      -(await got(out, manager.address, receipts[i]!)),
    ];
    const { token_amount_in: amountIn, token_amount_out: amountOut } = swaps[i]!;
    if (hookTakes === undefined) {
      assert.deepEqual([amountIn, amountOut], [whole(received, currency), whole(given, out)], sentence);
      continue;
    }
    // What the hook takes leaves the manager as well, so that the pool's part is what both of them and the wallet have.
    const [event] = await eventsOf(receipts[i]!.transactionHash);
    const amounts = [event!.amount0, event!.amount1].map((amount) => (amount < 0n ? -amount : amount));
    const isFirst = currency === pool.currencies[0];
    const [eventIn, eventOut] = isFirst ? amounts : [...amounts].reverse();
    assert.deepEqual([amountIn, amountOut], [whole(eventIn!, currency), whole(eventOut!, out)], sentence);
  }
});

async function eventsOf(hash: Hex): Promise<{ readonly amount0: bigint; readonly amount1: bigint }[]> {
  const { logs } = await chain.call<{ logs: { address: string; topics: [Hex, ...Hex[]]; data: Hex }[] }>(
    'eth_getTransactionReceipt',
    hash,
  );
  return logs
    .filter(({ address }) => lower(address) === lower(manager.address))
    .map(({ topics, data }) => decodeEventLog({ abi: manager.abi, topics, data, eventName: 'Swap' }).args as never);
}

test('a hook takes 1.23 % of the amount that is left open, which is the difference of the wallet from the pool', async () => {
  const [own, pool] = [await readAll(engines.memory!('')), await readAll(engines.memory!(''), { wallet: 'sender' })];
  const [out, into] = cases.flatMap(({ hookTakes }, i) => (hookTakes ? [i] : [])) as [number, number];
  const close = (a: number, b: number): void => assert.ok(Math.abs(a / b - 1) < 1e-6, `${a} and ${b}`);
  close(own[out]!.token_amount_out, pool[out]!.token_amount_out * (1 - 0.0123));
  assert.equal(own[out]!.token_amount_in, pool[out]!.token_amount_in);
  close(own[into]!.token_amount_in, pool[into]!.token_amount_in * 1.0123);
  assert.equal(own[into]!.token_amount_out, pool[into]!.token_amount_out);
});

test('pools that were made before the first block are found by the events of their manager, whatever ranges the node takes', async () => {
  const expected = await readAll(engines.memory!(''));
  assert.deepEqual(await readAll(engines.memory!(''), { from_block: made + 1 }), expected);
  // As if all of them traded in pools of long ago, of a node that takes five blocks at a time.
  const proxy = await startProxy(chain.url, {
    call: ({ method, params }) => {
      const { fromBlock, toBlock } = Object(params[0]) as { fromBlock?: string; toBlock?: string };
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      if (method !== 'eth_getLogs' || !(blocks > 5)) return undefined;
      return { error: { code: -32_600, message: 'eth_getLogs is limited to a 5 block range' } };
    },
  });
  try {
    assert.deepEqual(await readAll(engines.memory!(''), { url: proxy.url, from_block: made + 1 }), expected);
  } finally {
    await proxy.stop();
  }
});

test('pools whose Initialize event the node does not give are counted, and said once each', async (t) => {
  const proxy = await startProxy(chain.url, {
    result: ({ method, params }, result) => (method === 'eth_getLogs' && 'address' in Object(params[0]) ? [] : result),
  });
  t.after(() => proxy.stop());
  const dex = await openStore(exchange);
  const notices: string[] = [];
  const onNotice = (notice: string): unknown => notices.push(notice);
  const source = evmSource({ ...options, url: proxy.url, from_block: made + 1, to_block: 'latest', onNotice });
  await dex.follow(source);
  assert.deepEqual(source.undecoded, { ...noneUndecoded(), no_initialize: cases.length });
  assert.equal(notices.filter((notice) => /no Initialize event/.test(notice)).length, Object.keys(pools).length);
  await dex.close();
});

test('without a native token, ether is the address of zeros, and pools of managers that are not followed are counted', async () => {
  const dex = await openStore(exchange);
  const source = evmSource({ ...options, native_token: undefined, to_block: 'latest' });
  await dex.follow(source);
  const natives = (await swapsOf(dex)).filter(({ pool }) => pool === pools.native.id);
  assert.equal(natives.length, 4);
  for (const { token_in, token_out } of natives) assert.ok([token_in, token_out].includes(zeroAddress));
  await dex.close();

  const other = await openStore(exchange);
  const strange = evmSource({ ...options, managers: [usdc.address], to_block: 'latest' });
  await other.follow(strange);
  assert.deepEqual(await swapsOf(other), []);
  assert.deepEqual(strange.undecoded, { ...noneUndecoded(), other_pools: cases.length });
  await other.close();
});

test('a pool of ether and its wrapped form exchanges nothing, and is counted', async () => {
  const wraps = await addPool({ currencies: [ether, weth], amounts: [100, 100] });
  const { head } = { head: Number(await chain.call('eth_blockNumber')) };
  await mined(chain, [swap(trader, wraps, { in: ether, exact: 'in', amount: units(ether, 1) })]);
  const dex = await openStore(exchange);
  const source = evmSource({ ...options, from_block: head + 1, to_block: 'latest' });
  await dex.follow(source);
  assert.deepEqual(source.undecoded, { ...noneUndecoded(), no_exchange: 1 });
  await dex.close();
});

test('factories and managers are followed together, and a pool whose creation is taken back is forgotten', async () => {
  const dex = await openStore(exchange);
  const both = {
    ...options,
    factories: optionsOf(exchange).factories,
    from_block: Number(await chain.call('eth_blockNumber')) + 1,
  };
  const following = run(dex, both);
  const v2 = { version: 'v2', path: [usdc, weth] } as const;
  await mined(chain, [exchange.swap(trader, v2, units(usdc, 10))]);
  const pool = await addPool({ currencies: [wbtc, weth], amounts: [50, 1500] });
  await mined(chain, [swap(trader, pool, { in: wbtc, exact: 'in', amount: units(wbtc, 0.1) })]);
  await following.caughtUp(chain);
  assert.deepEqual(
    (await swapsOf(dex)).map(({ protocol }) => protocol),
    ['v2-fork', 'uniswap-v4'],
  );
  await chain.call('anvil_reorg', 3, []);
  await mined(chain, [swap(trader, pools.native, { in: ether, exact: 'in', amount: units(ether, 1) })]);
  await following.caughtUp(chain);
  assert.deepEqual(
    (await swapsOf(dex)).map(({ pool: id }) => id),
    [lower(exchange.pools[0]!.address), pools.native.id],
  );
  await following.stop();
  const once = await openStore(exchange);
  await readOnce(once, both);
  assert.deepEqual(await swapsOf(dex), await swapsOf(once));
  await once.close();
  await dex.close();
});
