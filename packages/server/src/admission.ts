import type { IncomingMessage } from 'node:http';
import { SwapfoldError } from '@swapfold/core';
import { type OperationCost, show } from '@swapfold/core/host';
import { BodyBudget } from './body-budget.ts';
import type { Exchange } from './exchange.ts';
import { Gate } from './gate.ts';
import { createKeyRing, type Holder, type KeyEntry, type KeyRing, type Keys } from './keys.ts';
import { LiveConnections } from './live-connections.ts';
import { Overload } from './overload.ts';
import { type AddressOf, addressReader, type ProxyOptions } from './peers.ts';
import { Addresses, checkRate, type Rate, type TokenBucket } from './rate.ts';
import { Turns } from './turns.ts';
import { WrongKeys } from './wrong-keys.ts';

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
  /** Bytes of request bodies, of all callers together. Default 64 MiB. One key has no more than its part while others want some. */
  readonly bodyBytes?: number | undefined;
  /** Bytes of unpacked rows that are pushed, of all callers together, until they are stored. Default 256 MiB. */
  readonly pushBytes?: number | undefined;
  /** Bytes of answers that callers have not taken yet, all together; beyond them the largest are cut. Default 256 MiB. */
  readonly unsentBytes?: number | undefined;
  /** WebSockets and event streams of one key, or of one address if no key is asked for or none has come yet. Default 256. */
  readonly liveConnections?: number | undefined;
  /** Subscriptions of one of them. Default 64. */
  readonly subscriptions?: number | undefined;
  /** Bytes of what the subscriptions of one key ask for, on all its connections, as JSON; or of one address if no key is asked for. Default 16 MiB. */
  readonly subscriptionBytes?: number | undefined;
  /** Bytes that may wait for one of them to take them, before it is cut off. Default 1 MiB. */
  readonly liveBytes?: number | undefined;
  /** Wrong keys of one address in a minute that are answered at once; the answers to more of them come a second late. Default 30. */
  readonly wrongKeys?: number | undefined;
}

export interface AdmissionOptions extends ProxyOptions {
  readonly keys: Keys;
  readonly rate?: Rate | undefined;
  readonly limits?: Limits | undefined;
}

const MIB = 1024 * 1024;

/** What holds where `limits` says nothing. docs/reference/http.md is held to it. */
export const defaultLimits = {
  working: 8,
  waiting: 64,
  patience: 1,
  bodyBytes: 64 * MIB,
  pushBytes: 256 * MIB,
  unsentBytes: 256 * MIB,
  liveConnections: 256,
  subscriptions: 64,
  subscriptionBytes: 16 * MIB,
  liveBytes: MIB,
  wrongKeys: 30,
} satisfies Required<Limits>;

/** Pushed requests that are handed to the store at once. */
const PUSHES = 2;

/** How long what is pushed waits for its turn, seconds: what was sent once need not be sent again. */
const PUSH_PATIENCE = 10;

/** Addresses that an open server remembers. */
const ADDRESSES = 10_000;

/** Who gets in, and when. */
export class Admission {
  readonly bodies: BodyBudget;
  /** What is pushed has a budget of its own: it keeps nobody from asking. */
  readonly pushes: BodyBudget;
  readonly unsentBytes: number;
  readonly connections: LiveConnections;
  readonly live: Readonly<Record<'liveConnections' | 'subscriptions' | 'liveBytes', number>>;
  /** By what an operation may ask of the store: what looks some rows up does not wait behind searches. */
  readonly gates: Readonly<Record<OperationCost, Gate>>;
  /** Of requests for the routes of other packages: what such a request asks of the store takes a place there as well. */
  readonly plugged: Gate;
  readonly turns = new Turns();
  readonly wrongKeys: WrongKeys;
  /** Whose request it is, as far as the proxies in front are believed. */
  readonly addressOf: AddressOf;
  readonly #rate: Rate | undefined;
  readonly #addresses: Addresses;
  #keys: KeyRing;

