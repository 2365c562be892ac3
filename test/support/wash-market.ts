import assert from 'node:assert/strict';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { DAY, swapped, T, worthConfig } from './worth.ts';

/** How a wallet of a kind trades one token: round trips, each with its result as a part of what was paid. */
interface Habit {
  readonly kind: string;
  readonly trips: Range;
  readonly result: Range;
  /** Seconds from a buy to its sell. */
  readonly holding: Range;
  readonly isWash: boolean;
  /** What it pays with, of which only USDC has a price here. */
  readonly quote?: 'SOL';
  /** It has bought 1,000 tokens three days before, and sells this part of each trip's amount from them on top. */
  readonly ofOldLot?: number;
}

type Range = readonly [least: number, most: number];

/** Each trades one token with itself, so to say: what another makes of its prints is left out. */
const habits: readonly Habit[] = [
  { kind: 'wash in a pool of 0.01 %', trips: [5, 40], result: [-0.0004, 0], holding: [1, 60], isWash: true },
  { kind: 'wash in a pool of 0.05 %', trips: [5, 40], result: [-0.0014, -0.0008], holding: [1, 60], isWash: true },
  { kind: 'wash in a pool of 0.3 %', trips: [5, 40], result: [-0.0065, -0.0055], holding: [1, 60], isWash: true },
  { kind: 'wash on a curve of 1 %', trips: [5, 40], result: [-0.025, -0.019], holding: [1, 60], isWash: true },
  { kind: 'wash among the trades of others', trips: [5, 40], result: [-0.045, 0.01], holding: [1, 60], isWash: true },
  {
    kind: 'wash for SOL, which has no price',
    trips: [5, 40],
    result: [-0.0065, 0],
    holding: [1, 60],
    isWash: true,
    quote: 'SOL',
  },
  {
    kind: 'wash beside an old lot',
    trips: [20, 50],
    result: [-0.0065, 0],
    holding: [1, 60],
    isWash: true,
    ofOldLot: 0,
  },
  {
    kind: 'wash that sells an old lot along',
    trips: [20, 50],
    result: [-0.0065, 0],
    holding: [1, 60],
    isWash: true,
    ofOldLot: 0.02,
  },
  { kind: 'wash held for minutes', trips: [5, 40], result: [-0.0014, 0], holding: [60, 600], isWash: true },
  { kind: 'market maker', trips: [5, 40], result: [0.001, 0.006], holding: [20, 900], isWash: false },
  { kind: 'fast market maker', trips: [5, 40], result: [-0.002, 0.008], holding: [5, 120], isWash: false },
  { kind: 'arbitrageur', trips: [5, 40], result: [0.002, 0.02], holding: [1, 60], isWash: false },
  { kind: 'sniper of launches', trips: [5, 20], result: [-0.5, 1.5], holding: [5, 120], isWash: false },
  { kind: 'scalper who breaks even', trips: [5, 40], result: [-0.1, 0.1], holding: [5, 120], isWash: false },
  { kind: 'scalper who loses', trips: [5, 40], result: [-0.2, 0.12], holding: [5, 120], isWash: false },
  { kind: 'trader of a day', trips: [5, 15], result: [-0.2, 0.3], holding: [600, 14_400], isWash: false },
];

/** Wallets of each kind. */
const SIZE = 100;

function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** Swaps within a day, old lots apart. */
function plantedMarket(seed: number): SwapInput[] {
  const next = random(seed);
  const within = ([least, most]: Range) => least + next() * (most - least);
  const swaps: SwapInput[] = [];
  for (const [kind, habit] of habits.entries())
    for (let w = 0; w < SIZE; w++) {
      const wallet = `${kind}/${w}`;
      const quote = habit.quote ?? 'USDC';
      const more = habit.ofOldLot ?? 0;
      let time = T + Math.floor(next() * 3600);
      if (habit.ofOldLot !== undefined) swaps.push(swapped(T - 3 * DAY, [1000, quote], [1000, wallet], { wallet }));
      for (let left = Math.round(within(habit.trips)); left > 0; left--) {
        const paid = within([100, 1000]);
        swaps.push(swapped(time, [paid, quote], [paid, wallet], { wallet }));
        time += Math.round(within(habit.holding));
        const got = paid * (1 + more);
        swaps.push(swapped(time, [got, wallet], [got * (1 + within(habit.result)), quote], { wallet }));
        time += 30 + Math.floor(next() * 600);
      }
    }
  for (let w = 0; w < SIZE; w += 2)
    for (let trip = 0; trip < 20; trip++) {
      const [time, token] = [T + trip * 60, `pair/${w}`];
      swaps.push(swapped(time, [500, 'USDC'], [500, token], { wallet: token }));
      swaps.push(swapped(time + 5, [500, token], [499.5, 'USDC'], { wallet: `pair/${w + 1}` }));
    }
  return swaps.sort((a, b) => Number(a.block_time) - Number(b.block_time));
}

/** Wallets of each kind, and how many of them carry the label `wash`: a line for each kind, `[kind, wash or honest, wallets, labelled]`. */
export async function washTable(seed: number): Promise<[string, string, number, number][]> {
  const dex = await Swapfold.open({ storage: memory(), config: { ...worthConfig, labels: { optional: ['wash'] } } });
  try {
    const swaps = plantedMarket(seed);
    const { added } = await dex.ingest(swaps);
    assert.equal(added, swaps.length);
    await dex.refresh();
    const kinds = [...habits.entries()].map(([i, { kind, isWash }]) => [String(i), kind, isWash] as const);
    const table: [string, string, number, number][] = [];
    // The wallets of a pair take one side each: neither makes a round trip.
    for (const [mark, kind, isWash] of [...kinds, ['pair', 'wash by pairs of wallets', true] as const]) {
      let labelled = 0;
      for (let w = 0; w < SIZE; w++) {
        const { labels } = await dex.wallets.get({ wallet: `${mark}/${w}` });
        if (labels?.includes('wash')) labelled++;
      }
      table.push([kind, isWash ? 'wash' : 'honest', SIZE, labelled]);
    }
    return table;
  } finally {
    await dex.close();
  }
}
