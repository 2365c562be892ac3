import { invalidInput, SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import type { Batch, ColumnName, Table } from '../records/columns.ts';
import type { Reader, Scan } from './adapter.ts';

/** What every call of a store takes. */
export interface CallOptions {
  /** Aborts the call: it rejects with `aborted`, and what it was writing is undone. */
  readonly signal?: AbortSignal | undefined;
}

/** Errors: `invalid-input` for what is given as `signal` and is none. */
export function checkSignal(given: unknown): void {
  if (given === undefined || isSignal(given)) return;
  const received = given instanceof AbortController ? 'an AbortController; give its `signal`' : show(given);
  throw invalidInput(`"signal": expected an AbortSignal, received ${received}.`, {
    details: [{ path: 'signal', message: 'expected an AbortSignal' }],
  });
}

/** Signals of other realms and polyfills are no instances of this one's class. */
function isSignal(given: unknown): boolean {
  const { aborted, addEventListener } = Object(given) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** Errors: `aborted`, with the signal's reason as cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal);
}

/** The promise, or `aborted` as soon as the signal says so. What the promise stands for goes on. */
export function orAborted<R>(signal: AbortSignal | undefined, work: Promise<R>): Promise<R> {
  if (signal === undefined) return work;
  const waiting = whenAborted(signal);
  return Promise.race([work, waiting.rejects]).finally(waiting.dispose);
}

/** `rejects` with `aborted` as soon as the signal aborts, until `dispose`; without a signal it never settles. */
export function whenAborted(signal: AbortSignal | undefined): {
  readonly rejects: Promise<never>;
  dispose(): void;
} {
  if (signal === undefined) return { rejects: new Promise(() => undefined), dispose: () => undefined };
  let listen = (): void => undefined;
  const rejects = new Promise<never>((_, reject) => {
    listen = () => reject(abortedError(signal));
    if (signal.aborted) listen();
    else signal.addEventListener('abort', listen, { once: true });
  });
  rejects.catch(() => undefined);
  return { rejects, dispose: () => signal.removeEventListener('abort', listen) };
}

function abortedError(signal: AbortSignal): SwapfoldError {
  return new SwapfoldError('aborted', 'The call was aborted by its signal.', { cause: signal.reason });
}

/** What `step` gives. Errors: `aborted`, without the step, once the signal says so. */
export async function unlessAborted<R>(signal: AbortSignal, step: () => Promise<R>): Promise<R> {
  throwIfAborted(signal);
  return step();
}

/** The reader, of which every further read rejects once the signal has aborted. */
export function untilAborted(reader: Reader, signal: AbortSignal | undefined): Reader {
  if (signal === undefined) return reader;
  const { leading, version, findDamage } = reader;
  return {
    read: (scan) => unlessAborted(signal, () => reader.read(scan)),
    async *stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>> {
      throwIfAborted(signal);
      for await (const batch of reader.stream(scan)) {
        throwIfAborted(signal);
        yield batch;
      }
    },
    latest: (query) => unlessAborted(signal, () => reader.latest(query)),
    count: (table, where) => unlessAborted(signal, () => reader.count(table, where)),
    max: (table, column, where) => unlessAborted(signal, () => reader.max(table, column, where)),
    ...(leading && { leading: (query) => unlessAborted(signal, () => reader.leading!(query)) }),
    ...(version && { version: () => reader.version!() }),
    ...(findDamage && { findDamage: (tables) => reader.findDamage!(tables) }),
  };
}