  /** Errors: `invalid-config`. */
  constructor({ keys, rate, limits = {}, ...proxies }: AdmissionOptions) {
    const base = defaultLimits;
    this.addressOf = addressReader(proxies);
    const { working = base.working, waiting = base.waiting, patience = base.patience } = limits;
    const {
      bodyBytes = base.bodyBytes,
      pushBytes = base.pushBytes,
      unsentBytes = base.unsentBytes,
      liveBytes = base.liveBytes,
    } = limits;
    const { liveConnections = base.liveConnections, subscriptions = base.subscriptions } = limits;
    const { subscriptionBytes = base.subscriptionBytes, wrongKeys = base.wrongKeys } = limits;
    checkLimit('wrongKeys', wrongKeys, 1);
    this.wrongKeys = new WrongKeys(wrongKeys);
    checkLimit('subscriptionBytes', subscriptionBytes, 1);
    this.live = { liveConnections, subscriptions, liveBytes };
    for (const [name, value] of Object.entries(this.live)) checkLimit(name as keyof Limits, value, 1);
    this.connections = new LiveConnections(liveConnections, subscriptionBytes);
    checkLimit('working', working, 1);
    checkLimit('waiting', waiting, 0);
    checkLimit('bodyBytes', bodyBytes, 1);
    checkLimit('pushBytes', pushBytes, 1);
    checkLimit('unsentBytes', unsentBytes, 1);
    if (!(patience > 0 && patience <= 3600)) throw invalidLimit('patience', 'seconds above 0, at most 3600', patience);
    if (rate !== undefined) checkRate(rate, 'rate');
    this.bodies = new BodyBudget(bodyBytes);
    this.pushes = new BodyBudget(pushBytes);
    this.unsentBytes = unsentBytes;
    const places = { working, waiting, patience };
    this.gates = {
      point: new Gate(places),
      page: new Gate({ ...places, turns: this.turns }),
      scan: new Gate({ ...places, turns: this.turns, isLong: true }),
      // A store writes one thing at a time, so that many wait rather than work. Refreshes run one after the other beside them.
      write: new Gate({ working: PUSHES, waiting, patience: PUSH_PATIENCE }),
      refresh: new Gate({ working: 1, waiting, patience: PUSH_PATIENCE }),
    };
    this.plugged = new Gate({ ...places, turns: this.turns, isLong: true });
    this.#rate = rate;
    this.#addresses = new Addresses(rate, ADDRESSES);
    this.#keys = createKeyRing(keys, { rate });
  }

  get isOpen(): boolean {
    return this.#keys.isOpen;
  }

  /** Whether a key may push anything. */
  get canPush(): boolean {
    return this.#keys.canPush;
  }

  /** From now on these keys may call and no others. Errors: `invalid-config`; then the old ones stay. */
  setKeys(keys: readonly KeyEntry[]): void {
    if (this.isOpen)
      throw new SwapfoldError('invalid-config', 'The server was started without keys; start it again to ask for some.');
    this.#keys = createKeyRing(keys, { rate: this.#rate, previous: this.#keys });
  }

  /** Lets a request begin: its key may call the operation, and its caller has not used up its rate. Errors: `unauthorized`, `forbidden`, `rate-limited`. */
  admit(exchange: Exchange, operation: string | undefined): void {
    const { request, headers } = exchange;
    const { name, share, bucket } = this.callerOf(keyOf(request), request, operation);
    exchange.caller = name;
    exchange.share = share;
    if (bucket !== undefined) spend(bucket, headers);
  }

  /** As `admit`, of an operation that the holder of a key asks for otherwise than by a request of its own. */
  admitCall(key: string | undefined, request: IncomingMessage, operation: string): Holder {
    const caller = this.callerOf(key, request, operation);
    if (caller.bucket !== undefined) spend(caller.bucket, {});
    return caller;
  }

  /** Who calls: by the key, or by the address if none is asked for. Errors: `unauthorized`, `forbidden` where it may not call the operation. */
  callerOf(key: string | undefined, request: IncomingMessage, operation?: string): Holder {
    const holder = this.#keys.check(key, operation);
    return holder ?? { name: undefined, ...this.#addresses.of(this.addressOf(request)) };
  }
}

/** The key that a request brought. */
export function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'];
  return Array.isArray(key) ? key.join() : key;
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
