import { memory, Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import { Random } from './attacks/prints.ts';

/** A chain by its blocks: seconds from one to the next, and how many transactions one has. */
export interface Chain {
  readonly name: string;
  readonly seconds: number;
  readonly size: number;
}

export const chains: readonly Chain[] = [
  { name: '0.4 s', seconds: 0.4, size: 1200 },
  { name: '2 s', seconds: 2, size: 200 },
  { name: '12 s', seconds: 12, size: 180 },
];

/** What is planted into a launch beside `buyers` who came by themselves. */
interface Planted {
  readonly name: string;
  readonly buyers: number;
  readonly plant?: (launch: LaunchBuilder) => void;
}

const SUPPLY = 1_000_000_000;
const START = 1_700_000_000;
/** Seconds from launch to launch. */
const APART = 7200;

export const kinds: readonly Planted[] = [
  ...[10, 20, 40].map((buyers) => ({ name: `nothing, ${buyers} early buyers`, buyers })),
  { name: 'bundle side by side, 4 to 10 wallets', buyers: 20, plant: (launch) => launch.bundle(4, 10, 1) },
  { name: 'bundle in one transaction, 2 to 5 wallets', buyers: 20, plant: (launch) => launch.bundle(2, 5, 0) },
  { name: 'bundle with a stranger between any two', buyers: 20, plant: (launch) => launch.bundle(4, 10, 2) },
  { name: 'insiders of the dev', buyers: 20, plant: (launch) => launch.insiders(0) },
  { name: 'insiders behind one wallet', buyers: 20, plant: (launch) => launch.insiders(1) },
  { name: 'insiders behind two wallets', buyers: 20, plant: (launch) => launch.insiders(2) },
  { name: 'airdrop below 0.1 %, all sell', buyers: 20, plant: (launch) => launch.airdrop(0.0001, 0.0009, true) },
  { name: 'gifts of 0.5 % that nobody sells', buyers: 20, plant: (launch) => launch.airdrop(0.005, 0.005, false) },
];

/** One launch: its swaps and transfers, and who did what. */
class LaunchBuilder {
  readonly swaps: SwapInput[] = [];
  readonly transfers: TransferInput[] = [];
  readonly bundlers = new Set<string>();
  readonly insidersOfDev = new Set<string>();
  readonly token: string;
  readonly #random: Random;
  readonly #chain: Chain;
  readonly #start: number;
  readonly #index: number;
  readonly #taken = new Set<string>();
  #made = 0;

  constructor(random: Random, chain: Chain, at: number) {
    this.#random = random;
    this.#chain = chain;
    this.token = `token-${at}`;
    this.#start = START + at * APART;
    this.#index = 1 + random.below(chain.size / 2);
    this.#taken.add(`0 ${this.#index}`);
    this.buy('dev', 0, this.#index, 0.02);
  }

  /** Buyers who came by themselves: three in ten are machines, which take up to three seconds, people take up to a minute. */
  strangers(count: number): void {
    const { seconds, size } = this.#chain;
    const phase = this.#random.between(0, seconds);
    for (let i = 0; i < count; i++) {
      const delay = this.#random.next() < 0.3 ? this.#random.between(0.2, 3) : this.#random.between(3, 60);
      const block = Math.floor((phase + delay) / seconds);
      this.buy(`stranger-${i}`, block, this.#free(block, block === 0 ? this.#index + 1 : 0, size), 0.001);
    }
  }

  /** Wallets of one hand in the launch block, each so many places behind the one before; in one transaction if that is 0. */
  bundle(least: number, most: number, step: number): void {
    const wallets = least + this.#random.below(most - least + 1);
    for (let i = 0; i < wallets; i++) {
      const index = this.#index + 1 + i * step;
      this.#taken.add(`0 ${index}`);
      if (step === 2) this.#taken.add(`0 ${index + 1}`);
      this.bundlers.add(this.#nameOf(`bundler-${i}`));
      this.buy(`bundler-${i}`, 0, index, 0.01, step === 0 ? 'together' : undefined);
    }
  }

  /** Two to five wallets get 0.2 to 2 % of the dev, through so many others, and sell it. */
  insiders(between: number): void {
    const count = 2 + this.#random.below(4);
    for (let i = 0; i < count; i++) {
      const amount = SUPPLY * this.#random.between(0.002, 0.02);
      const names = ['dev', ...Array.from({ length: between }, (_, k) => `relay-${i}-${k}`), `insider-${i}`];
      const begun = this.#random.between(10, 300);
      for (let k = 1; k < names.length; k++) this.send(names[k - 1]!, names[k]!, begun + k * 10, amount);
      this.insidersOfDev.add(this.#nameOf(`insider-${i}`));
      this.sell(`insider-${i}`, this.#random.between(600, 3600), amount / 2);
    }
  }

  /** Twenty wallets get between two parts of the supply of the dev. */
  airdrop(least: number, most: number, isSold: boolean): void {
    for (let i = 0; i < 20; i++) {
      const amount = SUPPLY * this.#random.between(least, most);
      this.send('dev', `friend-${i}`, this.#random.between(10, 300), amount);
      if (isSold) this.sell(`friend-${i}`, this.#random.between(600, 3600), amount);
    }
  }

  /** Whether four wallets beside the dev buy within five seconds: what others call a bundle. */
  get hasFourInFiveSeconds(): boolean {
    const early = this.swaps.filter(
      ({ token_out, block_time, wallet }) =>
        token_out === this.token && block_time <= this.#start + 5 && wallet !== this.#nameOf('dev'),
    );
    return new Set(early.map(({ wallet }) => wallet)).size >= 4;
  }

  get registered() {
    return {
      address: this.token,
      creator_address: this.#nameOf('dev'),
      created_at: this.#start - 1,
      total_supply: SUPPLY,
    };
  }

  buy(name: string, block: number, index: number, part: number, tx?: string): void {
    this.#swap(name, Math.floor(block * this.#chain.seconds), ['USDC', 100], [this.token, SUPPLY * part], {
      block_slot: this.#slotOf(block),
      tx_index: index,
      ...(tx === undefined ? {} : { tx_hash: `${this.token}-${tx}` }),
    });
  }

  sell(name: string, after: number, amount: number): void {
    this.#swap(name, Math.floor(after), [this.token, amount], ['USDC', 50], {
      block_slot: this.#slotOf(Math.floor(after / this.#chain.seconds)),
    });
  }

  send(from: string, to: string, after: number, amount: number): void {
    this.transfers.push({
      tx_hash: `${this.token}-t${this.transfers.length}`,
      transfer_index: 0,
      block_time: this.#start + Math.floor(after),
      block_slot: this.#slotOf(Math.floor(after / this.#chain.seconds)),
      token: this.token,
      token_amount: amount,
      from: this.#nameOf(from),
      to: this.#nameOf(to),
    });
  }

  #nameOf(name: string): string {
    return `${this.token}-${name}`;
  }

  #slotOf(block: number): number {
    return Math.floor((this.#start - START) / this.#chain.seconds) + 1000 + block;
  }

  /** An index of a block that no other transaction of the launch has. */
  #free(block: number, from: number, to: number): number {
    for (;;) {
      const index = from + this.#random.below(to - from);
      const place = `${block} ${index}`;
      if (this.#taken.has(place)) continue;
      this.#taken.add(place);
      return index;
    }
  }

  #swap(name: string, after: number, given: [string, number], got: [string, number], more: Partial<SwapInput>): void {
    this.swaps.push({
      tx_hash: `${this.token}-s${this.#made}`,
      swap_index: this.#made++,
      block_time: this.#start + after,
      wallet: this.#nameOf(name),
      token_in: given[0],
      token_amount_in: given[1],
      token_out: got[0],
      token_amount_out: got[1],
      ...more,
    });
  }
}

export type PlantedLaunch = LaunchBuilder;

export function plantLaunches(seed: number, chain: Chain, kind: Planted, count: number, from = 0): PlantedLaunch[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const launch = new LaunchBuilder(random, chain, from + i);
    kind.plant?.(launch);
    launch.strangers(kind.buyers);
    return launch;
  });
}

/** How the flags of launches stand to what was planted: wallets, but for the first three. */
export interface Confusion {
  readonly launches: number;
  readonly bundled: number;
  readonly fourInFive: number;
  readonly bundlers: number;
  readonly bundlersFound: number;
  readonly othersBundled: number;
  readonly insiders: number;
  readonly insidersFound: number;
  readonly otherInsiders: number;
}

/** A store with the launches of a chain. */
export async function storeOf(chain: Chain, launches: readonly PlantedLaunch[]): Promise<Swapfold> {
  const dex = await Swapfold.open({
    storage: memory(),
    config: {
      address_format: 'any',
      chain: 'planted',
      quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
      launch: { block_seconds: chain.seconds },
    },
  });
  await dex.tokens.upsert(launches.map(({ registered }) => registered));
  await dex.ingest(launches.flatMap(({ swaps }) => swaps));
  await dex.transfers.ingest(launches.flatMap(({ transfers }) => transfers));
  return dex;
}

/** Finds the roles of planted launches, and compares. */
export async function confusionOf(dex: Swapfold, launches: readonly PlantedLaunch[]): Promise<Confusion> {
  const found = { bundled: 0, fourInFive: 0, bundlers: 0, bundlersFound: 0, othersBundled: 0 };
  const inside = { insiders: 0, insidersFound: 0, otherInsiders: 0 };
  for (const { token, bundlers, insidersOfDev, hasFourInFiveSeconds } of launches) {
    const { bundles, insiders } = await dex.tokens.buyers({ token, limit: 1 });
    const flagged = new Set(bundles!.flatMap(({ wallets }) => wallets));
    found.bundled += Number(flagged.size > 0);
    found.fourInFive += Number(hasFourInFiveSeconds);
    found.bundlers += bundlers.size;
    for (const wallet of flagged) found[bundlers.has(wallet) ? 'bundlersFound' : 'othersBundled']++;
    inside.insiders += insidersOfDev.size;
    for (const { wallet } of insiders!) inside[insidersOfDev.has(wallet) ? 'insidersFound' : 'otherInsiders']++;
  }
  return { launches: launches.length, ...found, ...inside };
}

/** By chain and kind. */
export async function confusions(seed: number, countOf: (kind: Planted) => number) {
  const rows: { readonly chain: Chain; readonly kind: Planted; readonly found: Confusion }[] = [];
  for (const [c, chain] of chains.entries()) {
    let from = 0;
    const planted = kinds.map((kind, k) => {
      const launches = plantLaunches(seed + 100 * c + k, chain, kind, countOf(kind), from);
      from += launches.length;
      return { kind, launches };
    });
    const dex = await storeOf(
      chain,
      planted.flatMap(({ launches }) => launches),
    );
    for (const { kind, launches } of planted) rows.push({ chain, kind, found: await confusionOf(dex, launches) });
    await dex.close();
  }
  return rows;
}
