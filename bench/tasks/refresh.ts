import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Swapfold } from '@swapfold/core';
import { openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { holdOf } from '../hold.ts';
import { plainTables } from '../plain/copy.ts';
import { refreshPlain, windowSums } from '../plain/refresh.ts';
import { openPlain } from '../plain/sql.ts';
import { pick, type Samples, takeSamples } from '../samples.ts';
import { summary, type Times, timed } from '../timing.ts';

export interface RefreshFigures {
  readonly ours: Times;
  readonly baseline: Times;
  /** Longest time that the event loop stood still during one of ours, milliseconds. */
  readonly hold: number;
  /** get-price of one token while it ran. */
  readonly price: Times;
  readonly profiles: number;
}

/** Folds every profile anew, with prices asked for meanwhile, and the same in the engine's SQL, in turns. */
export async function refreshFully(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly runs: number;
}): Promise<RefreshFigures> {
  const files = filesOf(task.root, task.swaps);
  const { tokenTrades } = plainTables(task.engine);
  const plain = await openPlain(task.engine, files.plain[task.engine]);
  const samples = await takeSamples(plain);
  await refreshPlain(plain, samples.lastTime, tokenTrades);
  await assertSame(plain);
  const dex = await openStore(task.engine, files.store[task.engine]);
  const [ours, baseline, prices]: [number[], number[], number[]] = [[], [], []];
  const holds: number[] = [];
  let profiles = 0;
  for (let i = 0; i < task.runs; i++) {
    // Going back one second makes every profile stale; coming forward again folds them all.
    await dex.refresh({ asOf: samples.lastTime - 1 });
    const asking = askPrices(dex, samples);
    const fold = async (): Promise<void> => {
      const { tokens, wallets } = await dex.refresh();
      profiles = tokens + wallets;
    };
    holds.push(await holdOf(async () => ours.push(await timed(fold))));
    prices.push(...(await asking.stop()));
    baseline.push(await timed(() => refreshPlain(plain, samples.lastTime, tokenTrades)));
  }
  const [stored] = await plain.query(
    'select (select count(*) from wallet_profiles) + (select count(*) from token_profiles)',
  );
  assert.equal(profiles, Number(stored![0]), 'the refresh that is timed has to fold every profile');
  await dex.close();
  await plain.close();
  return {
    ours: summary(ours),
    baseline: summary(baseline),
    hold: Math.max(...holds),
    price: summary(prices),
    profiles,
  };
}

async function assertSame(plain: Parameters<typeof windowSums>[0]): Promise<void> {
  for (const kind of ['wallet', 'token'] as const) {
    for (const { window, profiles, plain: folded } of await windowSums(plain, kind)) {
      for (const [i, sum] of profiles.entries()) {
        const isSame = Math.abs(sum - folded[i]!) <= 1e-6 * Math.max(1, Math.abs(sum));
        assert.ok(isSame, `${kind} ${window}, sum ${i}: ${sum} in the profiles, ${folded[i]} in SQL`);
      }
    }
  }
}

/** Asks for a price every 20 ms until stopped, and gives the milliseconds that each answer took. */
function askPrices(dex: Swapfold, samples: Samples): { stop: () => Promise<number[]> } {
  const times: number[] = [];
  let isStopped = false;
  const asking = (async () => {
    for (let i = 0; !isStopped; i++) {
      const { address } = pick(samples.tokens, i);
      times.push(await timed(() => dex.prices.latest({ tokens: [address] })));
      await sleep(20);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await asking;
      return times;
    },
  };
}
