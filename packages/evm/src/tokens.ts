import type { Call } from '@swapfold/chain';
import type { TokenInput } from '@swapfold/core';
import { type CallResult, type Contracts, isAnswer, isEmpty } from './contracts.ts';
import { NATIVE_DECIMALS } from './native.ts';
import { word, wordCount } from './words.ts';

/** What is known of a token. Without decimals its amounts cannot be told. */
export interface Token {
  readonly address: string;
  readonly decimals: number | undefined;
  readonly symbol: string | null;
  readonly name: string | null;
}

const selectors = { decimals: '0x313ce567', symbol: '0x95d89b41', name: '0x06fdde03' } as const;

/** Characters of a symbol and of a name that are taken. */
const MOST_SYMBOL = 64;
const MOST_NAME = 256;

/** Reads tokens from their contracts, each once. */
export class Tokens {
  readonly #known = new Map<string, Token>();
  readonly #since = new Map<string, number>();
  readonly #contracts: Contracts;
  readonly #native: string | undefined;
  /** Tokens that the store has not been given yet. */
  #fresh: TokenInput[] = [];

  /** `native`: the token that the native one counts as, whose decimals need no answer. */
  constructor(contracts: Contracts, { native, given }: { native: string | undefined; given: readonly Token[] }) {
    this.#contracts = contracts;
    this.#native = native;
    for (const token of given) this.#put(token, 0);
  }

  get(address: string): Token | undefined {
    return this.#known.get(address);
  }

  /** Reads those that are unknown, as of a block, or of the newest one. */
  async learn(addresses: Iterable<string>, block: number | undefined): Promise<void> {
    const unknown = [...new Set(addresses)].filter((address) => !this.#known.has(address));
    const calls = unknown.flatMap((to): Call[] =>
      Object.values(selectors).map((data) => this.#contracts.calling(to, data, block)),
    );
    const isNeeded = (address: string | undefined): boolean => address !== this.#native;
    const results = await this.#contracts.ask(calls, (i) => (isNeeded(unknown[i / 3]) ? unknown[i / 3] : undefined));
    const silent = unknown.filter((address, i) => isNeeded(address) && isEmpty(results[3 * i]!));
    const isKnown = await this.#contracts.looked(silent, block);
    for (const [i, address] of unknown.entries()) {
      const [decimals, symbol, name] = results.slice(3 * i, 3 * i + 3) as [CallResult, CallResult, CallResult];
      if (silent.includes(address) && !isKnown(address)) continue;
      this.#put(
        {
          address,
          decimals: decimalsOf(decimals) ?? (address === this.#native ? NATIVE_DECIMALS : undefined),
          symbol: textOf(symbol, MOST_SYMBOL),
          name: textOf(name, MOST_NAME),
        },
        block ?? 0,
      );
    }
  }

  /** What the store has to be given of tokens since the last call. */
  takeFresh(): readonly TokenInput[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** Forgets what was read as of a block or later: on another branch another contract may stand at the address. */
  forgetFrom(block: number): void {
    for (const [address, since] of this.#since) {
      if (since < block) continue;
      this.#since.delete(address);
      this.#known.delete(address);
    }
  }

  #put(token: Token, since: number): void {
    this.#known.set(token.address, token);
    this.#since.set(token.address, since);
    const { address, decimals, symbol, name } = token;
    if (decimals !== undefined)
      this.#fresh.push({ address, decimals, ...(symbol !== null && { symbol }), ...(name !== null && { name }) });
  }
}

/** The decimals that a contract gives, if it gives any that a token can have. */
function decimalsOf(result: CallResult): number | undefined {
  if (!isAnswer(result) || !(wordCount(result.slice(0, 66)) === 1)) return undefined;
  const value = word(result, 0);
  return value <= 255n ? Number(value) : undefined;
}

/** A text as contracts give it: a string, or 32 bytes that end in zeros. */
function textOf(result: CallResult, most: number): string | null {
  if (!isAnswer(result)) return null;
  const bytes = Buffer.from(result.slice(2), 'hex');
  const text = bytes.length === 32 ? bytes : stringOf(bytes);
  if (text === undefined) return null;
  const end = text.indexOf(0);
  const read = new TextDecoder().decode(end < 0 ? text : text.subarray(0, end)).trim();
  return read === '' ? null : [...read].slice(0, most).join('');
}

/** The bytes of an encoded string: offset, length, bytes. */
function stringOf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 64) return undefined;
  const offset = Number(BigInt(`0x${bytes.toString('hex', 0, 32)}`));
  if (offset + 32 > bytes.length) return undefined;
  const length = Number(BigInt(`0x${bytes.toString('hex', offset, offset + 32)}`));
  return offset + 32 + length > bytes.length ? undefined : bytes.subarray(offset + 32, offset + 32 + length);
}
