import { hash, randomBytes } from 'node:crypto';
import { SwapfoldError } from '@swapfold/core';
import { didYouMean, newShare, operations, type Share } from '@swapfold/core/host';
import { operatorCalls } from './operator-table.ts';
import { checkRate, type Rate, TokenBucket } from './rate.ts';

/** One key that may call: its text, or `sha256:` and the 64 hex digits of its SHA-256; as an object, with what holds for its holder. */
export type KeyEntry =
  | string
  | {
      readonly key: string;
      /** The operations that the key may call (`prices.latest`), what it may push (`ingest`, `ingest.rollback`), and what it may have the server do (`server.backup`, `server.stop`). Default: all operations, and nothing else. */
      readonly operations?: readonly string[] | undefined;
      /** Requests per second. Default: `rate` of the server. */
      readonly rate?: Rate | undefined;
      /** What logs call the holder. Default: nothing. */
      readonly name?: string | undefined;
    };

/** The keys that may call; `'none'` opens the server to everyone, while an empty list lets nobody in. */
export type Keys = readonly KeyEntry[] | 'none';

/** Who calls, by the key that was sent. */
export interface Holder {
  readonly name: string | undefined;
  /** What is left of the holder's rate. */
  readonly bucket: TokenBucket | undefined;
  /** What the holder has of the server. */
  readonly share: Share;
}

/** The keys as they are stored: hashed. */
export interface KeyRing {
  readonly isOpen: boolean;
  /** The holder of `key`, where it may call `operation`, if one is named; nobody on an open server. Errors: `unauthorized`, `forbidden`; none repeats the key. */
  check(key: string | undefined, operation?: string): Holder | undefined;
  /** What is known of the holder of `key`; `undefined` for an unknown key. */
  find(key: string): Holder | undefined;
  /** Whether a key may push anything. */
  readonly canPush: boolean;
}

interface StoredKey extends Holder {
  readonly operations: readonly string[] | undefined;
}

export interface KeyRingOptions {
  /** The rate of a key that has none of its own. */
  readonly rate?: Rate | undefined;
  /** The ring that this one takes the place of: a key in both goes on with what it had left. */
  readonly previous?: KeyRing | undefined;
}

/**
 * Reads keys as an operator writes them.
 *
 * - Errors: `invalid-config`, which names the entry by its place, never by its text.
 */
export function createKeyRing(keys: Keys, { rate, previous }: KeyRingOptions = {}): KeyRing {
  if (keys === 'none') return { isOpen: true, canPush: false, check: () => undefined, find: () => undefined };
  const before = previous instanceof HashedKeys ? previous : undefined;
  const stored = keys.map((entry, i) => readEntry(entry, i));
  return new HashedKeys(
    stored.map(({ digest, own, ...key }) => {
      const known = before?.at(digest);
      return [digest, { ...key, bucket: bucketOf(own ?? rate, known), share: known?.share ?? newShare() }];
    }),
  );
}

/**
 * Finds a key by a secret fingerprint of its SHA-256, never by the key or its hash.
 *
 * How long a look-up takes can depend on the fingerprint only, and that is random to everyone who does not know the secret of this
 * process: the time tells nothing of how much of a guess is right, and does not grow with the number of keys.
 */
class HashedKeys implements KeyRing {
  readonly isOpen = false;
  readonly #secret = randomBytes(32).toString('hex');
  readonly #byFingerprint: ReadonlyMap<string, StoredKey>;

  constructor(stored: readonly (readonly [digest: string, key: StoredKey])[]) {
    this.#byFingerprint = new Map(stored.map(([digest, key]) => [this.#fingerprint(digest), key]));
  }

