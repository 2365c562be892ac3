// Would a leaderboard have been worth following? Each week it chooses wallets as of that day, follows them until the next week, and goes on;
// beside it, as many wallets drawn at random, a hundred times. Run it with: npx tsx examples/walk-forward.ts
import { columnsToObjects, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';

const DAY = 86_400;
const WEEK = 7 * DAY;
const CHOSEN = 5;
const DRAWS = 100;
/** Who is chosen, as of a day: change it to what you believe in. */
const filter = { 'metrics.7d.trade_count': { $gte: 10 }, 'metrics.7d.pnl': { $gt: 0 } } as const;
const sort = { field: 'holding.floor_pnl', direction: 'desc' } as const;
/** How a follower trades. */
const terms = { size: 100, delay: 5, delays: [], fee: { percent: 1 } };

const market = generateMarket({ seed: 5, swaps: 4000, wallets: 80, days: 35 });
const swaps: SwapInput[] = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const first = swaps[0]!.block_time;
const last = swaps.at(-1)!.block_time;

/** The whole history, which answers what following made. Profiles are chosen from other stores, which end before. */
const whole = await Swapfold.open({ storage: memory(), config: market.config });
await whole.ingest(swaps);

/** What following each of some wallets from one instant to another made, and what that cost: wallets that fall silent made 0 of 0. */
async function followed(
  wallets: readonly string[],
  from: number,
  to: number,
): Promise<readonly [pnl: number, cost: number]> {
  let [pnl, cost] = [0, 0];
  for (const wallet of wallets) {
    const { follower } = await whole.wallets.simulate({
      wallet,
      from: new Date(from * 1000),
      to: new Date(to * 1000),
      ...terms,
    });
    pnl += follower.realized_pnl + follower.unrealized_pnl;
    cost += follower.cost;
  }
  return [pnl, cost];
}

/** Numbers in [0, 1) that a seed decides (mulberry32), so that every run draws the same wallets. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many different wallets of some. */
function drawn(from: readonly string[], count: number, random: () => number): readonly string[] {
  const left = [...from];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

const chosenSum = { pnl: 0, cost: 0 };
const drawnSums = Array.from({ length: DRAWS }, () => ({ pnl: 0, cost: 0 }));
const random = randomOf(1);
for (let day = first + WEEK; day + WEEK <= last; day += WEEK) {
  // A store that knows nothing of what came after the day.
  const known = swaps.filter(({ block_time: time }) => time <= day);
  const store = await Swapfold.open({ storage: memory(), config: market.config });
  await store.ingest(known);
  await store.refresh({ asOf: new Date(day * 1000) });
  const chosen = (await store.wallets.search({ filter, sort, limit: CHOSEN })).data.map(
    ({ wallet_address: wallet }) => wallet,
  );
  await store.close();
  const [pnl, cost] = await followed(chosen, day + 1, day + WEEK);
  chosenSum.pnl += pnl;
  chosenSum.cost += cost;
  const active = [
    ...new Set(known.filter(({ block_time: time }) => time > day - WEEK).map(({ wallet }) => wallet)),
  ].sort();
  // Each wallet is followed once, however often it is drawn.
  const results = new Map<string, readonly [number, number]>();
  for (const sum of drawnSums)
    for (const wallet of drawn(active, chosen.length, random)) {
      const result = results.get(wallet) ?? (await followed([wallet], day + 1, day + WEEK));
      results.set(wallet, result);
      sum.pnl += result[0];
      sum.cost += result[1];
    }
  console.log(
    `${new Date(day * 1000).toISOString().slice(0, 10)}: ${chosen.length} chosen of ${active.length}, ${usd(pnl)} of ${usd(cost)}`,
  );
}
await whole.close();

const draws = drawnSums.map(roi).sort((a, b) => a - b);
const own = roi(chosenSum);
console.log(`chosen: ${own.toFixed(1)} % of ${usd(chosenSum.cost)}`);
console.log(
  `at random: ${draws[DRAWS / 2]!.toFixed(1)} % in the middle, from ${draws[0]!.toFixed(1)} % to ${draws.at(-1)!.toFixed(1)} %`,
);
console.log(`better than ${draws.filter((one) => one < own).length} of ${DRAWS} draws`);

function roi({ pnl, cost }: { readonly pnl: number; readonly cost: number }): number {
  return cost === 0 ? 0 : (pnl / cost) * 100;
}

function usd(value: number): string {
  return `${value < 0 ? '-' : ''}$${Math.abs(Math.round(value)).toLocaleString('en-US')}`;
}
