import type { Movement } from './movements.ts';

/** What an owner has more or less of each token after some movements. */
export class Net {
  readonly owner: string;
  readonly #mints: string[] = [];
  readonly #amounts: bigint[] = [];
  /** Place of the step of the first movement that took something from the owner. */
  firstGift = Number.POSITIVE_INFINITY;

  constructor(owner: string) {
    this.owner = owner;
  }

  add(mint: string, amount: bigint): void {
    const at = this.#mints.indexOf(mint);
    if (at >= 0) this.#amounts[at]! += amount;
    else {
      this.#mints.push(mint);
      this.#amounts.push(amount);
    }
  }

  of(mint: string): bigint {
    return this.#amounts[this.#mints.indexOf(mint)] ?? 0n;
  }

  /** Tokens of which the owner has less. */
  get given(): string[] {
    return this.#mints.filter((_, i) => this.#amounts[i]! < 0n);
  }

  /** Tokens of which the owner has more. */
  get got(): string[] {
    return this.#mints.filter((_, i) => this.#amounts[i]! > 0n);
  }

  /** The tokens that the owner gave and got, if each is one. */
  get pair(): readonly [given: string, got: string] | undefined {
    let given: string | undefined;
    let got: string | undefined;
    for (const [i, amount] of this.#amounts.entries()) {
      if (amount === 0n) continue;
      if ((amount < 0n ? given : got) !== undefined) return undefined;
      if (amount < 0n) given = this.#mints[i]!;
      else got = this.#mints[i]!;
    }
    return given === undefined || got === undefined ? undefined : [given, got];
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
