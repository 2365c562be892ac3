import { LRUCache } from 'lru-cache';
import type { Appended, Changes } from '../ingest/changes.ts';
import { timeOf } from '../records/chain-order.ts';
import type { KeptPart } from './kept.ts';
import type { RecentLegs } from './recent-legs.ts';

/** What a token costs beside its legs, in legs. */
const OVERHEAD = 16;

/** The part of what is kept that one token may take: what is more is cheaper to read when it is asked for than to keep. */
const SHARE = 8;

/** Legs of the tokens that are asked for, as far back as their windows reach, continued by every swap that comes. */
export class KeptLegs implements KeptPart {
  /** Legs that are kept of one token at most. */
  readonly mostOfOne: number;
  readonly #tokens: LRUCache<number, RecentLegs>;

  /** `most`: legs that are kept at most; 0 keeps none. */
  constructor(readonly most: number) {
    this.mostOfOne = Math.floor(most / SHARE) - OVERHEAD;
    this.#tokens = new LRUCache({
      maxSize: Math.max(1, most),
      sizeCalculation: ({ room }) => room + OVERHEAD,
    });
  }

  /** Whether there is room without giving up what is kept. */
  get hasRoom(): boolean {
    return this.#tokens.calculatedSize < this.most - this.most / SHARE;
  }

  /** The legs of a token, where they answer for an as-of time. */
  get(token: number, asOf: number): RecentLegs | undefined {
    const legs = this.#tokens.get(token);
    return legs?.reaches(asOf) ? legs : undefined;
  }

  set(token: number, legs: RecentLegs): void {
    if (legs.room <= this.mostOfOne) this.#tokens.set(token, legs);
    else this.#tokens.delete(token);
  }

  commit({ appended, touched }: Changes): void {
    for (const token of touched.tokens) this.#tokens.delete(token);
    if (this.#tokens.size > 0) for (const { legs } of appended) this.#continue(legs);
  }

  clear(): void {
    this.#tokens.clear();
  }

  #continue({ columns, length }: Appended['legs']): void {
    const grown = new Map<number, RecentLegs>();
    for (let i = 0; i < length; i++) {
      const legs = this.#tokens.peek(columns.token[i]!);
      if (legs === undefined) continue;
      const { room } = legs;
      legs.add(timeOf(columns.seq[i]!), columns.price[i]!, columns.usd_amount[i]!);
      if (legs.room > room) grown.set(columns.token[i]!, legs);
    }
    // Their sizes count anew.
    for (const [token, legs] of grown) {
      this.#tokens.delete(token);
      this.set(token, legs);
    }
  }
}
