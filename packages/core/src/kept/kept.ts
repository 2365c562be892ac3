import type { Changes } from '../ingest/changes.ts';
import type { KeptProfiles } from '../profiles/kept-profiles.ts';
import { KeptCandles } from './candles.ts';
import { KeptCounts } from './counts.ts';
import { KeptLabels } from './labels.ts';
import { KeptLegs } from './legs.ts';
import { KeptPrices } from './prices.ts';
import { KeptSymbols } from './symbols.ts';
import { KeptTokens } from './tokens.ts';

/** Bounds of what is kept: see `MemoryOptions`. */
export interface KeptBounds {
  readonly candles: number;
  readonly prices: number;
  readonly legs: number;
}

/** A part of what the process keeps. */
export interface KeptPart {
  /** Continues, or forgets, what a committed write changed. */
  commit(changes: Changes): void;
  clear(): void;
}

/**
 * What the process keeps of the last committed state of the store, so that it need not ask the engine again.
 *
 * Never stale: a write tells what it changed when it has been committed. Whoever reads the engine to keep what it finds asks for the
 * `stamp` before it begins to read, and keeps it only if the stamp is still the same: then no write was committed in between.
 */
export class Kept {
  readonly tokens = new KeptTokens();
  readonly symbols = new KeptSymbols();
  readonly counts = new KeptCounts();
  readonly labels = new KeptLabels();
  readonly candles: KeptCandles;
  readonly prices: KeptPrices;
  readonly legs: KeptLegs;
  readonly #parts: readonly KeptPart[];
  #stamp = 0;
  #committing = 0;
  #cleared = 0;

  constructor(
    bounds: KeptBounds,
    readonly profiles: KeptProfiles,
  ) {
    this.candles = new KeptCandles(bounds.candles);
    this.prices = new KeptPrices(bounds.prices);
    this.legs = new KeptLegs(bounds.legs);
    this.#parts = [this.tokens, this.symbols, this.counts, this.labels, this.candles, this.prices, this.legs];
  }

  /** How often everything was forgotten. */
  get cleared(): number {
    return this.#cleared;
  }

  /** Tells one committed state from every other; `undefined` while a write is being committed, when the engine may have either state. */
  stamp(): number | undefined {
    return this.#committing > 0 ? undefined : this.#stamp;
  }

  /** A write is about to be committed. `commit` or `fail` follows. */
  begin(): void {
    this.#committing++;
  }

  commit(changes: Changes): void {
    this.#committing--;
    this.#stamp++;
    if (changes.isEverything) this.clear();
    else for (const part of this.#parts) part.commit(changes);
  }

  /** A commit failed: the engine may have either state. */
  fail(): void {
    this.#committing--;
    this.clear();
  }

  clear(): void {
    this.#stamp++;
    this.#cleared++;
    for (const part of this.#parts) part.clear();
    this.profiles.clear();
  }
}
