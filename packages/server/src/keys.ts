import { createHash, timingSafeEqual } from 'node:crypto';
import { didYouMean, operations, SwapfoldError } from '@swapfold/core';

/**
 * One key that may call: its text, or `sha256:` and the 64 hex digits of its SHA-256.
 *
 * An object lets the key call the operations that it names (`prices.latest`) and no others.
 */
export type KeyEntry = string | { readonly key: string; readonly operations: readonly string[] };

/** The keys that may call; `'none'` opens the server to everyone, while an empty list lets nobody in. */
export type Keys = readonly KeyEntry[] | 'none';

/** The keys as they are kept: hashed. */
export interface KeyRing {
  readonly isOpen: boolean;
  /** Lets the holder of `key` call `operation`. Errors: `unauthorized`, `forbidden`; none of them repeats the key. */
  check(key: string | undefined, operation: string): void;
}

interface StoredKey {
  readonly digest: Buffer;
  readonly operations: readonly string[] | undefined;
}

/**
 * Reads keys as an operator writes them.
 *
 * - Errors: `invalid-config`, which names the entry by its place, never by its text.
 */
export function createKeyRing(keys: Keys): KeyRing {
  if (keys === 'none') return { isOpen: true, check: () => undefined };
  const stored = keys.map(readEntry);
  return {
    isOpen: false,
    check(key, operation) {
      if (stored.length === 0) throw new SwapfoldError('unauthorized', NO_KEYS);
      if (key === undefined || key === '')
        throw new SwapfoldError('unauthorized', 'The request has no API key; send one in the X-Api-Key header.');
      const holder = findKey(stored, key);
      if (holder === undefined)
        throw new SwapfoldError(
          'unauthorized',
          'The API key in the X-Api-Key header is not known here; send one that the operator has configured.',
        );
      if (holder.operations?.includes(operation) === false)
        throw new SwapfoldError(
          'forbidden',
          `This API key may not call ${operation}; it may call ${holder.operations.join(', ')}.`,
        );
    },
  };
}

const NO_KEYS =
  'This server has no API keys configured and refuses every call. Its operator adds keys to "api_keys" of the configuration, or opens the server to everyone (docs/http.md, "Keys").';

function readEntry(entry: KeyEntry, i: number): StoredKey {
  const { key, operations: allowed } = typeof entry === 'string' ? { key: entry, operations: undefined } : entry;
  for (const name of allowed ?? []) checkOperation(name, i);
  return { digest: digestOf(key, i), operations: allowed };
}

function digestOf(key: string, i: number): Buffer {
  if (key.startsWith('sha256:')) {
    const hex = key.slice('sha256:'.length);
    if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw invalidKey(i, 'after "sha256:" come 64 hex digits');
    return Buffer.from(hex, 'hex');
  }
  if (!/^[^\s\p{Cc}]{8,}$/u.test(key))
    throw invalidKey(i, 'a key has at least 8 characters, none of them a space or a control character');
  return createHash('sha256').update(key).digest();
}

function checkOperation(name: string, i: number): void {
  const names = operations.map((operation) => operation.name);
  if (names.includes(name)) return;
  throw invalidKey(i, `there is no operation "${name}".${didYouMean(name, names)}`);
}

function invalidKey(i: number, reason: string): SwapfoldError {
  const path = `keys.${i}`;
  return new SwapfoldError('invalid-config', `"${path}": ${reason}.`, { details: [{ path, message: reason }] });
}

/** Compares with every key, so that the time taken tells nothing of where a match is. */
function findKey(stored: readonly StoredKey[], key: string): StoredKey | undefined {
  // Node decodes header bytes as Latin-1; encoding them back gives what was sent.
  const digest = createHash('sha256').update(key, 'latin1').digest();
  let found: StoredKey | undefined;
  for (const candidate of stored) if (timingSafeEqual(candidate.digest, digest)) found = candidate;
  return found;
}
