import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { type SolanaSourceOptions, type SolanaTransaction, solanaSource } from '@swapfold/solana';
import { accountsOf, sale, who } from '../packages/solana/test/support/swaps.ts';
import {
  anchor,
  type Call,
  call,
  checked,
  key,
  lamports,
  type Made,
  mintTo,
  SOL,
  transactionOf,
  transfer,
} from '../packages/solana/test/support/transaction.ts';
import { engines, withFolder } from './support/engines.ts';
import { type StandInBlock, StandInNode } from './support/solana-node.ts';

const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const { wallet, token, own, ownSol, vault, vaultSol, pool } = who;
const [friend, stranger, spam] = [key('friend'), key('stranger'), key('spam')];
const accounts = {
  friend: key('friend token'),
  stranger: key('stranger token'),
  other: key('other token'),
  spam: key('wallet spam'),
  strangersSpam: key('stranger spam'),
};
const tokens: Made['tokens'] = [
  ...accountsOf(pool),
  { address: accounts.friend, mint: token, owner: friend, amount: 0n },
  { address: accounts.stranger, mint: token, owner: stranger, amount: 90_000_000n },
  { address: accounts.other, mint: token, owner: key('other'), amount: 0n },
  { address: accounts.spam, mint: spam, owner: wallet, amount: 0n },
  { address: accounts.strangersSpam, mint: spam, owner: stranger, amount: 70_000_000n },
];
const FROM = 200;

/** What each transaction calls, one a block from slot 200 on. */
const bought = call(
  CLMM,
  [key('a'), key('b'), pool],
  anchor('swap'),
  transfer(ownSol, vaultSol, wallet, 2_000_000_000n),
  transfer(vault, own, pool, 100_000_000n),
);
const sold = call(CLMM, [key('a'), key('b'), pool], anchor('swap'), ...sale(pool, false));
const history: readonly (readonly Call[])[] = [
  // Before the wallet's first swap, nobody knows it.
  [transfer(accounts.stranger, own, stranger, 5_000_000n)],
  [bought],
  [transfer(own, accounts.friend, wallet, 40_000_000n)],
  [checked(accounts.strangersSpam, spam, accounts.spam, stranger, 1_000_000n)],
  [transfer(accounts.stranger, accounts.other, stranger, 3_000_000n)],
  [lamports(wallet, friend, 10_000_000n)],
  [mintTo(token, own, key('authority'), 7_000_000n)],
  [transfer(accounts.friend, own, friend, 40_000_000n), sold],
];

function chain(calls: readonly (readonly Call[])[], of: Partial<Made> = {}): StandInBlock[] {
  return calls.map((each, i) => ({
    slot: FROM + i,
    blockhash: key(`block ${i} of ${calls.length}`),
    previousBlockhash: i === 0 ? key('before') : key(`block ${i - 1} of ${calls.length}`),
    parentSlot: FROM + i - 1,
    blockTime: 1_730_000_000 + i,
    transactions: [moving(each, i, of)],
  }));
}

const moving = (calls: readonly Call[], i: number, of: Partial<Made>): SolanaTransaction =>
  transactionOf({
    ...{ signers: [wallet], calls, slot: FROM + i, signature: key(`transaction ${i}`) },
    tokens: tokens.map((one) => (one.address === ownSol ? { ...one, amount: 5_000_000_000n } : one)),
    ...of,
  });

const names = new Map([
  ...Object.entries({ wallet, friend, stranger, pool, token, spam }).map(([name, address]) => [address, name] as const),
  [SOL, 'SOL'],
]);
const named = (address: string | null | undefined): string | null => (address ? (names.get(address) ?? address) : null);

async function follow(dex: Swapfold, options: SolanaSourceOptions) {
  return dex.follow(solanaSource({ poll_ms: 5, onNotice: () => undefined, ...options }));
}

/** What the store has, from old to new: who sent whom how much of what. */
async function stored(dex: Swapfold) {
  const { data } = await dex.transfers.list({ limit: 100 });
  return [...data]
    .sort((a, b) => a.block_slot! - b.block_slot! || a.transfer_index - b.transfer_index)
    .map((row) => [row.block_slot! - FROM, named(row.from), row.token_amount, named(row.token), named(row.to)]);
}

const right = [
  [1, 'wallet', 2, 'SOL', 'pool'],
  [1, 'pool', 100, 'token', 'wallet'],
  [2, 'wallet', 40, 'token', 'friend'],
  [5, 'wallet', 0.01, 'SOL', 'friend'],
  [6, null, 7, 'token', 'wallet'],
  [7, 'friend', 40, 'token', 'wallet'],
  [7, 'wallet', 123.456789, 'token', 'pool'],
  [7, 'pool', 1.5, 'SOL', 'wallet'],
];

async function withStore(engine: string, run: (dex: Swapfold) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'solana' } });
    await run(dex);
    await dex.close();
  });
}

