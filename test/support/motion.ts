import type { Api, SwapfoldError, SwapInput } from '@swapfold/core';
import { Swapfold } from '@swapfold/core';
import { smallMarket } from './market.ts';

const { swaps: traded, config } = smallMarket({ seed: 18, swaps: 6000, wallets: 20, tokens: 8, days: 20 });
/** The market's swaps by three wallets. */
const swaps = traded.map((swap, i): SwapInput => {
  const {
    protocol = null,
    token_in,
    token_out,
    token_amount_in,
    token_amount_out,
    usd_amount_in = null,
    usd_amount_out = null,
  } = swap;
  const { block_slot = null, block_time, tx_hash, swap_index } = swap;
  const sides = { protocol, token_in, token_out, token_amount_in, token_amount_out, usd_amount_in, usd_amount_out };
  return { ...sides, block_slot, block_time, tx_hash, swap_index, wallet: traded[i % 3]!.wallet };
});
const tokens = [...new Set(swaps.flatMap(({ token_in, token_out }) => [token_in, token_out]))];
const wallets = [...new Set(swaps.map(({ wallet }) => wallet))];
const [token, wallet] = [swaps[0]!.token_in, wallets[0]!];

/** Swaps before the first step, and of each step that brings some. */
const FIRST = 200;
const EACH = 4;

export const motionConfig = config;

/** Every operation, of so few wallets and tokens that each commit changes the answers of all. */
export const motionAsks: Readonly<Record<string, (dex: Api) => Promise<unknown>>> = {
  'tokens.search': (dex) => dex.tokens.search({ limit: 3 }),
  'tokens.get': (dex) => dex.tokens.get({ token }),
  'wallets.search': (dex) => dex.wallets.search({ limit: 2 }),
  'wallets.get': (dex) => dex.wallets.get({ wallet }),
  'swaps.list of a wallet': (dex) => dex.swaps.list({ wallet, limit: 5 }),
  'swaps.list of a token': (dex) => dex.swaps.list({ token, limit: 5 }),
  'trades.list of a wallet': (dex) => dex.trades.list({ wallet, limit: 5 }),
  'trades.list of a token': (dex) => dex.trades.list({ token, limit: 5 }),
  'prices.latest': (dex) => dex.prices.latest({ tokens }),
  'prices.stats': (dex) => dex.prices.stats({ tokens }),
  'prices.candles': (dex) => dex.prices.candles({ token, interval: 3600, count: 20 }),
  'prices.history': (dex) => dex.prices.history({ tokens: [token], from: '2020-01-01T00:00:00Z', interval: 2_592_000 }),
  'wallets.history': (dex) => dex.wallets.history({ wallet, interval: 86_400 }),
  'tokens.history': (dex) => dex.tokens.history({ token, interval: 86_400 }),
  'tokens.buyers': (dex) => dex.tokens.buyers({ token, limit: 20 }),
  'tokens.get of the launch': (dex) => dex.tokens.get({ token, options: { include_launch: true } }),
  'portfolios.get': (dex) => dex.portfolios.get({ wallet }),
};

/** The answers to all questions, by name, as text. */
export async function answersOf(dex: Api): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const name of Object.keys(motionAsks)) answers[name] = await answerOf(dex, name);
  return answers;
}

/** One answer as text, but for when profiles were stored. */
export async function answerOf(dex: Api, name: string): Promise<string> {
  const answer = await motionAsks[name]!(dex).catch(({ code }: SwapfoldError) => ({ code }));
  return JSON.stringify(answer, (key, value) => (key === 'synced_at' ? undefined : value));
}

/** A store that each `step` changes by one commit: swaps come in, profiles are refreshed, names change, and blocks are rolled back. */
export async function startMotion(
  storage: Parameters<typeof Swapfold.open>[0]['storage'],
): Promise<{ readonly dex: Swapfold; takeSwaps(): Promise<void>; step(): Promise<void> }> {
  const dex = await Swapfold.open({ storage, config });
  let at = FIRST;
  let steps = 0;
  await dex.ingest(swaps.slice(0, at));
  await dex.refresh();
  const next = (): SwapInput[] => {
    const taken = swaps.slice(at, at + EACH);
    at += EACH;
    return taken;
  };
  const kinds: readonly (() => Promise<unknown>)[] = [
    () => dex.ingest(next()),
    () => dex.refresh(),
    () => dex.ingest(next()),
    () => dex.tokens.upsert(tokens.map((address) => ({ address, symbol: `S${steps}`, total_supply: 1000 + steps }))),
    () => dex.ingest(next()),
    () => dex.rollback({ from_block_slot: swaps[at - EACH]!.block_slot! }),
    () => dex.refresh(),
  ];
  return {
    dex,
    async takeSwaps() {
      await dex.ingest(next());
    },
    async step() {
      await kinds[steps++ % kinds.length]!();
    },
  };
}