  get canPush(): boolean {
    const all = [...this.#byFingerprint.values()];
    return all.some(({ operations: allowed }) => [...pushGrants.values()].some((grants) => mayWrite(allowed, grants)));
  }

  check(key: string | undefined, operation?: string): Holder {
    if (this.#byFingerprint.size === 0) throw new SwapfoldError('unauthorized', NO_KEYS);
    if (key === undefined || key === '')
      throw new SwapfoldError('unauthorized', 'The request has no API key; send one in the X-Api-Key header.');
    const holder = this.find(key);
    if (holder === undefined) throw new WrongKey();
    const grants = grantsOf.get(operation);
    if (grants !== undefined) {
      if (!mayWrite(holder.operations, grants)) throw mayNotWrite(grants[0]);
    } else if (operation !== undefined && holder.operations?.includes(operation) === false)
      throw new SwapfoldError(
        'forbidden',
        `This API key may not call ${operation}; it may call ${holder.operations!.join(', ')}.`,
      );
    return holder;
  }

  /** What is stored of a key as a header brought it. */
  find(key: string): StoredKey | undefined {
    return this.at(digestOf(key));
  }

  /** What is stored of the key with this SHA-256, in hex. */
  at(digest: string): StoredKey | undefined {
    return this.#byFingerprint.get(this.#fingerprint(digest));
  }

  #fingerprint(digest: string): string {
    return hash('sha256', this.#secret + digest, 'hex');
  }
}

/** A key came that nobody has. */
export class WrongKey extends SwapfoldError {
  constructor() {
    super('unauthorized', 'The API key is not known here; send one that the operator has configured.');
  }
}

type Grants = readonly [own: string, ...others: string[]];

/** What a key needs for each operation that writes, by the name of it. */
const pushGrants: ReadonlyMap<string, Grants> = new Map(
  operations.flatMap(({ name, write }) => (write === undefined ? [] : [[name, write.grants]])),
);

/** As `pushGrants`, and for what an operator has the server do. */
const grantsOf: ReadonlyMap<string | undefined, Grants> = new Map([
  ...pushGrants,
  ...operatorCalls.map(({ name }): [string, Grants] => [name, [name]]),
]);

/** Whether the operations of a key have one of the grants. A key without a list of them may ask everything, and do nothing else. */
function mayWrite(allowed: readonly string[] | undefined, grants: readonly string[]): boolean {
  return allowed?.some((name) => grants.includes(name)) ?? false;
}

function mayNotWrite(grant: string): SwapfoldError {
  return new SwapfoldError(
    'forbidden',
    `This API key may not do this: it takes a key whose "operations" name "${grant}".`,
  );
}

const NO_KEYS =
  'This server has no API keys configured and refuses every call. Its operator adds keys to "api_keys" of the configuration, or opens the server to everyone (docs/reference/http.md, "Keys").';

const ascii = /^[\x20-\x7e]*$/;

/** The SHA-256, in hex, of a key as a header brought it. */
function digestOf(key: string): string {
  // Node decodes header bytes as Latin-1; encoding them back gives what was sent.
  return hash('sha256', ascii.test(key) ? key : Buffer.from(key, 'latin1'), 'hex');
}

interface ReadEntry extends Omit<StoredKey, 'bucket' | 'share'> {
  readonly digest: string;
  readonly own: Rate | undefined;
}

function readEntry(entry: KeyEntry, i: number): ReadEntry {
  if (typeof entry === 'string')
    return { digest: readKey(entry, i), operations: undefined, own: undefined, name: undefined };
  if (typeof entry !== 'object' || entry === null) throw invalidKey(i, 'expected a key, or an object with "key"');
  const { key, operations: allowed, rate, name, ...rest } = entry;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw invalidKey(i, `there is no field "${unknown}".${didYouMean(unknown, ['key', 'operations', 'rate', 'name'])}`);
  if (allowed !== undefined && !Array.isArray(allowed)) throw invalidKey(i, '"operations" is a list of names');
  for (const operation of allowed ?? []) checkOperation(operation, i);
  if (rate !== undefined) checkRate(rate, `keys.${i}.rate`);
  if (name !== undefined && (typeof name !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(name)))
    throw invalidKey(i, '"name" is 1 to 64 printable ASCII characters');
  return { digest: readKey(key, i), operations: allowed, own: rate, name };
}

function readKey(key: unknown, i: number): string {
  if (typeof key !== 'string') throw invalidKey(i, 'the key is a text');
  if (key.startsWith('sha256:')) {
    const hex = key.slice('sha256:'.length);
    if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw invalidKey(i, 'after "sha256:" come 64 hex digits');
    return hex.toLowerCase();
  }
  if (!/^[^\s\p{Cc}]{8,}$/u.test(key))
    throw invalidKey(i, 'a key has at least 8 characters, none of them a space or a control character');
  return hash('sha256', key, 'hex');
}

function checkOperation(name: string, i: number): void {
  const ofStore = operations.flatMap((operation): readonly string[] => operation.write?.grants ?? [operation.name]);
  const names = [...new Set([...ofStore, ...operatorCalls.map((call) => call.name)])];
  if (names.includes(name)) return;
  throw invalidKey(i, `there is no operation "${name}".${didYouMean(name, names)}`);
}

function bucketOf(rate: Rate | undefined, before: StoredKey | undefined): TokenBucket | undefined {
  if (rate === undefined) return undefined;
  return before?.bucket?.isOf(rate) ? before.bucket : new TokenBucket(rate);
}

function invalidKey(i: number, reason: string): SwapfoldError {
  const path = `keys.${i}`;
  return new SwapfoldError('invalid-config', `"${path}": ${reason}${/[.?]$/.test(reason) ? '' : '.'}`, {
    details: [{ path, message: reason }],
  });
}
