import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { evmSource } from '@swapfold/evm';
import { type Address, formatUnits } from 'viem';
import { noneUndecoded } from '../../packages/evm/src/undecoded.ts';
import { startAnvil } from './anvil.ts';
import { artifacts } from './artifacts.ts';
import { type Contract, calling, deploy, mined, view } from './contracts.ts';
import { deployExchange, type Pool, type Token, units } from './exchange.ts';
import { openStore, optionsOf, readOnce, swapsOf } from './following.ts';
import { addOddToken } from './odd-tokens.ts';
import { mineBlocks, routesOf, trades } from './traffic.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const [trader] = exchange.traders as [Address];
const { tokens } = exchange;
const [usdc, weth] = ['USDC', 'WETH'].map((symbol) => tokens.find((token) => token.symbol === symbol)!) as [
  Token,
  Token,
];
const lower = (address: string): string => address.toLowerCase();

/** A balance at a block, in whole tokens, as the chain says it. */
async function balance(token: Token, of: Address, block: number): Promise<bigint> {
  return view<bigint>(chain, token, 'balanceOf', [of], `0x${block.toString(16)}`);
}

const asNumber = (amount: bigint, token: Token): number => Number(formatUnits(amount, token.decimals));

test('every swap is what the balances of its pool say, of tokens of 6, 8 and 18 decimals, on routes of one to three pools of both versions', async () => {
  // A transaction a block, whose route has each pool once: balances between blocks are those before and after a swap.
  const hashes = await mineBlocks(
    chain,
    trades(exchange, 7),
    Array.from({ length: 40 }, () => 1),
  );
  const dex = await openStore(exchange);
  const { added, rejected } = await readOnce(dex, optionsOf(exchange));
  const swaps = await swapsOf(dex);
  assert.deepEqual([added, rejected], [swaps.length, 0]);
  assert.ok(swaps.length > hashes.length, 'routes of several pools are several swaps');
  assert.deepEqual(new Set(swaps.map(({ tx_hash }) => tx_hash)), new Set(hashes));
  assert.equal(new Set(swaps.map(({ pool }) => pool)).size, exchange.pools.length, 'every pool has swaps');
  for (const swap of swaps) {
    const pool = exchange.pools.find(({ address }) => lower(address) === swap.pool)!;
    const block = Number(swap.block_slot);
    const [tokenIn, tokenOut] = [swap.token_in, swap.token_out].map(
      (address) => tokens.find((token) => lower(token.address) === address)!,
    ) as [Token, Token];
    assert.deepEqual(
      new Set([tokenIn, tokenOut].map(({ address }) => address)),
      new Set([pool.token0.address, pool.token1.address]),
    );
    const received = (await balance(tokenIn, pool.address, block)) - (await balance(tokenIn, pool.address, block - 1));
    const given = (await balance(tokenOut, pool.address, block - 1)) - (await balance(tokenOut, pool.address, block));
    assert.deepEqual(
      [swap.token_amount_in, swap.token_amount_out],
      [asNumber(received, tokenIn), asNumber(given, tokenOut)],
    );
    assert.deepEqual([swap.token_symbol_in, swap.token_symbol_out], [tokenIn.symbol, tokenOut.symbol]);
    const transaction = await chain.call<{ from: string; gasUsed: string; effectiveGasPrice: string }>(
      'eth_getTransactionReceipt',
      swap.tx_hash,
    );
    const fee = BigInt(transaction.gasUsed) * BigInt(transaction.effectiveGasPrice);
    assert.equal(swap.fee_native, Number(formatUnits(fee, 18)));
    const { timestamp } = await chain.call<{ timestamp: string }>(
      'eth_getBlockByNumber',
      `0x${block.toString(16)}`,
      false,
    );
    assert.deepEqual([swap.wallet, swap.block_time], [lower(transaction.from), Number(timestamp)]);
    assert.equal(swap.protocol, `${pool.version}-fork`);
    await assertPrice(pool, swap.token_in === lower(pool.token0.address), block, received, given);
  }
  await dex.close();
});

/** Holds the price of a swap to the pool's own: what its reserves give, or between those of `slot0` before and after, but for the fee. */
async function assertPrice(
  pool: Pool,
  isFirstIn: boolean,
  block: number,
  received: bigint,
  given: bigint,
): Promise<void> {
  const at = (number: number): string => `0x${number.toString(16)}`;
  if (pool.version === 'v2') {
    const [reserve0, reserve1] = await view<readonly [bigint, bigint]>(chain, pool, 'getReserves', [], at(block - 1));
    const [reserveIn, reserveOut] = isFirstIn ? [reserve0, reserve1] : [reserve1, reserve0];
    const withoutFee = received * 997n;
    assert.equal(given, (withoutFee * reserveOut) / (reserveIn * 1000n + withoutFee));
    const [after0, after1] = await view<readonly [bigint, bigint]>(chain, pool, 'getReserves', [], at(block));
    assert.deepEqual(isFirstIn ? [after0, after1] : [after1, after0], [reserveIn + received, reserveOut - given]);
    return;
  }
  const roots = await Promise.all(
    [block - 1, block].map(async (number) => (await view<readonly [bigint]>(chain, pool, 'slot0', [], at(number)))[0]),
  );
  const [low, high] = roots.map((root) => (Number(root) / 2 ** 96) ** 2).sort((a, b) => a - b) as [number, number];
  const net = (Number(received) * (1e6 - pool.fee)) / 1e6;
  const price = isFirstIn ? Number(given) / net : net / Number(given);
  assert.ok(price > low * (1 - 1e-6) && price < high * (1 + 1e-6), `${price} is not between ${low} and ${high}`);
}

