import type { Settled } from '../options.ts';
import { addressText, Random, WeightedChoice } from '../random.ts';
import type { KnownWallets } from '../registry.ts';

/** Wallets of a launchpad by place: bots, snipers, creators, and then the visitors in the order in which they arrive. */
export interface LaunchpadWallets extends KnownWallets {
  readonly firstCreator: number;
  readonly creators: number;
  readonly firstVisitor: number;
  /** Usual size of a buy, USD. */
  readonly sizes: Float64Array;
  /** Draw a bot, and a sniper counted from the first one, by how busy each is. */
  readonly busyBot: WeightedChoice;
  readonly busySniper: WeightedChoice;
}

export function makeLaunchpadWallets({ seed, wallets, bots, tokens }: Settled): LaunchpadWallets {
  const random = new Random(seed, 2);
  const snipers = Math.max(4, Math.floor(wallets / 60));
  // Two in five launches have a new creator, at most.
  const creators = Math.max(2, Math.min(Math.floor(wallets / 4), Math.floor(tokens * 0.4)));
  const addresses: string[] = [];
  const sizes = new Float64Array(wallets);
  for (let w = 0; w < wallets; w++) {
    addresses.push(addressText(random));
    sizes[w] = w < bots ? random.between(40, 400) : random.between(8, 40) * random.pareto(100);
  }
  const busy = (count: number): WeightedChoice =>
    new WeightedChoice(Float64Array.from({ length: count }, () => random.pareto(10)));
  return {
    addresses,
    bots,
    firstCreator: bots + snipers,
    creators,
    firstVisitor: bots + snipers + creators,
    sizes,
    busyBot: busy(bots),
    busySniper: busy(snipers),
  };
}
