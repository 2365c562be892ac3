import type { Hop } from './hop.ts';
import type { Transfer } from './transfers.ts';

/** What a transfer passes on of one before it. */
interface Part {
  readonly of: number;
  readonly amount: bigint;
}

/** Parts that are looked at for one of nearly the amount. */
const NEAREST = 32;
/** Transfers that are looked through for what a transfer may pass on, before all are linked. */
const FEW = 64;

/**
 * Where the amounts of hops came from, and where they went: all transfers of a transaction, each with the parts of earlier ones that it passes on.
 *
 * What an account passes on is the part that it got of nearly that amount, to 1 %, else the latest ones. Of each transfer the one origin and the one end
 * are remembered that most of it has, so that the work grows with the number of transfers and not with that of the ways through them.
 */
export class Trace {
  readonly #transfers: readonly Transfer[];
  readonly #hops: readonly Hop[];
  readonly #into = new Set<Transfer>();
  readonly #outOf = new Map<Transfer, Hop>();
  readonly #places = new Map<Transfer, number>();
  readonly #parts: (readonly Part[])[] = [];
  /** What of each transfer was passed on. */
  readonly #used: bigint[] = [];
  /** Found when the first is asked for that is not plain: of most swaps nobody asks. */
  #origins: Origin[] | undefined;
  #ends: End[] | undefined;

  constructor(transfers: readonly Transfer[], hops: readonly Hop[]) {
    this.#transfers = transfers;
    this.#hops = hops;
  }

