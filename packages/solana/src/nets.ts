import type { Movement } from './movements.ts';

/** What an owner has more or less of each token after some movements. */
export class Net {
  readonly owner: string;
  readonly #byMint = new Map<string, bigint>();
  /** Place of the step of the first movement that took something from the owner. */
  firstGift = Number.POSITIVE_INFINITY;

  constructor(owner: string) {
    this.owner = owner;
  }

  add(mint: string, amount: bigint): void {
    this.#byMint.set(mint, (this.#byMint.get(mint) ?? 0n) + amount);
  }

  of(mint: string): bigint {
    return this.#byMint.get(mint) ?? 0n;
  }

  /** Tokens of which the owner has less. */
  get given(): string[] {
    return [...this.#byMint].filter(([, net]) => net < 0n).map(([mint]) => mint);
  }

  /** Tokens of which the owner has more. */
  get got(): string[] {
    return [...this.#byMint].filter(([, net]) => net > 0n).map(([mint]) => mint);
  }

  /** The tokens that the owner gave and got, if each is one. */
  get pair(): readonly [given: string, got: string] | undefined {
    const [given, got] = [this.given, this.got];
    return given.length === 1 && got.length === 1 ? [given[0]!, got[0]!] : undefined;
  }
}

/** The nets of all owners. What is made or destroyed is no transfer and counts for nobody. */
export function netsOf(movements: readonly Movement[]): Map<string, Net> {
  const nets = new Map<string, Net>();
  const netOf = (owner: string): Net => {
    const known = nets.get(owner);
    if (known !== undefined) return known;
    const net = new Net(owner);
    nets.set(owner, net);
    return net;
  };
  for (const { kind, at, from, to, mint, sent, arrived } of movements) {
    if (kind !== 'transfer' || from === to) continue;
    if (from !== undefined) {
      const net = netOf(from);
      net.add(mint, -sent);
      net.firstGift = Math.min(net.firstGift, at);
    }
    if (to !== undefined) netOf(to).add(mint, arrived);
  }
  return nets;
}
