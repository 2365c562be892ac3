import { type StoreInfo, type Swapfold, SwapfoldError } from '@swapfold/core';
import { findOperation, yielder } from '@swapfold/core/host';
import { type Admission, keyOf } from './admission.ts';
import { checkContentType, readBody } from './body.ts';
import { type Body, pack } from './compress.ts';
import { checkOrigin } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { inTurn } from './gate.ts';
import type { Logger } from './logger.ts';
import { visibleError } from './overload.ts';
import { parseInTurn, worked } from './parse-in-turn.ts';
import type { Route } from './route.ts';

/** A store as a caller may ask it. An open `Swapfold` is one. */
export interface AskedStore {
  readonly config: Swapfold['config'];
  readonly metrics: Swapfold['metrics'];
  /** Answers the operation of that name. Errors: the errors of the operation, and over HTTP the errors of keys, rates and places in work. */
  call(operation: string, request: unknown): Promise<unknown>;
  info(): Promise<StoreInfo>;
}

/** A request that a plugged route answers: its key is known, its body read. */
export interface PluggedRequest {
  /** The headers of the request; several of one name as one. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body. */
  readonly body: unknown;
  /** The store as the caller's key may ask it. */
  readonly store: AskedStore;
  /** Resolves when the caller's key has its next turn: for more work than some 5 ms, which would hold up everybody. */
  readonly turn: () => Promise<void>;
}

/** What a plugged route answers. */
export interface PluggedAnswer {
  readonly status: number;
  /** The `Content-Type` of the text. */
  readonly type: string;
  readonly text: string;
}

/** A route of another package, such as `/mcp` of `@swapfold/mcp`: it takes JSON by POST, from callers with a key. */
export interface PluggedRoute {
  /** From the root. */
  readonly path: string;
  answer(request: PluggedRequest): Promise<PluggedAnswer>;
}

interface Serving {
  readonly dex: Swapfold;
  readonly admission: Admission;
}

/** A store that is asked operations alone. */
export type Asked = Pick<AskedStore, 'config' | 'call'>;

/**
 * The store for a caller that has been admitted: each operation waits for its turn.
 *
 * - Errors: the errors of the operation; `forbidden` if the key may not call it; `unavailable` if too many wait.
 */
export function askedBy(exchange: Exchange, { dex, admission }: Serving): Asked {
  const { request, share } = exchange;
  const options = { signal: exchange.hungUp(), share };
  return {
    config: dex.config,
    call(name, given) {
      admission.callerOf(keyOf(request), request, name);
      return inTurn(exchange, admission.gates[findOperation(name).cost], () => dex.call(name, given, options));
    },
  };
}

/** What plugged routes share with their server. */
export interface Plugging extends Serving {
  /** Origins whose pages may call, in addition to this host. */
  readonly cors: readonly string[];
  readonly logger: Logger;
}

/** The route of a plugged one. One request of the caller's rate pays for the first operation that it asks for, each later one costs another. */
export function pluggedRoute({ path, answer }: PluggedRoute, plugging: Plugging): Route {
  const { admission, cors } = plugging;
  return {
    path,
    methods: ['POST'],
    async answer(exchange): Promise<Body> {
      const { request } = exchange;
      checkOrigin(request, cors, 'call');
      admission.admit(exchange, undefined);
      checkContentType(request.headers);
      const { share } = exchange;
      admission.plugged.check(share);
      const body = await readBody(request, { budget: admission.bodies, share });
      try {
        return await inTurn(exchange, admission.plugged, async () => {
          const asked = {
            headers: headersOf(exchange),
            body: await parseInTurn(body, share),
            store: storeFor(exchange, plugging),
            turn: yielder({ share, signal: exchange.hungUp() }).take,
          };
          // One that never answers must not keep what is held for a caller who has gone.
          const { status, type, text } = await unlessHungUp(
            exchange,
            worked(share, () => answer(asked)),
          );
          exchange.status = status;
          if (text !== '') exchange.headers['Content-Type'] = type;
          return await pack(exchange, text);
        });
      } finally {
        admission.bodies.add(share, -body.length);
      }
    },
  };
}

async function unlessHungUp<R>(exchange: Exchange, work: Promise<R>): Promise<R> {
  const signal = exchange.hungUp();
  let stop: () => void = () => undefined;
  const gone = new Promise<never>((_, reject) => {
    stop = () => reject(new SwapfoldError('aborted', 'The caller hung up.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, gone]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}

function storeFor(exchange: Exchange, { dex, admission, logger }: Plugging): AskedStore {
  const { request, requestId } = exchange;
  const asked = askedBy(exchange, { dex, admission });
  let isPaid = true;
  /** Of a failure of ours the caller learns only that there was one, as on every route. */
  const visibly = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (err) {
      const visible = visibleError(err);
      const isOurs = visible !== err && !(err instanceof SwapfoldError && err.code === 'aborted');
      if (isOurs) logger.error({ request_id: requestId, err }, 'a call of a plugged route failed');
      throw visible;
    }
  };
  return {
    ...asked,
    metrics: dex.metrics,
    call: (name, given) =>
      visibly(() => {
        if (!isPaid) admission.admitCall(keyOf(request), request, name);
        isPaid = false;
        return asked.call(name, given);
      }),
    info: () => visibly(() => inTurn(exchange, admission.gates.scan, () => dex.info())),
  };
}

function headersOf({ request }: Exchange): Record<string, string> {
  const all = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return Object.fromEntries(all);
}
