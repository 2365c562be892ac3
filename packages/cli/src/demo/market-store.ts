import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SwapColumns, Swapfold } from '@swapfold/core';
import { generateMarket, type MarketTransfer } from '@swapfold/testing';
import { openStore } from '../open-store.ts';
import type { StoreUrl } from '../options/store-url.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { formatCount, formatElapsed } from '../text/numbers.ts';

export interface MarketStoreOptions {
  readonly url: StoreUrl;
  readonly swaps: number;
  readonly seed: number;
  /** Swaps that come after the stored ones. Default: none. */
  readonly more?: number | undefined;
}

export interface StoredMarket {
  readonly dex: Swapfold;
  /** The swaps after those that are stored. */
  readonly rest: Iterable<SwapColumns>;
}

/** The market of the demo: it ends in a rush, so that also the labels of what is new and hot are there. */
export function demoMarket(size: { readonly seed: number; readonly swaps: number }): ReturnType<typeof generateMarket> {
  return generateMarket({ ...size, rush: 0.02 });
}

/** Makes a market and stores it in place of the file's last one, telling how long it takes. The store is the caller's to close. */
export async function storeMarket({ url, swaps, seed, more = 0 }: MarketStoreOptions): Promise<StoredMarket> {
  await makeRoom(url.path);
  const market = demoMarket({ seed, swaps: swaps + more });
  const dex = await openStore(url, market.config);
  const progress = createProgress();
  const begun = performance.now();
  let making = 0;
  let stored = 0;
  progress.begin('storing', 'swaps');
  const batches = market.swaps()[Symbol.iterator]();
  const transfers = new Until(market.transfers());
  let moved = 0;
  while (stored < swaps) {
    const before = performance.now();
    const batch = batches.next();
    making += performance.now() - before;
    if (batch.done) break;
    moved += (await dex.transfers.ingest(transfers.until(batch.value.columns.block_time.at(-1)!))).added;
    await dex.ingest(batch.value);
    stored += batch.value.length;
    progress.advance(stored / swaps, stored);
  }
  progress.end();
  const storing = (performance.now() - begun - making) / 1000;
  print(`Made ${formatCount(stored)} swaps with seed ${seed} in ${formatElapsed(making / 1000)}.`);
  print(
    `Stored them in ${url.path} in ${formatElapsed(storing)}, ${formatCount(stored / storing)} swaps/s: trades, lots, positions, balances.`,
  );
  print(`Stored ${formatCount(moved)} transfers with them: deposits and withdrawals.`);
  await dex.tokens.upsert(market.tokens());
  await dex.wallets.upsert(market.wallets());
  await refreshAloud(dex, { progress });
  return { dex, rest: { [Symbol.iterator]: () => batches } };
}

/** The transfers of a market, as far as the swaps have come. */
class Until {
  readonly #transfers: Iterator<MarketTransfer>;
  #next: IteratorResult<MarketTransfer>;

  constructor(transfers: Iterable<MarketTransfer>) {
    this.#transfers = transfers[Symbol.iterator]();
    this.#next = this.#transfers.next();
  }

  until(time: number): MarketTransfer[] {
    const found: MarketTransfer[] = [];
    for (; !this.#next.done && this.#next.value.block_time <= time; this.#next = this.#transfers.next())
      found.push(this.#next.value);
    return found;
  }
}

/** The demo's store of before goes, with what its engine keeps beside it. */
async function makeRoom(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  for (const suffix of ['', '-wal', '-shm', '.wal']) await rm(`${path}${suffix}`, { force: true });
}
