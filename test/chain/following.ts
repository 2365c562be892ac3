import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConfigInput,
  type FollowResult,
  type Message,
  memory,
  type Swap,
  Swapfold,
  SwapfoldError,
} from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { type EvmSourceOptions, evmSource } from '@swapfold/evm';
import type { Anvil } from './anvil.ts';
import type { Exchange } from './exchange.ts';

/** USDC is the quote token. */
export function configOf({ tokens }: Pick<Exchange, 'tokens'>): ConfigInput {
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC')!;
  const quote_tokens = [{ address: usdc.address, symbol: 'USDC', kind: 'stable' as const }];
  return { chain: 'anvil', address_format: 'evm', quote_tokens };
}

/** A store of an exchange's chain. */
export async function openStore(
  exchange: Pick<Exchange, 'tokens'>,
  storage: StorageAdapter = memory(),
): Promise<Swapfold> {
  return Swapfold.open({ storage, config: configOf(exchange) });
}

export const optionsOf = ({ chain, v2Factory, v3Factory }: Exchange): EvmSourceOptions => ({
  url: chain.url,
  factories: [v2Factory.address, v3Factory.address],
  from_block: 0,
  poll_ms: 10,
  onNotice: () => undefined,
});

/** Reads all blocks that there are, and ends. */
export async function readOnce(dex: Swapfold, options: EvmSourceOptions): Promise<FollowResult> {
  return dex.follow(evmSource({ ...options, to_block: 'latest' }));
}

/** A store that follows until it is stopped. */
export interface Running {
  /** Waits until the store has the newest block of the chain. */
  readonly caughtUp: (chain: Anvil) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const PATIENCE_MS = 60_000;

/** Waits until something holds; fails with `what` after a minute. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Waited for too long until ${what}.`);
    await sleep(5);
  }
}

interface Place {
  readonly blocks: readonly (readonly [number, string])[];
}

/** The blocks by number that the store has read last. */
export async function blocksRead(dex: Swapfold): Promise<ReadonlyMap<number, string>> {
  const [source] = await dex.sources();
  return new Map(source === undefined ? [] : (JSON.parse(source.place) as Place).blocks);
}

interface Block {
  readonly number: string;
  readonly hash: string;
}

export const newestBlock = (chain: Pick<Anvil, 'call'>): Promise<Block> =>
  chain.call<Block>('eth_getBlockByNumber', 'latest', false);

export function run(dex: Swapfold, options: EvmSourceOptions): Running {
  const stopping = new AbortController();
  let failure: unknown;
  const over = dex.follow(evmSource(options), { signal: stopping.signal }).catch((error: unknown) => {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) failure = error;
  });
  return {
    caughtUp: async (chain) => {
      const { number, hash } = await newestBlock(chain);
      await until(`block ${Number(number)} of hash ${hash} is stored`, async () => {
        if (failure !== undefined) throw failure;
        return (await blocksRead(dex)).get(Number(number)) === hash;
      });
    },
    stop: async () => {
      stopping.abort();
      await over;
      if (failure !== undefined) throw failure;
    },
  };
}

/** All swaps of a store, the oldest first. */
export async function swapsOf(dex: Swapfold): Promise<Swap[]> {
  const swaps: Swap[] = [];
  let cursor: string | undefined;
  do {
    const page = await dex.swaps.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
    swaps.push(...page.data);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return swaps.reverse();
}

/** Someone who only sees messages: what they say the swaps are. */
export interface Watcher {
  readonly swaps: () => readonly Swap[];
  /** Waits a while for messages that are under way to as many swaps. */
  readonly settled: (count: number) => Promise<void>;
  readonly stop: () => void;
}

const byChain = (a: Swap, b: Swap): number =>
  Number(a.block_slot) - Number(b.block_slot) || Number(a.swap_index) - Number(b.swap_index);

export async function watch(dex: Swapfold): Promise<Watcher> {
  const stopping = new AbortController();
  const seen = new Map<string, Swap>();
  const subscription = dex.subscribe('swaps', {}, { signal: stopping.signal });
  void (async () => {
    for await (const message of subscription) apply(seen, message as Message<Swap>);
  })().catch(() => undefined);
  await subscription.ready;
  return {
    swaps: () => [...seen.values()].sort(byChain),
    settled: async (count) => {
      for (let tries = 0; seen.size !== count && tries < 200; tries++) await sleep(10);
    },
    stop: () => stopping.abort(),
  };
}

function apply(seen: Map<string, Swap>, { data, retracted }: Message<Swap>): void {
  if (retracted !== undefined)
    for (const [key, swap] of seen) if (Number(swap.block_slot) >= Number(retracted.from_block_slot)) seen.delete(key);
  for (const swap of data) seen.set(`${swap.tx_hash} ${swap.swap_index}`, swap);
}
