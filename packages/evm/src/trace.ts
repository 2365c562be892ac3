import type { Links } from './links.ts';
import type { Exchange, Movements } from './movements.ts';

/** Where a trace ended, by account, as parts of the whole. */
export interface Ends {
  readonly byAccount: ReadonlyMap<string, number>;
  /** All but what came back to the swap itself. */
  readonly whole: number;
}

/** One direction of a swap: who had what its pool got, or who has what it gave. */
export interface Way extends Ends {
  /** Ordinary accounts on it. */
  readonly accounts: ReadonlySet<string>;
  /** Accounts at whose side no log tells more, because the native token was wrapped or unwrapped there, or the token borrowed. */
  readonly native: ReadonlyMap<string, number>;
  readonly borrowed: ReadonlyMap<string, number>;
  /** The part that came back to the swap itself. */
  readonly circle: number;
  /** Callers of a manager whom no movement paid for, or who left there what they got. */
  readonly callers: ReadonlyMap<string, number>;
  /** Of an account at an end, the movement that it gave, or got. */
  readonly movements: ReadonlyMap<string, number>;
  /** Accounts that a token which nobody can forge tells of. */
  readonly proven: ReadonlySet<string>;
}

interface Graph {
  readonly moved: Movements;
  readonly links: Links;
  /** Accounts at which every trace ends. */
  readonly stops: ReadonlySet<string>;
  /** Tokens that no stranger has made. */
  readonly firm: ReadonlySet<string>;
}

/** Parts of the whole that are too small to follow. */
const DUST = 1e-6;

/** Traces swaps through the movements of a transaction, each in steps as many as movements at most. */
export class Tracer {
  readonly #graph: Graph;
  /** Places of the first and the last movement of an account. */
  readonly #spans = new Map<string, [first: number, last: number]>();
  /** Of each movement, the one before by which its giver, and the one behind by which its receiver, had to do with another token. */
  readonly #before: (number | undefined)[];
  readonly #behind: (number | undefined)[];
  /** Movements that the calls to a manager pass on to or from swaps whose tokens are unknown. */
  readonly #unknownIns = new Map<string, number[]>();
  readonly #unknownOuts = new Map<string, number[]>();
  readonly #sides = new Map<string, number | undefined>();

  constructor(graph: Graph) {
    this.#graph = graph;
    const { list, calls } = graph.moved;
    this.#before = new Array(list.length);
    this.#behind = new Array(list.length);
    const [got, gave] = [new Map<string, number>(), new Map<string, number>()];
    for (let i = 0; i < list.length; i++) {
      const { from, to, token } = list[i]!;
      this.#span(from, i);
      this.#span(to, i);
      const before = got.get(from);
      if (before !== undefined && list[before]!.token !== token) this.#before[i] = before;
      got.set(to, i);
    }
    for (let i = list.length - 1; i >= 0; i--) {
      const { from, to, token } = list[i]!;
      const behind = gave.get(to);
      if (behind !== undefined && list[behind]!.token !== token) this.#behind[i] = behind;
      gave.set(from, i);
    }
    if (calls.size === 0) return;
    for (const [i, { from, to }] of list.entries()) {
      if (calls.get(to)?.hasUnknown === true && graph.links.uses[i]!.length === 0) push(this.#unknownIns, to, i);
      if (calls.get(from)?.hasUnknown === true && graph.links.sources[i]!.length === 0)
        push(this.#unknownOuts, from, i);
    }
  }

  #span(account: string, i: number): void {
    const span = this.#spans.get(account);
    if (span === undefined) this.#spans.set(account, [i, i]);
    else span[1] = i;
  }

  /** Back from what the pool got. */
  back(swap: Exchange): Way {
    return this.#trace(swap, true);
  }

  /** On from what the pool gave. */
  on(swap: Exchange): Way {
    return this.#trace(swap, false);
  }

  #trace(swap: Exchange, isBack: boolean): Way {
    const { moved, links, stops, firm } = this.#graph;
    const { list, exchanges, liquidity, calls } = moved;
    const weights = new Map<number, number>();
    const done = new Set<number>();
    const heap = new Heap(isBack);
    const add = (i: number, weight: number): void => {
      if (weight < DUST || done.has(i)) return;
      if (!weights.has(i)) heap.push(i);
      weights.set(i, (weights.get(i) ?? 0) + weight);
    };
    const share = (places: readonly number[], weight: number): void => {
      const all = places.reduce((sum, i) => sum + Number(list[i]!.amount), 0);
      for (const i of places) add(i, (weight * Number(list[i]!.amount)) / all);
    };
    const way = {
      byAccount: new Map<string, number>(),
      whole: 0,
      accounts: new Set<string>(),
      native: new Map<string, number>(),
      borrowed: new Map<string, number>(),
      circle: 0,
      callers: new Map<string, number>(),
      movements: new Map<string, number>(),
      proven: new Set<string>(),
    };
    const end = (ends: Map<string, number>, account: string, weight: number, i: number): void => {
      ends.set(account, (ends.get(account) ?? 0) + weight);
      if (ends !== way.borrowed) way.whole += weight;
      if (!way.movements.has(account)) way.movements.set(account, i);
    };
    const { tokenIn, tokenOut } = swap.swap!;
    const starts = (isBack ? swap.ins : swap.outs).filter((i) => list[i]!.token === (isBack ? tokenIn : tokenOut));
    // The native token came or went without a log.
    if (starts.length === 0) way.whole = 1;
    else share(starts, 1);
    const bounds = this.#boundsOf(swap);
    for (let i = heap.pop(); i !== undefined; i = heap.pop()) {
      done.add(i);
      const weight = weights.get(i)!;
      const movement = list[i]!;
      const { token, amount, isNative } = movement;
      const [account, other] = isBack ? [movement.from, movement.to] : [movement.to, movement.from];
      if (firm.has(token)) way.proven.add(account).add(other);
      const exchange = exchanges.get(account);
      if (exchange === swap) {
        way.circle += weight;
        continue;
      }
      if (exchange !== undefined) {
        const next = this.#through(account, token, isBack);
        if (next === undefined) end(way.native, account, weight, i);
        else add(next, weight);
        continue;
      }
      if (liquidity.has(account)) {
        end(way.byAccount, other, weight, i);
        continue;
      }
      const called = calls.get(account);
      if (called === undefined) {
        if (isNative) {
          end(way.native, other, weight, i);
          continue;
        }
        if ((isBack ? links.loans : links.repayments).has(i)) {
          end(way.borrowed, other, weight, i);
          continue;
        }
        way.accounts.add(account);
        if (stops.has(account)) {
          end(way.byAccount, account, weight, i);
          continue;
        }
      }
      let rest = weight;
      for (const part of (isBack ? links.sources : links.uses)[i]!) {
        const of = (weight * Number(part.amount)) / Number(amount);
        add(part.of, of);
        rest -= of;
      }
      if (rest < DUST) continue;
      if (called !== undefined) {
        const unknown = called.hasUnknown ? this.#through(account, token, isBack) : undefined;
        if (unknown !== undefined) add(unknown, rest);
        else end(isNative ? way.native : way.callers, called.caller, rest, i);
        continue;
      }
      // Who exchanged with an account that the trace has passed through gave there, or got there, for itself.
      const next = this.#exchanged(i, account, bounds, isBack);
      if (next === undefined || done.has(next)) end(way.byAccount, account, rest, i);
      else add(next, rest);
    }
    return way;
  }

