import { SwapfoldError } from '@swapfold/core';
import { newShare, type Share, show } from '@swapfold/core/host';

/** How often a caller may call. */
export interface Rate {
  /** Requests per second, in the long run; may be a fraction. */
  readonly perSecond: number;
  /** Requests at once after a pause. Default: the requests of one second, at least 1. */
  readonly burst?: number | undefined;
}

const burstOf = ({ perSecond, burst }: Rate): number => burst ?? Math.max(1, Math.ceil(perSecond));

/** Errors: `invalid-config`, which names the field. */
export function checkRate(rate: Rate, path: string): void {
  const given: unknown = rate;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidRate(path, `expected an object with "perSecond", received ${show(given)}`);
  const { perSecond, burst, ...rest } = rate;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalidRate(path, `there is no field "${unknown}"; known are perSecond and burst`);
  if (!(typeof perSecond === 'number' && perSecond > 0 && Number.isFinite(perSecond)))
    throw invalidRate(`${path}.perSecond`, `expected a number above 0, received ${show(perSecond)}`);
  if (burst !== undefined && !(Number.isInteger(burst) && burst >= 1))
    throw invalidRate(`${path}.burst`, `expected a whole number from 1, received ${show(burst)}`);
}

/** Tokens that a caller spends, one a request, and that come back with time. Times are seconds of one clock that only goes forward. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #burst: number;
  #tokens: number;
  #at = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#burst = burstOf(rate);
    this.#tokens = this.#burst;
  }

  isOf(rate: Rate): boolean {
    return this.#rate.perSecond === rate.perSecond && this.#burst === burstOf(rate);
  }

  /** Takes one token: 0, or the seconds until there is one to take. */
  take(now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, now - this.#at) * this.#rate.perSecond);
    this.#at = now;
    if (this.#tokens < 1) return (1 - this.#tokens) / this.#rate.perSecond;
    this.#tokens -= 1;
    return 0;
  }

  /** The fields `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-11: what is left, and when all of it is back. */
  headers(): Readonly<Record<string, string>> {
    const window = Math.ceil(this.#burst / this.#rate.perSecond);
    const back = Math.ceil((this.#burst - this.#tokens) / this.#rate.perSecond);
    return {
      'RateLimit-Policy': `"default";q=${this.#burst};w=${window}`,
      RateLimit: `"default";r=${Math.floor(this.#tokens)};t=${back}`,
    };
  }
}

/** What is known of callers by their address only. */
export interface AddressState {
  /** What is left of the rate, if there is one. */
  readonly bucket: TokenBucket | undefined;
  readonly share: Share;
}

/** Callers that are known by their address only: those that called last, at most `most` of them. */
export class Addresses {
  readonly #known = new Map<string, AddressState>();
  readonly #rate: Rate | undefined;
  readonly #most: number;

  constructor(rate: Rate | undefined, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  /** What is known of an address; one that has been forgotten starts with its whole rate. */
  of(address: string): AddressState {
    const caller = networkOf(address);
    const state = this.#known.get(caller) ?? { bucket: this.#rate && new TokenBucket(this.#rate), share: newShare() };
    // Put at the end: the first of a Map is the one that has not called for longest.
    this.#known.delete(caller);
    this.#known.set(caller, state);
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value!);
    return state;
  }

  get size(): number {
    return this.#known.size;
  }
}

/** An IPv4 address as it is; of an IPv6 address the /64, which one household or machine has to itself. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0');
  return [...groups, ...after].slice(0, 4).join(':');
}

function invalidRate(path: string, reason: string): SwapfoldError {
  return new SwapfoldError('invalid-config', `"${path}": ${reason}.`, { details: [{ path, message: reason }] });
}
