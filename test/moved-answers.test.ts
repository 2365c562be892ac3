import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { cases, isWhole } from './support/whole.ts';

const A = 1_735_689_600;
const HOUR = 3600;
const config = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
} as const;

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface History {
  readonly swaps: SwapInput[];
  readonly transfers: TransferInput[];
  readonly end: number;
}

/** Some days of two wallets that trade X and SOL, of whose tokens some leave and some come, some of it unseen but for a reported balance. */
function historyOf(seed: number): History {
  const random = randomOf(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const swaps: SwapInput[] = [];
  const transfers: TransferInput[] = [];
  const balances = new Map<string, number>();
  const move = (wallet: string, token: string, by: number): readonly [pre: number, post: number] => {
    const pre = balances.get(`${wallet} ${token}`) ?? 0;
    const post = Math.max(0, pre + by);
    balances.set(`${wallet} ${token}`, post);
    return [pre, post];
  };
  let time = A;
  for (let i = 0; i < 40; i++) {
    time += Math.floor(random() * 4 * HOUR) + 1;
    const wallet = pick(['W', 'V']);
    const amount = 1 + Math.floor(random() * 8);
    const what = random();
    if (what < 0.25) {
      const token = pick(['X', 'X', 'SOL']);
      const isIn = random() < 0.5;
      const [pre] = move(wallet, token, 0);
      if (!isIn && pre < amount) continue;
      move(wallet, token, isIn ? amount : -amount);
      // Some movements nobody tells of.
      if (random() < 0.3) continue;
      const cost = isIn && random() < 0.3 ? { cost_usd: amount * 7 } : {};
      const sides = isIn ? { from: 'elsewhere', to: wallet } : { from: wallet, to: 'elsewhere' };
      transfers.push({
        tx_hash: `m${i}`,
        transfer_index: 0,
        block_time: time,
        token,
        token_amount: amount,
        ...sides,
        ...cost,
      });
      continue;
    }
    const [given, received] = pick([
      ['USDC', 'X'],
      ['USDC', 'X'],
      ['SOL', 'X'],
      ['X', 'USDC'],
      ['X', 'SOL'],
      ['USDC', 'SOL'],
    ] as const);
    const price = { USDC: 1, SOL: 20 + Math.floor(random() * 5), X: 5 + Math.floor(random() * 10) };
    const given_amount = (amount * price[received]) / price[given];
    const [pre_in, post_in] = move(wallet, given, -given_amount);
    const [pre_out, post_out] = move(wallet, received, amount);
    const isReported = random() < 0.5;
    const isHeld = given === 'USDC' || pre_in >= given_amount;
    const reported = {
      ...(isReported && isHeld && given !== 'USDC'
        ? { pre_token_balance_in: pre_in, post_token_balance_in: post_in }
        : {}),
      ...(isReported ? { pre_token_balance_out: pre_out, post_token_balance_out: post_out } : {}),
    };
    swaps.push({
      tx_hash: `t${i}`,
      swap_index: 0,
      block_time: time,
      wallet,
      token_in: given,
      token_amount_in: given_amount,
      token_out: received,
      token_amount_out: amount,
      ...reported,
    });
  }
  // The clock ends after the last transfer.
  time += 1;
  swaps.push({
    tx_hash: 'end',
    swap_index: 0,
    block_time: time,
    wallet: 'Z',
    token_in: 'USDC',
    token_amount_in: 9,
    token_out: 'X',
    token_amount_out: 1,
  });
  return { swaps, transfers, end: time };
}

type Asked = Pick<ReturnType<Swapfold['at']>, 'positions' | 'portfolios' | 'trades' | 'wallets'>;

/** All that a store says of the wallets and their positions, without when it was stored. */
async function answersOf(dex: Asked): Promise<unknown> {
  const found: unknown[] = [];
  for (const wallet of ['W', 'V']) {
    found.push(await dex.portfolios.get({ wallet }));
    const { data } = await dex.trades.list({ wallet, limit: 100 });
    found.push(data);
    const profile = await dex.wallets.get({ wallet }).catch(() => null);
    found.push(profile === null ? null : { ...profile, synced_at: '' });
    for (const token of new Set(data.map((trade) => trade.token))) {
      const options = { include_holding: true, include_metadata: true, include_metrics: ['30d', '1d'] };
      const position = await dex.positions.get({ wallet, token, options });
      found.push({ ...position, synced_at: '' });
    }
  }
  return found;
}

async function storeOf(
  storage: Parameters<typeof Swapfold.open>[0]['storage'],
  history: Omit<History, 'end'>,
): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest(history.swaps);
  await dex.transfers.ingest(history.transfers);
  await dex.refresh();
  return dex;
}

/** How many histories there are, and those that an engine tries which stores them in a file: the rules are the same code. */
const ROUNDS = cases(60, 6);
/** Of these two, both wallets have lots that moved. */
const few: Readonly<Record<string, readonly number[]>> = isWhole ? {} : { sqlite: [6, 7], duckdb: [6] };

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: answers are the same whatever the order of arrival and the refreshes between, and as of any instant those of a store of until then`, () =>
    withFolder(async (folder) => {
      const seeds = few[name] ?? Array.from({ length: ROUNDS }, (_, i) => i + 1);
      let moved = 0;
      for (const seed of seeds) {
        const history = historyOf(seed);
        const plain = await storeOf(open(folder, seed * 10), history);
        const expected = await answersOf(plain);
        // In pieces, shuffled, with a refresh after each.
        const random = randomOf(seed + 1000);
        const rows = [
          ...history.swaps.map((row) => ({ kind: 'swap' as const, row })),
          ...history.transfers.map((row) => ({ kind: 'transfer' as const, row })),
        ].sort(() => random() - 0.5);
        const pieced = await Swapfold.open({ storage: open(folder, seed * 10 + 1), config });
        for (let from = 0; from < rows.length; from += 9) {
          const piece = rows.slice(from, from + 9);
          await pieced.ingest(piece.flatMap((one) => (one.kind === 'swap' ? [one.row] : [])));
          await pieced.transfers.ingest(piece.flatMap((one) => (one.kind === 'transfer' ? [one.row] : [])));
          await pieced.refresh({ scope: from % 2 === 0 ? 'all' : 'traded' });
        }
        await pieced.refresh();
        assert.deepEqual(await answersOf(pieced), expected, `seed ${seed}, in pieces`);
        assert.deepEqual((await pieced.verify()).differences, [], `seed ${seed}`);
        // As asked now, and as of an instant at which a swap was the newest row.
        assert.deepEqual(await answersOf(plain.at(history.end)), expected, `seed ${seed}, asked`);
        const middle = history.swaps[Math.floor(history.swaps.length / 2)]!.block_time as number;
        const until = {
          swaps: history.swaps.filter(({ block_time }) => Number(block_time) <= middle),
          transfers: history.transfers.filter(({ block_time }) => Number(block_time) <= middle),
        };
        const earlier = await storeOf(open(folder, seed * 10 + 2), until);
        assert.deepEqual(await answersOf(plain.at(middle)), await answersOf(earlier), `seed ${seed}, as of ${middle}`);
        for (const wallet of ['W', 'V']) {
          const position = await plain.positions
            .explain({ wallet, token: 'X', metric: 'holding.unrealized_pnl' })
            .catch(() => null);
          moved += position?.moves.length ?? 0;
        }
        for (const dex of [plain, pieced, earlier]) await dex.close();
      }
      assert.ok(moved > seeds.length, `${moved} movements of lots`);
    }));
}
