import { entryOf } from './entry-of.ts';
import type { Movement } from './movement.ts';
import type { Movements } from './movements.ts';

/** A part of a movement that another one passes on. */
export interface Part {
  /** The place of the other movement. */
  readonly of: number;
  readonly amount: bigint;
}

/** Which movements pass on what others brought, in both directions, by places in the list of movements. */
export interface Links {
  /** Where the account that gave had the token from, and what the account that got it gave on. */
  readonly sources: readonly (readonly Part[])[];
  readonly uses: readonly (readonly Part[])[];
  /** The movement of another token that the same two accounts exchanged it for. */
  readonly exchangedFor: readonly (number | undefined)[];
  /** Movements of a loan, and back. */
  readonly loans: ReadonlySet<number>;
  readonly repayments: ReadonlySet<number>;
}

/** Amounts this near are one: a hundredth. */
const isNear = (a: bigint, b: bigint): boolean => 100n * distance(a, b) <= (a > b ? a : b);

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

/** Numbers of amounts, by a logarithm so that near ones have the same or the next. */
const bucketOf = (amount: bigint): number => Math.floor(100 * Math.log(Number(amount)));

/** Parts among which the one that fits an amount best is looked for: orders of one settlement. More would make time grow faster than movements. */
const LOOKED_AT = 16;

/** What an account got of a token, and what is left of it. */
interface Brought {
  readonly of: number;
  readonly amount: bigint;
  left: bigint;
}

/** What an account has got of a token and not passed on, the latest last. */
class Stock {
  readonly #ins: Brought[] = [];
  /** The parts by the number of their amount, once they are many: most accounts get a token once or twice. */
  #near: Map<number, Brought[]> | undefined;

  add(of: number, amount: bigint): void {
    const part = { of, amount, left: amount };
    this.#ins.push(part);
    if (this.#near !== undefined) this.#index(part);
    else if (this.#ins.length > LOOKED_AT) for (const each of this.#ins) this.#index(each);
  }

  #index(part: Brought): void {
    this.#near ??= new Map();
    const bucket = bucketOf(part.amount);
    const those = this.#near.get(bucket);
    if (those === undefined) this.#near.set(bucket, [part]);
    else those.push(part);
  }

  /** The part that has nearly the amount, else the least of some that nothing was taken of and have as much, else the latest parts. */
  take(amount: bigint): Part[] {
    const whole = this.#nearest(amount) ?? this.#covering(amount);
    if (whole !== undefined) {
      const taken = whole.left < amount ? whole.left : amount;
      whole.left -= taken;
      return [{ of: whole.of, amount: taken }];
    }
    const parts: Part[] = [];
    let open = amount;
    while (open > 0n) {
      const last = this.#ins.at(-1);
      if (last === undefined) break;
      const taken = last.left < open ? last.left : open;
      last.left -= taken;
      open -= taken;
      if (taken > 0n) parts.push({ of: last.of, amount: taken });
      if (last.left === 0n) this.#ins.pop();
    }
    return parts;
  }

  #covering(amount: bigint): Brought | undefined {
    let found: Brought | undefined;
    for (let i = this.#ins.length - 1; i >= Math.max(0, this.#ins.length - LOOKED_AT); i--) {
      const part = this.#ins[i]!;
      const isFit = part.left === part.amount && part.amount >= amount;
      if (isFit && (found === undefined || part.amount < found.amount)) found = part;
    }
    return found;
  }

  #nearest(amount: bigint): Brought | undefined {
    if (this.#near === undefined) return nearestOf(this.#ins, amount, undefined);
    const bucket = bucketOf(amount);
    let found: Brought | undefined;
    for (const each of [bucket - 1, bucket, bucket + 1]) {
      const those = this.#near.get(each);
      if (those === undefined) continue;
      while (those.length > 0 && those.at(-1)!.left !== those.at(-1)!.amount) those.pop();
      found = nearestOf(those, amount, found);
    }
    return found;
  }
}

