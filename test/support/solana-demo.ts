import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { explorerFiles } from '@swapfold/explorer';
import { serve } from '@swapfold/server';
import { type SolanaTransaction, solanaSource } from '@swapfold/solana';
import { sqlite } from '@swapfold/sqlite';
import { topWallets } from '../../packages/cli/src/demo/leaderboard.ts';
import { shortAddress } from '../../packages/cli/src/text/address.ts';
import {
  base58,
  call,
  key,
  SOL,
  transactionOf,
  transfer,
  USDC,
} from '../../packages/solana/test/support/transaction.ts';
import { random } from './killable.ts';
import { type StandInBlock, StandInNode } from './solana-node.ts';

const KEY = 'swapfold-demo';
const FOLDER = '.swapfold';
const FROM = 400_000_000;
const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const SWAP = 'f8c69e91e17587c8';
/** Blocks before the server starts, rounds that are shown if nobody looks on, and milliseconds between blocks. */
const [FIRST, ROUNDS, BLOCK_MS] = [400, 8, 400];
const TOKENS = 5;

/** Prices in SOL that wander, and swaps at them, as a node answers them. */
class Market {
  readonly #next = random(11);
  readonly #prices = Array.from({ length: TOKENS }, (_, i) => 0.0002 * 4 ** i);
  #solPrice = 160;

  block(parent: StandInBlock | undefined): StandInBlock {
    const slot = (parent?.slot ?? FROM - 1) + (this.#next() < 0.05 ? 2 : 1);
    const swaps = 3 + Math.floor(this.#next() * 6);
    const transactions = Array.from({ length: swaps }, (_, i) =>
      this.#swap(i === 0 ? undefined : Math.floor(this.#next() * TOKENS), slot, i),
    );
    return {
      slot,
      blockhash: key(`demo ${slot} ${this.#next()}`),
      previousBlockhash: parent?.blockhash ?? key('before'),
      parentSlot: parent?.slot ?? FROM - 1,
      blockTime: Math.floor(Date.now() / 1000) - Math.max(0, Math.round((FROM + FIRST - slot) * 0.4)),
      transactions,
    };
  }

  /** The next price of a token in SOL; of USDC without one. */
  #walk(token: number | undefined, step: number): number {
    if (token !== undefined) {
      this.#prices[token]! *= step;
      return this.#prices[token]!;
    }
    this.#solPrice *= 1 + (step - 1) / 20;
    return 1 / this.#solPrice;
  }

  /** A swap of a token against SOL; of SOL against USDC without one. */
  #swap(token: number | undefined, slot: number, i: number): SolanaTransaction {
    const wallet = key(`trader ${Math.floor(this.#next() ** 2 * 40)}`);
    const pool = key(`pool ${token}`);
    const mint = token === undefined ? USDC : key(`demo token ${token}`);
    const step = 1 + (this.#next() - 0.48) / 25;
    const price = this.#walk(token, step);
    const sol = BigInt(Math.round(10_000_000 + this.#next() ** 3 * 4e9));
    const amount = BigInt(Math.round((Number(sol) / 1e9 / price) * 1e6));
    const [own, ownSol, vault, vaultSol] = ['a', 'b', 'c', 'd'].map((name) => key(`${name} ${wallet} ${mint}`)) as [
      string,
      string,
      string,
      string,
    ];
    const sold = [transfer(own, vault, wallet, amount), transfer(vaultSol, ownSol, pool, sol)];
    const bought = [transfer(ownSol, vaultSol, wallet, sol), transfer(vault, own, pool, amount)];
    return transactionOf({
      signers: [wallet],
      tokens: [
        { address: own, mint, owner: wallet, amount: 10n ** 15n },
        { address: ownSol, mint: SOL, owner: wallet, amount: 10n ** 12n },
        { address: vault, mint, owner: pool, amount: 10n ** 16n },
        { address: vaultSol, mint: SOL, owner: pool, amount: 10n ** 14n },
      ],
      calls: [call(CLMM, [wallet, key('config'), pool], SWAP, ...(this.#next() < 0.55 ? bought : sold))],
      slot,
      signature: base58(createHash('sha512').update(`${slot} ${i} ${sol}`).digest()),
    });
  }
}

/** Starts a stand-in node, follows its blocks into a store, and serves it with the explorer. `stays` until Ctrl-C. */
export async function demo(stays: boolean): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const market = new Market();
  const blocks: StandInBlock[] = [];
  const mine = (): number => blocks.push(market.block(blocks.at(-1)));
  for (let i = 0; i < FIRST; i++) mine();
  const node = await StandInNode.start(blocks);
  const path = join(FOLDER, 'solana.db');
  await mkdir(FOLDER, { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
  const dex = await Swapfold.open({ storage: sqlite(path) });
  const source = solanaSource({
    url: node.url,
    from_slot: FROM,
    poll_ms: 100,
    onNotice: (notice) => console.log(`  ${notice}`),
  });
  const server = await serve(dex, { port: 0, keys: [KEY], files: await explorerFiles() });
  const following = orStopped(dex.follow(source, { signal }));
  const fresh = dex.keepFresh({ every: 0.5, signal });
  try {
    await server.ready;
    const caughtUp = async (): Promise<boolean> => (await dex.status()).profiles_as_of !== null;
    while (!signal.aborted && !(await caughtUp())) await pause(50, undefined, { signal }).catch(() => undefined);
    console.log(`A stand-in node is at ${node.url}. What follows and serves it, on the command line:`);
    console.log(
      `SWAPFOLD_API_KEYS=${KEY} node --import tsx packages/cli/src/bin.ts serve --follow solana:${node.url} --from-slot ${FROM} --db ${join(FOLDER, 'followed.db')}`,
    );
    console.log(`See it at ${server.url}/ with the key ${KEY}; Ctrl-C stops it.\n`);
    for (let round = 1; !signal.aborted && (stays || round <= ROUNDS); round++) {
      mine();
      // Now and then the chain takes back its newest block.
      if (round % 6 === 0) {
        blocks.splice(-2);
        mine();
        mine();
      }
      node.give(blocks);
      await pause(stays ? BLOCK_MS : 150, undefined, { signal }).catch(() => undefined);
      console.log(await lineOf(dex));
    }
  } finally {
    stop();
    await following;
    await fresh;
    await server.close();
    await dex.close();
    await node.stop();
  }
}

async function orStopped(following: Promise<unknown>): Promise<void> {
  try {
    await following;
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
  }
}

/** What the store tells now: its swaps, the price of SOL, and who earned most. */
async function lineOf(dex: Swapfold): Promise<string> {
  const { count } = await dex.swaps.list({ limit: 1 });
  const [sol] = await dex.prices.latest({ tokens: [SOL] });
  const [first] = await topWallets(dex, '1d');
  const pnl = first?.metrics?.['1d']?.pnl;
  const earned =
    typeof pnl === 'number' ? `, most earned by ${shortAddress(first!.wallet_address)}: $${pnl.toFixed(0)}` : '';
  return `${count} swaps, SOL $${sol?.usd_price?.toFixed(2) ?? '?'}${earned}`;
}
