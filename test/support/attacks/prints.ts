import { NO_ID } from '../../../packages/core/src/records/columns.ts';

/** A print of the one token of a generated market, in chain order. */
export interface TokenPrint {
  /** Unix seconds. */
  readonly time: number;
  /** USD per token. */
  readonly price: number;
  /** Value in USD. */
  readonly usd: number;
  readonly wallet: number;
  /** `NO_ID` without one. */
  readonly pool: number;
  /** Prints of one transaction stand together. */
  readonly tx: number;
  /** Whether the token was received. */
  readonly isBuy: boolean;
}

/** What a rule says of a print. */
export interface Standing {
  readonly isSuspect: boolean;
  /** Whether the print is the mark until another one is. */
  readonly marks: boolean;
}

/** Seeded random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** As likely from 1 to 10 as from 10 to 100. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }
}

/** The same prints as a feed without pools has them. */
export function withoutPools(prints: readonly TokenPrint[]): TokenPrint[] {
  return prints.map((print) => ({ ...print, pool: NO_ID }));
}

/** The prints of each transaction. */
export function transactions(prints: readonly TokenPrint[]): TokenPrint[][] {
  const groups: TokenPrint[][] = [];
  for (const [i, print] of prints.entries())
    if (i > 0 && prints[i - 1]!.tx === print.tx) groups[groups.length - 1]!.push(print);
    else groups.push([print]);
  return groups;
}
