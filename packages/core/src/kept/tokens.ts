import { LRUCache } from 'lru-cache';
import type { Changes } from '../ingest/changes.ts';
import type { KeptPart } from './kept.ts';

const MOST = 100_000;

/** What an answer said of a token, and the as-of times for which it says the same while the token is not traded; `null` is an answer, too. */
export interface Dated<T> {
  readonly from: number;
  readonly until: number;
  readonly value: T | null;
}

/** Kept answers to one question about tokens. */
export interface TokenShelf<T> {
  /** The answer for an as-of time; `undefined` where none is kept. */
  get(token: number, asOf: number): T | null | undefined;
  set(token: number, answer: Dated<T>): void;
}

/** What the registry says of a token: `supply` is the one that market caps go by, circulating or else total; `NaN` where it gives neither. */
export interface RegisteredToken {
  readonly symbol: string | null;
  readonly supply: number;
}

/** What the registry says of tokens, which holds until the registry changes. */
class RegisteredTokens implements TokenShelf<RegisteredToken> {
  readonly #said = newCache<Pick<Dated<RegisteredToken>, 'value'>>();

  /** Whether there is room without giving up what is kept. */
  get hasRoom(): boolean {
    return this.#said.size < MOST;
  }

  get(token: number): RegisteredToken | null | undefined {
    return this.#said.get(token)?.value;
  }

  set(token: number, { value }: Dated<RegisteredToken>): void {
    this.#said.set(token, { value });
  }

  clear(): void {
    this.#said.clear();
  }
}

/** Answers about single tokens that hold until the token is traded again, by name of the question. */
export class KeptTokens implements KeptPart {
  readonly registered = new RegisteredTokens();
  readonly #answers = new Map<string, LRUCache<number, Dated<object>>>();

  /** The answers to a question. */
  shelf<T extends object>(question: string): TokenShelf<T> {
    const answers = this.#answers.get(question) ?? newCache();
    this.#answers.set(question, answers);
    return {
      get(token, asOf) {
        const kept = answers.get(token);
        return kept !== undefined && kept.from <= asOf && asOf <= kept.until ? (kept.value as T | null) : undefined;
      },
      set: (token, answer) => answers.set(token, answer),
    };
  }

  commit({ appended, touched, hasRegistryChanged }: Changes): void {
    if (hasRegistryChanged) this.registered.clear();
    for (const answers of this.#answers.values()) {
      if (answers.size === 0) continue;
      for (const { legs } of appended) for (const token of legs.columns.token) answers.delete(token);
      for (const token of touched.tokens) answers.delete(token);
    }
  }

  clear(): void {
    for (const answers of this.#answers.values()) answers.clear();
    this.registered.clear();
  }
}

function newCache<T extends object>(): LRUCache<number, T> {
  return new LRUCache({ maxSize: MOST, sizeCalculation: () => 1 });
}
