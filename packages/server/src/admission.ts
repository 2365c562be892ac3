import { type OperationCost, SwapfoldError, show } from '@swapfold/core';
import { BodyBudget } from './body-budget.ts';
import type { Exchange } from './exchange.ts';
import { Gate } from './gate.ts';
import { createKeyRing, type KeyEntry, type KeyRing, type Keys } from './keys.ts';
import { Overload } from './overload.ts';
import { Addresses, checkRate, type Rate, type TokenBucket } from './rate.ts';
import { Turns } from './turns.ts';

/** How much the server takes on at once; beyond it requests are answered 503. */
export interface Limits {
  /**
   * Requests that the store works on, and as many again of keys that have none in work. Default 8. Each class of cost has as many places:
   * what looks some rows up, pages, and scans.
   */
  readonly working?: number | undefined;
  /** Requests that wait for one of these places. Default 64. */
  readonly waiting?: number | undefined;
  /** How long one waits at most, seconds. Default 1. */
  readonly patience?: number | undefined;
  /** Bytes of request bodies, those of all callers together. Default 64 MiB. One key has no more than its part while others want some. */
  readonly bodyBytes?: number | undefined;
  /** Bytes of answers that callers have not taken yet, all together; beyond them the largest are cut. Default 256 MiB. */
  readonly unsentBytes?: number | undefined;
}

export interface AdmissionOptions {
  readonly keys: Keys;
  readonly rate?: Rate | undefined;
  readonly limits?: Limits | undefined;
}

const MIB = 1024 * 1024;

/** What holds where `limits` says nothing. docs/http.md is held to it. */
export const defaultLimits = {
  working: 8,
  waiting: 64,
  patience: 1,
  bodyBytes: 64 * MIB,
  unsentBytes: 256 * MIB,
} satisfies Required<Limits>;

/** Addresses that an open server remembers. */
const ADDRESSES = 10_000;

/** Who gets in, and when. */
export class Admission {
  readonly bodies: BodyBudget;
  readonly unsentBytes: number;
  /** By what an operation may ask of the store: what looks some rows up does not wait behind searches. */
  readonly gates: Readonly<Record<OperationCost, Gate>>;
  readonly turns = new Turns();
  readonly #rate: Rate | undefined;
  readonly #addresses: Addresses;
  #keys: KeyRing;

  /** Errors: `invalid-config`. */
  constructor({ keys, rate, limits = {} }: AdmissionOptions) {
    const base = defaultLimits;
    const { working = base.working, waiting = base.waiting, patience = base.patience } = limits;
    const { bodyBytes = base.bodyBytes, unsentBytes = base.unsentBytes } = limits;
    checkLimit('working', working, 1);
    checkLimit('waiting', waiting, 0);
    checkLimit('bodyBytes', bodyBytes, 1);
    checkLimit('unsentBytes', unsentBytes, 1);
    if (!(patience > 0 && patience <= 3600)) throw invalidLimit('patience', 'seconds above 0, at most 3600', patience);
    if (rate !== undefined) checkRate(rate, 'rate');
    this.bodies = new BodyBudget(bodyBytes);
    this.unsentBytes = unsentBytes;
    const places = { working, waiting, patience };
    this.gates = {
      point: new Gate(places),
      page: new Gate({ ...places, turns: this.turns }),
      scan: new Gate({ ...places, turns: this.turns, isLong: true }),
    };
    this.#rate = rate;
    this.#addresses = new Addresses(rate, ADDRESSES);
    this.#keys = createKeyRing(keys, { rate });
  }

  get isOpen(): boolean {
    return this.#keys.isOpen;
  }

  /** From now on these keys may call and no others. Errors: `invalid-config`; then the old ones stay. */
  setKeys(keys: readonly KeyEntry[]): void {
    if (this.isOpen)
      throw new SwapfoldError('invalid-config', 'The server was started without keys; start it again to ask for some.');
    this.#keys = createKeyRing(keys, { rate: this.#rate, previous: this.#keys });
  }

  /** Lets a request begin: its key may call the operation, and its caller has not used up its rate. Errors: `unauthorized`, `forbidden`, `rate-limited`. */
  admit(exchange: Exchange, operation: string): void {
    const { request, headers } = exchange;
    const key = request.headers['x-api-key'];
    const holder = this.#keys.check(Array.isArray(key) ? key.join() : key, operation);
    exchange.caller = holder?.name;
    const { bucket, share } = holder ?? this.#addresses.of(request.socket.remoteAddress ?? '');
    exchange.share = share;
    if (bucket !== undefined) spend(bucket, headers);
  }
}

function spend(bucket: TokenBucket, headers: Record<string, string>): void {
  const wait = bucket.take(performance.now() / 1000);
  Object.assign(headers, bucket.headers());
  if (wait === 0) return;
  const seconds = Math.ceil(wait);
  throw new Overload('rate', `The rate is used up; wait ${seconds} s before the next request.`, seconds);
}

function checkLimit(name: keyof Limits, value: number, least: number): void {
  if (!(Number.isSafeInteger(value) && value >= least)) throw invalidLimit(name, `a whole number from ${least}`, value);
}

function invalidLimit(name: keyof Limits, expected: string, received: unknown): SwapfoldError {
  const path = `limits.${name}`;
  const message = `expected ${expected}, received ${show(received)}`;
  return new SwapfoldError('invalid-config', `"${path}": ${message}.`, { details: [{ path, message }] });
}
