import { ClientError, errorOf } from './errors.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the server is, such as `https://dex.example`. */
  readonly url: string;
  /** The chain of the server's store. Default `solana`. */
  readonly chain?: string | undefined;
  /** The API key. */
  readonly key?: string | undefined;
  /** How often a request is sent again that was answered 429 or 503, or not at all. Default 4; a feed wants more. */
  readonly retries?: number | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How long a request is waited with that is sent again, ms, if the server does not say: doubled each time. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/**
 * Sends a request, again if the server has no time for it. Each may be repeated: those that ask write nothing, and what is pushed is known
 * by its identity. `read` takes what is wanted of the answer: one that ends too early is none.
 */
export async function send<T>(
  { url, chain = 'solana', key, retries = 4, fetch: ask = fetch }: ClientOptions,
  path: string,
  body: unknown,
  { signal }: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const address = `${url.replace(/\/+$/, '')}/v1/${chain}${path}`;
  const headers = { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'X-Api-Key': key }) };
  const text = JSON.stringify(body ?? {});
  for (let tried = 0; ; tried++) {
    let error: ClientError;
    let wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tried) * (0.5 + Math.random() / 2);
    try {
      const response = await ask(address, {
        method: 'POST',
        headers,
        body: text,
        ...(signal === undefined ? {} : { signal }),
      });
      if (response.ok) return await read(response);
      const after = Number(response.headers.get('Retry-After') ?? Number.NaN);
      if (after >= 0) wait = after * 1000;
      error = await errorOf(response);
      // A key that has too many live connections may wait for ever.
      const isBusy = (error.status === 429 && error.code !== 'too-many-subscriptions') || error.status === 503;
      if (!isBusy) throw error;
    } catch (cause) {
      if (cause instanceof ClientError || signal?.aborted) throw cause;
      error = new ClientError(`There is no answer from ${address}.`, { code: 'unreachable', cause });
    }
    if (tried >= retries) throw error;
    await pause(wait, signal);
  }
}

/** Waits. Errors: the reason of the signal, once it aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