  /** Where a transfer came from; `undefined` of one that is not followed. */
  originOf(transfer: Transfer): Origin | undefined {
    if (this.#origins === undefined && this.#isPlain(transfer))
      return { payer: transfer.from, paid: transfer.sent, hop: undefined };
    return this.#all()[this.#places.get(transfer) ?? -1];
  }

  /** Where it went. */
  endOf(transfer: Transfer): End | undefined {
    if (this.#ends === undefined) {
      this.#all();
      this.#ends = [];
      const passed = this.#passedOn();
      for (let i = this.#transfers.length - 1; i >= 0; i--) this.#ends[i] = this.#endOf(i, passed[i] ?? none);
    }
    return this.#ends[this.#places.get(transfer) ?? -1];
  }

  /** Whether a transfer is followed, and nobody gave its sender of its token before: it passes nothing on. */
  #isPlain(transfer: Transfer): boolean {
    const { from, mint } = transfer;
    for (let i = 0; i < Math.min(FEW, this.#transfers.length); i++) {
      const before = this.#transfers[i]!;
      if (before === transfer) return !this.#hops.some(({ outs }) => outs.includes(transfer));
      if (before.to === from && before.mint === mint) return false;
    }
    return false;
  }

  /** The origins of all transfers. */
  #all(): readonly Origin[] {
    if (this.#origins !== undefined) return this.#origins;
    this.#origins = [];
    for (let i = 0; i < this.#transfers.length; i++) this.#places.set(this.#transfers[i]!, i);
    for (const hop of this.#hops) {
      for (const transfer of hop.ins) this.#into.add(transfer);
      for (const transfer of hop.outs) this.#outOf.set(transfer, hop);
    }
    this.#link();
    for (let i = 0; i < this.#transfers.length; i++) this.#origins.push(this.#originOf(i, this.#origins));
    return this.#origins;
  }

  /** Finds the parts of each transfer. What goes into a pool, and what comes out of it, is no part of another transfer. */
  #link(): void {
    const left: bigint[] = [];
    const stocks = new Map<string | undefined, Map<string, number[]>>();
    for (let i = 0; i < this.#transfers.length; i++) {
      const transfer = this.#transfers[i]!;
      const { from, to, mint, sent, arrived } = transfer;
      const stock = stocks.get(from)?.get(mint);
      const parts = stock === undefined || this.#outOf.has(transfer) ? none : take(stock, left, sent);
      this.#parts.push(parts);
      this.#used.push(0n);
      for (const { of, amount } of parts) this.#used[of]! += amount;
      left.push(arrived);
      if (this.#into.has(transfer)) continue;
      const own = stocks.get(to);
      const known = own?.get(mint);
      if (known !== undefined) known.push(i);
      else if (own !== undefined) own.set(mint, [i]);
      else stocks.set(to, new Map([[mint, [i]]]));
    }
  }

  #originOf(i: number, origins: readonly Origin[]): Origin {
    const transfer = this.#transfers[i]!;
    const { from, sent } = transfer;
    const hop = this.#outOf.get(transfer);
    if (hop !== undefined) return { payer: undefined, paid: sent, hop };
    const parts = this.#parts[i]!;
    if (parts.length === 0) return { payer: from, paid: sent, hop: undefined };
    const found = new Most<string | undefined, Origin>();
    let own = sent;
    for (const { of, amount } of parts) {
      const origin = origins[of]!;
      own -= amount;
      found.add(origin.payer, amount, origin, (origin.paid * amount) / this.#used[of]!);
    }
    if (own > 0n) found.add(from, own, { payer: from, paid: own, hop: undefined }, own);
    const { value, total } = found.most!;
    return { ...value, paid: total };
  }

  /** The transfers that each one was passed on by, with what they took. */
  #passedOn(): (readonly Part[] | undefined)[] {
    const passed: Part[][] = [];
    for (const [by, parts] of this.#parts.entries())
      for (const { of, amount } of parts) {
        const known = passed[of];
        if (known === undefined) passed[of] = [{ of: by, amount }];
        else known.push({ of: by, amount });
      }
    return passed;
  }

  #endOf(i: number, passed: readonly Part[]): End {
    const transfer = this.#transfers[i]!;
    const { to, arrived } = transfer;
    if (this.#into.has(transfer)) return { keeper: undefined, got: arrived };
    if (passed.length === 0) return { keeper: to, got: arrived };
    const found = new Most<string | undefined, End>();
    for (const { of, amount } of passed) {
      const end = this.#ends![of]!;
      found.add(end.keeper, amount, end, (end.got * amount) / this.#transfers[of]!.sent);
    }
    const kept = arrived - this.#used[i]!;
    if (kept > 0n) found.add(to, kept, { keeper: to, got: arrived }, arrived);
    const { value, total } = found.most!;
    return { ...value, got: total };
  }
}

const none: readonly Part[] = [];

/** Where most of a transfer came from. */
export interface Origin {
  /** Who had it before; `undefined` of what came out of a pool. */
  readonly payer: string | undefined;
  /** What left the payer for it. */
  readonly paid: bigint;
  /** The hop that gave it, if it came out of a pool. */
  readonly hop: Hop | undefined;
}

/** Where most of a transfer went. */
export interface End {
  /** Who has it afterwards; `undefined` of what went into a pool. */
  readonly keeper: string | undefined;
  /** What arrived there of it. */
  readonly got: bigint;
}

/** Takes an amount of parts: of the one of nearly that amount, else of the latest ones. */
function take(stock: number[], left: bigint[], amount: bigint): Part[] {
  const parts: Part[] = [];
  const takeOf = (at: number, wanted: bigint): bigint => {
    const of = stock[at]!;
    const taken = left[of]! < wanted ? left[of]! : wanted;
    left[of]! -= taken;
    if (left[of] === 0n) stock.splice(at, 1);
    if (taken > 0n) parts.push({ of, amount: taken });
    return wanted - taken;
  };
  for (let at = stock.length - 1; at >= Math.max(0, stock.length - NEAREST); at--) {
    const off = left[stock[at]!]! - amount;
    if ((off < 0n ? -off : off) * 100n > amount) continue;
    takeOf(at, amount);
    return parts;
  }
  let rest = amount;
  while (rest > 0n && stock.length > 0) rest = takeOf(stock.length - 1, rest);
  return parts;
}

/** Adds up by key, and knows the one with the most. */
class Most<K, V> {
  readonly #sums = new Map<K, { weight: bigint; total: bigint; value: V }>();
  #most: { readonly weight: bigint; readonly total: bigint; readonly value: V } | undefined;

  add(key: K, weight: bigint, value: V, total: bigint): void {
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { weight: 0n, total: 0n, value };
      this.#sums.set(key, sum);
    }
    sum.weight += weight;
    sum.total += total;
    if (this.#most === undefined || sum.weight > this.#most.weight) this.#most = sum;
  }

  get most(): { readonly weight: bigint; readonly total: bigint; readonly value: V } | undefined {
    return this.#most;
  }
}
