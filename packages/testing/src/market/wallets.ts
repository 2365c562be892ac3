import type { Settled } from './options.ts';
import { addressText, Random, WeightedChoice } from './random.ts';

/** How a wallet behaves. Kinds lie in this order: bots first, then snipers, then everyone else. */
export const BOT = 0;
export const SNIPER = 1;
export const TRADER = 2;
/** Buys and never sells. */
export const HOLDER = 3;

export interface MarketTraders {
  readonly addresses: readonly string[];
  readonly kinds: Uint8Array;
  readonly bots: number;
  readonly snipers: number;
  /** Usual size of a trade, USD. */
  readonly sizes: Float64Array;
  /** Draws a wallet by how busy it is: heavy-tailed, bots and snipers left out. */
  readonly busy: WeightedChoice;
}

export function makeWallets(options: Settled): MarketTraders {
  const random = new Random(options.seed, 2);
  const n = options.wallets;
  const snipers = Math.max(4, Math.floor(n / 200));
  const kinds = new Uint8Array(n);
  const sizes = new Float64Array(n);
  const activity = new Float64Array(n);
  const addresses: string[] = [];
  for (let w = 0; w < n; w++) {
    addresses.push(addressText(random));
    kinds[w] = w < options.bots ? BOT : w < options.bots + snipers ? SNIPER : random.chance(0.08) ? HOLDER : TRADER;
    sizes[w] = kinds[w] === BOT ? random.between(40, 600) : random.between(8, 40) * random.pareto(5000);
    activity[w] = kinds[w]! >= TRADER ? random.pareto(n / 4) : 0;
  }
  return { addresses, kinds, bots: options.bots, snipers, sizes, busy: new WeightedChoice(activity) };
}
