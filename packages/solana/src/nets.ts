import type { Transfer } from './transfers.ts';

/** Tokens of an owner that are looked through faster than they are looked up. */
const FEW = 16;

type Sides = readonly [given: string | null | undefined, got: string | null | undefined];

/** What an owner has more or less of each token after some transfers. */
export class Net {
  readonly owner: string;
  readonly #mints: string[] = [];
  readonly #amounts: bigint[] = [];
  /** Where each token stands, once they are many. */
  #places: Map<string, number> | undefined;
  #sides: Sides | undefined;
  /** Place of the step of the first transfer that took something from the owner. */
  firstGift = Number.POSITIVE_INFINITY;

  constructor(owner: string) {
    this.owner = owner;
  }

  add(mint: string, amount: bigint): void {
    this.#sides = undefined;
    const at = this.#placeOf(mint);
    if (at !== undefined) {
      this.#amounts[at]! += amount;
      return;
    }
    this.#places?.set(mint, this.#mints.length);
    this.#mints.push(mint);
    this.#amounts.push(amount);
    if (this.#mints.length === FEW) this.#places = new Map(this.#mints.map((one, i) => [one, i]));
  }

  of(mint: string): bigint {
    return this.#amounts[this.#placeOf(mint) ?? -1] ?? 0n;
  }

  #placeOf(mint: string): number | undefined {
    if (this.#places !== undefined) return this.#places.get(mint);
    const at = this.#mints.indexOf(mint);
    return at < 0 ? undefined : at;
  }

  /** The token that the owner has less of and the one that the owner has more of; `null` of none, `undefined` if there are several. */
  get sides(): Sides {
    this.#sides ??= this.#findSides();
    return this.#sides;
  }

  #findSides(): Sides {
    let [given, got]: [string | null | undefined, string | null | undefined] = [null, null];
    for (let i = 0; i < this.#mints.length; i++)
      if (this.#amounts[i]! < 0n) given = given === null ? this.#mints[i]! : undefined;
      else if (this.#amounts[i]! > 0n) got = got === null ? this.#mints[i]! : undefined;
    return [given, got];
  }

  /** The tokens that the owner gave and got, if each is one. */
  get pair(): readonly [given: string, got: string] | undefined {
    const [given, got] = this.sides;
    return given && got ? [given, got] : undefined;
  }
}

/**
 * The nets of all owners, or of some. What is made or destroyed is no transfer and counts for nobody, as what an owner moves to itself.
 */
export function netsOf(transfers: readonly Transfer[], owners?: ReadonlyMap<string, unknown>): Map<string, Net> {
  const nets = new Map<string, Net>();
  const netOf = (owner: string): Net | undefined => {
    if (owners !== undefined && !owners.has(owner)) return undefined;
    let net = nets.get(owner);
    if (net === undefined) {
      net = new Net(owner);
      nets.set(owner, net);
    }
    return net;
  };
  for (const { kind, at, from, to, mint, sent, arrived } of transfers) {
    if (kind !== 'transfer' || from === to) continue;
    if (from !== undefined) {
      const net = netOf(from);
      net?.add(mint, -sent);
      if (net !== undefined && at < net.firstGift) net.firstGift = at;
    }
    if (to !== undefined) netOf(to)?.add(mint, arrived);
  }
  return nets;
}