  /** The places of the first and behind the last movement of a swap. */
  #boundsOf({ at, ins, outs }: Exchange): readonly [number, number] {
    const { list } = this.#graph.moved;
    let [first, last] = [at, at];
    for (const i of [...ins, ...outs]) {
      first = Math.min(first, list[i]!.at);
      last = Math.max(last, list[i]!.at);
    }
    return [first, last];
  }

  /** The other side of a swap that something passed through, or of the swaps of a caller whose tokens are unknown: the largest movement of it. */
  #through(account: string, token: string, isBack: boolean): number | undefined {
    const key = `${account} ${token} ${isBack}`;
    if (this.#sides.has(key)) return this.#sides.get(key);
    const { list, exchanges } = this.#graph.moved;
    const exchange = exchanges.get(account);
    const wanted = isBack ? exchange?.swap?.tokenIn : exchange?.swap?.tokenOut;
    let found: number | undefined;
    const unknown = isBack ? this.#unknownIns : this.#unknownOuts;
    for (const i of (isBack ? exchange?.ins : exchange?.outs) ?? unknown.get(account) ?? []) {
      const of = list[i]!.token;
      if (!(wanted === undefined ? of !== token : of === wanted)) continue;
      if (found === undefined || list[i]!.amount > list[found]!.amount) found = i;
    }
    this.#sides.set(key, found);
    return found;
  }

  /** The other side of what an account exchanged before the swap, or after it. */
  #exchanged(
    i: number,
    account: string,
    [first, last]: readonly [number, number],
    isBack: boolean,
  ): number | undefined {
    const { list } = this.#graph.moved;
    const { token, from, to } = list[i]!;
    // Whose shares are burned, or for whom they are minted, exchanges with the token's contract, and not the contract with it.
    if (token === (isBack ? to : from)) return undefined;
    const isOutside = (place: number): boolean => (isBack ? list[place]!.at < first : list[place]!.at > last);
    const paired = this.#graph.links.exchangedFor[i];
    if (paired !== undefined && isOutside(paired)) return paired;
    const [begin, end] = this.#spans.get(account)!;
    if (!(isBack ? isOutside(end) : isOutside(begin))) return undefined;
    return isBack ? this.#before[i] : this.#behind[i];
  }
}

function push(lists: Map<string, number[]>, key: string, i: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [i]);
  else list.push(i);
}

/** Places, the last first or the first first. */
class Heap {
  readonly #items: number[] = [];
  readonly #sign: number;

  constructor(isLastFirst: boolean) {
    this.#sign = isLastFirst ? -1 : 1;
  }

  push(item: number): void {
    const items = this.#items;
    const value = this.#sign * item;
    let at = items.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= value) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = value;
  }

  pop(): number | undefined {
    const items = this.#items;
    const first = items[0];
    const value = items.pop();
    if (first === undefined || value === undefined) return undefined;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= value) break;
      items[at] = items[child]!;
      at = child;
    }
    if (items.length > 0) items[at] = value;
    return this.#sign * first;
  }
}