/** Of the last parts that nothing was taken of, and of one found before, the one of the nearest amount; of equal ones, the latest. */
function nearestOf(parts: readonly Brought[], amount: bigint, before: Brought | undefined): Brought | undefined {
  let found = before;
  for (let i = parts.length - 1; i >= Math.max(0, parts.length - LOOKED_AT); i--) {
    const part = parts[i]!;
    if (part.left !== part.amount || !isNear(part.amount, amount)) continue;
    const [off, least] = [distance(part.amount, amount), found && distance(found.amount, amount)];
    if (least === undefined || off < least || (off === least && part.of > found!.of)) found = part;
  }
  return found;
}

/**
 * Links movements. An account passes on the part that it got of nearly the amount, else the latest; what a caller of a manager settles has no
 * order. Time and memory grow with the number of movements.
 */
export function linksOf({ list, exchanges, liquidity, calls }: Movements): Links {
  const [sources, uses] = [list.map((): Part[] => []), list.map((): Part[] => [])];
  const isPlain = (account: string): boolean => !exchanges.has(account) && !liquidity.has(account);
  const stocks = new Map<string, Map<string, Stock>>();
  const stockOf = (account: string, token: string): Stock =>
    entryOf(entryOf(stocks, account, newMap<Stock>), token, newStock);
  const take = (i: number, { from, token, amount }: Movement): void => {
    for (const part of stocks.get(from)?.get(token)?.take(amount) ?? []) {
      sources[i]!.push(part);
      uses[part.of]!.push({ of: i, amount: part.amount });
    }
  };
  if (calls.size > 0)
    for (const [i, { to, token, amount }] of list.entries()) if (calls.has(to)) stockOf(to, token).add(i, amount);
  const last = new Map<string, Map<string, Pending>>();
  const links = {
    exchangedFor: new Array<number | undefined>(list.length),
    loans: new Set<number>(),
    repayments: new Set<number>(),
  };
  for (const [i, movement] of list.entries()) {
    const { from, to, token, amount } = movement;
    if (isPlain(from)) take(i, movement);
    if (isPlain(to) && !calls.has(to)) stockOf(to, token).add(i, amount);
    if (isPlain(from) && isPlain(to) && !calls.has(from) && !calls.has(to)) pair(i, list, last, links);
  }
  return { sources, uses, ...links };
}

/** Movements between two accounts that nothing has come back for, in each direction, and those that lent. */
interface Pending {
  readonly open: Map<string, number[]>;
  /** By account, and by token. */
  readonly lent: Map<string, Map<string, number[]>>;
}

/** Pairs a movement with one of the other direction: what was exchanged for it, or the loan that it pays back, with at most a hundredth on top. */
function pair(
  i: number,
  list: readonly Movement[],
  known: Map<string, Map<string, Pending>>,
  {
    exchangedFor,
    loans,
    repayments,
  }: { exchangedFor: (number | undefined)[]; loans: Set<number>; repayments: Set<number> },
): void {
  const { from, to, token, amount } = list[i]!;
  const pending = pendingOf(known, from, to);
  const back = pending.lent.get(to)?.get(token);
  const loan = back?.at(-1);
  if (loan !== undefined && list[loan]!.amount <= amount && isNear(list[loan]!.amount, amount)) {
    back!.pop();
    loans.add(loan);
    repayments.add(i);
    return;
  }
  const others = pending.open.get(to);
  while (others !== undefined && others.length > 0 && loans.has(others.at(-1)!)) others.pop();
  const other = others?.at(-1);
  if (other !== undefined && list[other]!.token !== token) {
    others!.pop();
    exchangedFor[i] = other;
    exchangedFor[other] = i;
    return;
  }
  push(pending.open, from, i);
  push(entryOf(pending.lent, from, newMap<number[]>), token, i);
}

/** What is pending between two accounts, of whichever direction. */
function pendingOf(known: Map<string, Map<string, Pending>>, a: string, b: string): Pending {
  const found = known.get(a)?.get(b) ?? known.get(b)?.get(a);
  if (found !== undefined) return found;
  const pending = { open: new Map(), lent: new Map() };
  entryOf(known, a, newMap<Pending>).set(b, pending);
  return pending;
}

const newMap = <V>(): Map<string, V> => new Map();
const newStock = (): Stock => new Stock();

function push(lists: Map<string, number[]>, key: string, i: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [i]);
  else list.push(i);
}