test('the price of a token is that of its last swap against the quote token', async () => {
  await mineBlocks(chain, trades(exchange, 8), [6]);
  const dex = await openStore(exchange);
  await readOnce(dex, optionsOf(exchange));
  const both = [usdc, weth].map(({ address }) => lower(address));
  const last = (await swapsOf(dex)).findLast(
    ({ token_in, token_out }) => both.includes(token_in) && both.includes(token_out),
  )!;
  const [dollars, ether] =
    last.token_in === both[0]
      ? [last.token_amount_in, last.token_amount_out]
      : [last.token_amount_out, last.token_amount_in];
  const [price] = await dex.prices.latest({ tokens: [both[1]!] });
  assert.equal(price!.usd_price, dollars / ether);
  await dex.close();
});

test('swaps of one block keep the order of their logs, and the wallet may be the recipient', async () => {
  const recipient = exchange.traders[5]!;
  const { head } = await newest();
  const route = routesOf(exchange)[0]!;
  const data = exchange.swap(trader, route, units(usdc, 100));
  const to = exchange.swap(recipient, route, units(usdc, 100));
  // The trader pays, the other one receives: the recipient is a word of the call.
  await mined(chain, [data, { ...to, from: trader }]);
  const dex = await openStore(exchange);
  await readOnce(dex, { ...optionsOf(exchange), from_block: head + 1, wallet: 'recipient' });
  const swaps = await swapsOf(dex);
  assert.deepEqual(
    swaps.map(({ wallet }) => wallet),
    [lower(trader), lower(recipient)],
  );
  assert.ok(swaps[0]!.swap_index < swaps[1]!.swap_index);
  await dex.close();
});

async function newest(): Promise<{ readonly head: number }> {
  return { head: Number(await chain.call('eth_blockNumber')) };
}

test('symbols in 32 bytes are read, missing ones are none, and a token without decimals is left out and counted', async () => {
  const odd = [
    await addOddToken(exchange, 'MKR', { function: 'symbol', how: { bytes32: 'MKR' } }),
    await addOddToken(exchange, 'NOSYM', { function: 'symbol', how: 'missing' }),
    await addOddToken(exchange, 'BADSYM', { function: 'symbol', how: 'reverting' }),
    await addOddToken(exchange, 'NODEC', { function: 'decimals', how: 'missing' }),
    await addOddToken(exchange, 'BADDEC', { function: 'decimals', how: 'reverting' }),
  ];
  for (const token of odd) await exchange.addPool({ version: 'v2', tokens: [usdc, token], amounts: [10_000, 1000] });
  const { head } = await newest();
  await mined(
    chain,
    odd.map((token) => exchange.swap(trader, { version: 'v2', path: [usdc, token] }, units(usdc, 10))),
  );
  const dex = await openStore(exchange);
  const notices: string[] = [];
  const options = { ...optionsOf(exchange), from_block: head + 1, onNotice: (notice: string) => notices.push(notice) };
  const source = evmSource({ ...options, to_block: 'latest' });
  await dex.follow(source);
  const swaps = await swapsOf(dex);
  assert.deepEqual(
    swaps.map(({ token_symbol_out }) => token_symbol_out),
    ['MKR', null, null],
  );
  assert.deepEqual(source.undecoded, { ...noneUndecoded(), no_decimals: 2 });
  assert.equal(notices.filter((notice) => /does not tell its decimals/.test(notice)).length, 2, 'each is said once');
  await dex.refresh();
  const { metadata } = await dex.tokens.get({ token: odd[0]!.address });
  assert.deepEqual([metadata?.symbol, metadata?.name], ['MKR', 'Token MKR']);
  await dex.close();

  const told = await openStore(exchange);
  const tokens = odd.slice(3).map(({ address }, i) => ({ address, decimals: 18, symbol: `T${i}` }));
  await readOnce(told, { ...options, tokens });
  assert.deepEqual(
    (await swapsOf(told)).map(({ token_symbol_out }) => token_symbol_out),
    ['MKR', null, null, 'T0', 'T1'],
  );
  await told.close();
});

