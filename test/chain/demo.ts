import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { explorerFiles } from '@swapfold/explorer';
import { serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';
import { startAnvil } from './anvil.ts';
import { deployExchange, type Exchange } from './exchange.ts';
import { configOf, until } from './following.ts';
import { mineBlocks, randomOf, trades } from './traffic.ts';

const KEY = 'swapfold-demo';
const FOLDER = '.swapfold';
/** Blocks before the server starts, and swaps of a block at most. */
const FIRST = { blocks: 60, swaps: 4 };
const BLOCK_MS = 1000;
/** Every so many blocks, the chain takes back the newest ones. */
const CHANGE = { every: 8, depth: 2 };
/** Blocks that are shown if nobody looks on. */
const ROUNDS = 10;

/** Starts a chain, deploys Uniswap V2 and V3, trades, follows the chain into a store, and serves it with the explorer. `stays` until Ctrl-C. */
export async function demo(stays: boolean): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  console.log('Starting a chain, and deploying Uniswap V2 and V3 with four tokens and five pools ...');
  const chain = await startAnvil(['--timestamp', String(Math.floor(Date.now() / 1000) - 600)]);
  try {
    const exchange = await deployExchange(chain);
    const traffic = trades(exchange, 1);
    const random = randomOf(1);
    const mine = (): Promise<unknown> => mineBlocks(chain, traffic, [1 + Math.floor(random() * FIRST.swaps)]);
    for (let i = 0; i < FIRST.blocks; i++) await mine();
    const path = join(FOLDER, 'chain.db');
    await mkdir(FOLDER, { recursive: true });
    for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
    await withDex(exchange, path, async (dex) => {
      const say = (notice: string): void => console.log(`  ${notice}`);
      const factories = [
        { address: exchange.v2Factory.address, protocol: 'uniswap-v2' },
        { address: exchange.v3Factory.address, protocol: 'uniswap-v3' },
      ];
      const source = evmSource({ url: chain.url, factories, from_block: 0, poll_ms: 100, onNotice: say });
      const server = await serve(dex, { port: 0, keys: [KEY], files: await explorerFiles() });
      const following = orStopped(dex.follow(source, { signal }));
      const fresh = dex.keepFresh({ every: 0.5, signal });
      try {
        await server.ready;
        console.log(`The chain is at ${chain.url}. What follows and serves it, on the command line:`);
        console.log(
          `SWAPFOLD_API_KEYS=${KEY} node --import tsx packages/cli/src/bin.ts serve --follow evm:${chain.url} ${factories.map(({ address }) => `--factory ${address}`).join(' ')} --from-block 0 --db ${path}`,
        );
        console.log(`See it at ${server.url}/ with the key ${KEY}; Ctrl-C stops it.\n`);
        for (let round = 1; !signal.aborted && (stays || round <= ROUNDS); round++) {
          await Promise.race([following, mine()]);
          if (round % CHANGE.every === 0) await chain.call('anvil_reorg', CHANGE.depth, []);
          console.log(await lineOf(dex, exchange));
          await pause(stays ? BLOCK_MS : 50, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        stop();
        await following;
        await fresh;
        await server.close();
      }
    });
  } finally {
    await chain.stop();
  }
}

async function withDex(exchange: Exchange, path: string, work: (dex: Swapfold) => Promise<void>): Promise<void> {
  const dex = await Swapfold.open({ storage: sqlite(path), config: configOf(exchange) });
  try {
    await work(dex);
  } finally {
    await dex.close();
  }
}

async function orStopped(following: Promise<unknown>): Promise<void> {
  try {
    await following;
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
  }
}

/** What the store tells of the newest block, once it has that block: its swaps, and prices. */
async function lineOf(dex: Swapfold, { chain, tokens }: Exchange): Promise<string> {
  const { number, hash } = await chain.call<{ number: string; hash: string }>('eth_getBlockByNumber', 'latest', false);
  await until(`block ${Number(number)} is stored`, async () => {
    const [source] = await dex.sources();
    return source?.place.includes(hash) === true;
  });
  const { count } = await dex.swaps.list({ limit: 1 });
  const priced = tokens.filter(({ symbol }) => symbol !== 'USDC');
  const prices = await dex.prices.latest({ tokens: priced.map(({ address }) => address.toLowerCase()) });
  const said = prices.map(({ token, usd_price }) => {
    const { symbol } = priced.find(({ address }) => address.toLowerCase() === token)!;
    return `${symbol} ${usd_price.toFixed(2)} USD`;
  });
  return `Block ${Number(number)}: ${count} swaps, ${said.join(', ')}`;
}