for (const engine of ['sqlite', 'duckdb']) {
  test(`on ${engine}: transfers of tokens and wallets that have a swap so far are stored, and no others`, async () => {
    const node = await StandInNode.start(chain(history));
    await withStore(engine, async (dex) => {
      const result = await follow(dex, { url: node.url, from_slot: FROM, to_slot: 'latest', transfers: true });
      assert.deepEqual(await stored(dex), right);
      assert.equal(result.transfers.added, right.length);
      assert.equal(result.transfers.rejected + result.transfers.conflicting, 0);
    });
    await node.stop();
  });

  test(`on ${engine}: block by block, the same transfers are stored as of all blocks at once`, async () => {
    const blocks = chain(history);
    const node = await StandInNode.start(blocks);
    await withStore(engine, async (dex) => {
      for (const { slot } of blocks)
        await follow(dex, { url: node.url, from_slot: FROM, to_slot: slot, transfers: true });
      assert.deepEqual(await stored(dex), right);
    });
    await node.stop();
  });

  test(`on ${engine}: a rollback takes the transfers of its blocks back, and those of the other branch are stored`, async () => {
    const blocks = chain(history);
    const node = await StandInNode.start(blocks);
    await withStore(engine, async (dex) => {
      await follow(dex, { url: node.url, from_slot: FROM, to_slot: FROM + 6, transfers: true });
      const branch = blocks.slice(0, 6).concat(
        [6, 7, 8].map((i) => ({
          ...{ slot: FROM + i, blockTime: 1_730_000_000 + i, parentSlot: FROM + i - 1 },
          blockhash: key(`other ${i}`),
          previousBlockhash: i === 6 ? blocks[5]!.blockhash : key(`other ${i - 1}`),
          transactions: i === 7 ? [moving([transfer(own, accounts.friend, wallet, 9_000_000n)], 70, {})] : [],
        })),
      );
      node.give(branch);
      await follow(dex, { url: node.url, from_slot: FROM, to_slot: FROM + 8, transfers: true });
      assert.deepEqual(await stored(dex), [...right.slice(0, 4), [7, 'wallet', 9, 'token', 'friend']]);
    });
    await node.stop();
  });

  test(`on ${engine}: what swaps move themselves counts once, and what leaves afterwards lowers the balance`, async () => {
    const node = await StandInNode.start(chain(history));
    const holding = async (dex: Swapfold, last: number) => {
      await follow(dex, { url: node.url, from_slot: FROM, to_slot: FROM + last, transfers: true });
      await dex.refresh();
      const position = await dex.positions.get({ wallet, token, options: { include_holding: true } });
      const { balance, away_amount, arrived_amount } = position.holding!;
      return { balance, away_amount, arrived_amount };
    };
    await withStore(engine, async (dex) => {
      // 500 were there, 100 are bought.
      assert.deepEqual(await holding(dex, 1), { balance: 600, away_amount: 0, arrived_amount: 500 });
      assert.deepEqual(await holding(dex, 2), { balance: 560, away_amount: 0, arrived_amount: 460 });
    });
    await node.stop();
  });
}

test('of a wallet that is asked for, all that it sent and received is stored, whatever came first', async () => {
  const node = await StandInNode.start(chain(history));
  await withStore('sqlite', async (dex) => {
    await follow(dex, { url: node.url, wallets: [wallet], to_slot: 'latest', transfers: true });
    const all = await stored(dex);
    assert.deepEqual(all, [
      [0, 'stranger', 5, 'token', 'wallet'],
      ...right.slice(0, 3),
      [3, 'stranger', 1, 'spam', 'wallet'],
      ...right.slice(3),
    ]);
  });
  await node.stop();
});

test('a token that withholds a fee: what arrives is a transfer, and the fee is burnt', async () => {
  const tax = checked(own, token, accounts.friend, wallet, 10_000_000n, 300_000n);
  const is2022 = tokens.map((one) => (one.mint === token ? { ...one, is2022: true } : one));
  const blocks = [
    ...chain([[bought], [tax]], {
      tokens: is2022.map((one) => (one.address === ownSol ? { ...one, amount: 5_000_000_000n } : one)),
    }),
  ];
  const node = await StandInNode.start(blocks);
  await withStore('sqlite', async (dex) => {
    await follow(dex, { url: node.url, from_slot: FROM, to_slot: 'latest', transfers: true });
    assert.deepEqual((await stored(dex)).slice(2), [
      [1, 'wallet', 9.7, 'token', 'friend'],
      [1, 'wallet', 0.3, 'token', null],
    ]);
  });
  await node.stop();
});

test('without the option nothing but swaps is stored, and a failed transaction moves nothing', async () => {
  const node = await StandInNode.start(chain(history));
  await withStore('sqlite', async (dex) => {
    await follow(dex, { url: node.url, from_slot: FROM, to_slot: 'latest' });
    assert.deepEqual(await stored(dex), []);
  });
  node.give(chain(history, { err: { InstructionError: [0, 'Custom'] } }));
  await withStore('sqlite', async (dex) => {
    await follow(dex, { url: node.url, wallets: [wallet], to_slot: 'latest', transfers: true });
    assert.deepEqual(await stored(dex), []);
  });
  await node.stop();
});
