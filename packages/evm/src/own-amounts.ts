import { entryOf } from './entry-of.ts';
import type { Links } from './links.ts';
import type { Movement, PoolSwap } from './movement.ts';
import type { Exchange, Movements } from './movements.ts';

/** What taxes and fees take at most beside an amount: as much again. What differs by more is something else. */
const within = (extra: bigint, amount: bigint): boolean => extra <= amount;

interface Given {
  readonly moved: Movements;
  readonly links: Links;
}

/**
 * What a wallet gave for a swap and got of it: the pool's amounts, with the swap's share of what others kept of that token on the way between
 * the wallet and the pool and gave nothing for: a tax, a fee, what was burned, what a settlement kept. Shares of one fee add up to it.
 */
export class OwnAmounts {
  readonly #moved: Movements;
  readonly #links: Links;
  readonly #givers: ReadonlyMap<string, string | null>;
  /** By account and token: what it gave of it to those who kept it, and otherwise. */
  readonly #given = new Map<string, Map<string, { kept: bigint; other: bigint }>>();
  /** By what a fee is of: the amounts that have had their share. */
  readonly #shared = new Map<string, bigint>();

  constructor({ moved, links }: Given) {
    this.#moved = moved;
    this.#links = links;
    // The one token that an account gave, `null` if it gave several.
    const givers = new Map<string, string | null>();
    for (const { from, token } of moved.list) {
      const gave = givers.get(from);
      givers.set(from, gave === undefined || gave === token ? token : null);
    }
    this.#givers = givers;
    for (const movement of moved.list) {
      const ofGiver = entryOf(this.#given, movement.from, () => new Map<string, { kept: bigint; other: bigint }>());
      const sum = entryOf(ofGiver, movement.token, () => ({ kept: 0n, other: 0n }));
      if (this.#isKept(movement)) sum.kept += movement.amount;
      else sum.other += movement.amount;
    }
  }

  /** `hasOut`: whether what came out, or what it was exchanged for, reached the wallet. */
  of(
    swap: PoolSwap,
    exchange: Exchange,
    wallet: string,
    hasOut: boolean,
  ): readonly [amountIn: bigint, amountOut: bigint] {
    return [
      this.#amountIn(swap, exchange, wallet),
      hasOut ? swap.amountOut - this.#lost(swap, exchange, wallet) : swap.amountOut,
    ];
  }

  #amountIn({ tokenIn, amountIn }: PoolSwap, { ins }: Exchange, wallet: string): bigint {
    const { list } = this.#moved;
    const starts = ins.filter((i) => list[i]!.token === tokenIn);
    const arrived = starts.reduce((sum, i) => sum + list[i]!.amount, 0n);
    let [isOwn, fees] = [false, arrived > amountIn ? arrived - amountIn : 0n];
    this.#walk(starts, true, (i, flow) => {
      const { from, token } = list[i]!;
      if (from === wallet) {
        isOwn = true;
        const { kept, other } = this.#given.get(from)!.get(token)!;
        fees += this.#share(`${from} ${token}`, kept, flow, other);
        return false;
      }
      // What the account that passed it on kept of what it got, or gave to others who did.
      for (const { of, amount } of this.#links.sources[i]!) {
        const [kept, other] = this.#split(of);
        fees += this.#share(String(of), kept, (flow * amount) / list[i]!.amount, other);
      }
      return true;
    });
    return isOwn && within(fees, amountIn) ? amountIn + fees : amountIn;
  }

  /** What did not arrive of what the pool gave. */
  #lost({ tokenOut, amountOut }: PoolSwap, { outs }: Exchange, wallet: string): bigint {
    const { list } = this.#moved;
    const starts = outs.filter((i) => list[i]!.token === tokenOut);
    if (starts.length === 0) return 0n;
    const left = starts.reduce((sum, i) => sum + list[i]!.amount, 0n);
    let lost = left < amountOut ? amountOut - left : 0n;
    this.#walk(starts, false, (i, flow) => {
      const { to, amount } = list[i]!;
      if (to === wallet) return false;
      const used = this.#links.uses[i]!.reduce((sum, part) => sum + part.amount, 0n);
      if (used > 0n || this.#isKept(list[i]!)) lost += (flow * (amount - used)) / amount;
      return true;
    });
    return within(2n * lost, amountOut) ? lost : 0n;
  }

  /** Goes along one token from the movements of a swap, with how much of each is of the swap; `visit` says whether to go on. */
  #walk(starts: readonly number[], isBack: boolean, visit: (i: number, flow: bigint) => boolean): void {
    const { list, exchanges, liquidity } = this.#moved;
    const flows = new Map<number, bigint>(starts.map((i) => [i, list[i]!.amount]));
    // A map gives what is added meanwhile as well, each movement once.
    for (const [i, flow] of flows) {
      const { from, to, amount, isNative } = list[i]!;
      const account = isBack ? from : to;
      if (isNative || exchanges.has(account) || liquidity.has(account) || !visit(i, flow)) continue;
      for (const part of (isBack ? this.#links.sources : this.#links.uses)[i]!)
        flows.set(part.of, (flows.get(part.of) ?? 0n) + (flow * part.amount) / amount);
    }
  }

  /** What became of a movement: how much its receiver kept or gave to those who did, and how much it passed on. */
  #split(i: number): readonly [kept: bigint, other: bigint] {
    const { list } = this.#moved;
    let [kept, other] = [list[i]!.amount, 0n];
    for (const part of this.#links.uses[i]!) {
      if (this.#isKept(list[part.of]!)) continue;
      kept -= part.amount;
      other += part.amount;
    }
    return [kept, other];
  }

  /** The part of a fee that belongs to a part of what was passed on, so that all parts together have all of it. */
  #share(key: string, fee: bigint, part: bigint, all: bigint): bigint {
    if (fee === 0n || all === 0n) return 0n;
    const before = this.#shared.get(key) ?? 0n;
    const after = before + part > all ? all : before + part;
    this.#shared.set(key, after);
    return (fee * after) / all - (fee * before) / all;
  }

  /** Whether who got a movement gave nothing in the transaction, or is the token's contract and gave nothing but the token. */
  #isKept({ to, token, isNative }: Movement): boolean {
    const { exchanges, liquidity, calls } = this.#moved;
    if (isNative || exchanges.has(to) || liquidity.has(to) || calls.has(to)) return false;
    const gave = this.#givers.get(to);
    return gave === undefined || (to === token && gave === token);
  }
}