test('pools of other factories are counted, also one that claims to be of a followed factory; a list of pools takes only those', async () => {
  const [owner] = await chain.call<Address[]>('eth_accounts');
  const other = await deploy(chain, owner!, artifacts.v2Factory, [owner]);
  const pair = async (factory: Contract): Promise<Contract> => {
    await mined(chain, [{ from: owner!, to: factory.address, data: createPair(usdc, weth) }]);
    const address = await view<Address>(chain, factory, 'getPair', [usdc.address, weth.address]);
    return { ...artifacts.v2Pair, address };
  };
  const foreign = await pair(other);
  // The slot of `factory` in the pair's layout.
  const impostor = await pair(await deploy(chain, owner!, artifacts.v2Factory, [owner]));
  await chain.call(
    'anvil_setStorageAt',
    impostor.address,
    `0x${'5'.padStart(64, '0')}`,
    `0x${exchange.v2Factory.address.slice(2).padStart(64, '0')}`,
  );
  assert.equal(lower(await view<Address>(chain, impostor, 'factory')), lower(exchange.v2Factory.address));
  const { head } = await newest();
  for (const pool of [foreign, impostor]) await swapAt(pool, owner!);
  await mined(chain, [exchange.swap(trader, routesOf(exchange)[0]!, units(usdc, 10))]);
  const dex = await openStore(exchange);
  const source = evmSource({ ...optionsOf(exchange), from_block: head, to_block: 'latest' });
  await dex.follow(source);
  const followed = lower(exchange.pools[0]!.address);
  assert.deepEqual(
    (await swapsOf(dex)).map(({ pool }) => pool),
    [followed],
  );
  assert.equal(source.undecoded.other_pools, 2);
  await dex.close();

  const { factories: _, ...rest } = optionsOf(exchange);
  const listed = await openStore(exchange);
  await readOnce(listed, { ...rest, from_block: head, pools: [foreign.address] });
  assert.deepEqual(
    (await swapsOf(listed)).map(({ pool, protocol }) => [pool, protocol]),
    [[lower(foreign.address), 'v2-fork']],
  );
  await assert.rejects(readOnce(listed, { ...rest, pools: [usdc.address] }), /is no pool on this chain/);
  await listed.close();
});

test('what is no exchange of two tokens, and what has the topic of a swap and other fields, is counted', async () => {
  const [owner] = await chain.call<Address[]>('eth_accounts');
  const pair = exchange.pools[0]!;
  const isFirst = lower(pair.token0.address) === lower(usdc.address);
  const { head } = await newest();
  await mined(chain, [calling(owner!, usdc, 'transfer', [pair.address, units(usdc, 20)])]);
  const out = units(usdc, 10);
  await mined(chain, [calling(owner!, pair, 'swap', [isFirst ? out : 0n, isFirst ? 0n : out, owner, '0x'])]);
  // PUSH three topics, a length of 32 bytes and an offset; LOG3; STOP.
  const emitter: Address = '0x00000000000000000000000000000000000e7e47';
  const topic = 'd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
  await chain.call('anvil_setCode', emitter, `0x600060007f${topic}60206000a300`);
  await mined(chain, [{ from: owner!, to: emitter, data: '0x' }]);
  const dex = await openStore(exchange);
  const source = evmSource({ ...optionsOf(exchange), from_block: head + 1, to_block: 'latest' });
  await dex.follow(source);
  assert.deepEqual(source.undecoded, { ...noneUndecoded(), malformed: 1, no_exchange: 1 });
  assert.deepEqual(await swapsOf(dex), []);
  await dex.close();
});

const createPair = (one: Token, two: Token): `0x${string}` =>
  `0xc9c65396${one.address.slice(2).padStart(64, '0')}${two.address.slice(2).padStart(64, '0')}`;

/** Gives a pair liquidity and swaps with it by hand, because no router knows it. */
async function swapAt(pair: Contract, owner: Address): Promise<void> {
  const first = BigInt(usdc.address) < BigInt(weth.address);
  await mined(chain, [
    calling(owner, usdc, 'transfer', [pair.address, units(usdc, 2000)]),
    calling(owner, weth, 'transfer', [pair.address, units(weth, 1)]),
  ]);
  await mined(chain, [calling(owner, pair, 'mint', [owner])]);
  await mined(chain, [calling(owner, usdc, 'transfer', [pair.address, units(usdc, 10)])]);
  const out = units(weth, 0.004);
  await mined(chain, [calling(owner, pair, 'swap', [first ? 0n : out, first ? out : 0n, owner, '0x'])]);
}

test('a chain of another id is refused, at the beginning and by the place that the store remembers', async () => {
  const dex = await openStore(exchange);
  await assert.rejects(
    readOnce(dex, { ...optionsOf(exchange), chain_id: 1 }),
    /of chain 31337 .*, not of chain 1 \(ethereum\)/,
  );
  const other = await startAnvil(['--chain-id', '555']);
  try {
    await readOnce(dex, { ...optionsOf(exchange), name: 'evm' });
    await assert.rejects(
      readOnce(dex, { ...optionsOf(exchange), name: 'evm', url: other.url }),
      /follows chain 31337, and the node is of chain 555/,
    );
  } finally {
    await other.stop();
    await dex.close();
  }
});
