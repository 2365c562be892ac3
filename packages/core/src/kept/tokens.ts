import { LRUCache } from 'lru-cache';
import type { Changes } from '../ingest/changes.ts';
import type { KeptPart } from './kept.ts';

const MOST = 100_000;

/** What an answer said of a token, and the as-of times for which it says the same while the token is not traded. */
interface Dated {
  readonly from: number;
  readonly until: number;
  readonly value: object | null;
}

/** What the registry says of a token: `supply` is the one that market caps go by, circulating or else total; `NaN` where it gives neither. */
export interface RegisteredToken {
  readonly symbol: string | null;
  readonly supply: number;
}

/**
 * Answers about single tokens that hold until the token is traded again, by name of the question; `null` is one too: there is none.
 * Beside them what the registry says of tokens, which holds until the registry changes.
 */
export class KeptTokens implements KeptPart {
  readonly #answers = new Map<string, LRUCache<number, Dated>>();
  readonly #registered = newCache<RegisteredToken>();

  /** The answer for an as-of time; `undefined` where none is kept. */
  get<T extends object>(question: string, token: number, asOf: number): T | null | undefined {
    const kept = this.#answers.get(question)?.get(token);
    return kept !== undefined && kept.from <= asOf && asOf <= kept.until ? (kept.value as T | null) : undefined;
  }

  set(question: string, token: number, kept: Dated): void {
    let answers = this.#answers.get(question);
    if (answers === undefined) {
      answers = newCache();
      this.#answers.set(question, answers);
    }
    answers.set(token, kept);
  }

  registered(token: number): RegisteredToken | undefined {
    return this.#registered.get(token);
  }

  setRegistered(token: number, value: RegisteredToken): void {
    this.#registered.set(token, value);
  }

  commit({ appended, touched, hasRegistryChanged }: Changes): void {
    if (hasRegistryChanged) this.#registered.clear();
    for (const answers of this.#answers.values()) {
      if (answers.size === 0) continue;
      for (const { legs } of appended) for (const token of legs.columns.token) answers.delete(token);
      for (const token of touched.tokens) answers.delete(token);
    }
  }

  clear(): void {
    this.#answers.clear();
    this.#registered.clear();
  }
}

function newCache<T extends object>(): LRUCache<number, T> {
  return new LRUCache({ maxSize: MOST, sizeCalculation: () => 1 });
}
