import type { Config } from '../config.ts';
import { type Fault, faultError } from '../faults.ts';
import type { GivenSwap, GivenTransfer } from '../ingest/columns.ts';
import type { IngestResult, RollbackResult, TransfersResult } from '../ingest-result.ts';
import type { StoreStatus } from '../live/source.ts';
import type { ResponseContext } from '../profiles/sections/section.ts';
import type { QueryContext } from '../queries/context.ts';
import type { RefreshResult } from '../refresh/write.ts';
import type { PricesResult } from '../registry/price-warnings.ts';
import type { PriceInput } from '../registry/reference-prices.ts';
import type { TokenInput, UpsertResult, WalletInput } from '../registry/registry.ts';
import type { ResponseSchema } from '../response.ts';
import type { CallOptions } from '../storage/abortable.ts';
import type { RefreshOptions, RollbackOptions } from '../swapfold-options.ts';
import { datesAsText } from '../time.ts';
import { parseRequest, type RequestSchema, readRequest } from './request.ts';

/**
 * What an operation may ask of a store.
 *
 * - `point`: some rows by their keys.
 * - `page`: as `point`, unless the operation finds that its request needs more (`QueryContext.requireScan`).
 * - `scan`: any number of rows.
 * - `write`: a transaction, in its turn among the writes.
 * - `refresh`: to fold profiles, beside writes.
 */
export type OperationCost = 'point' | 'page' | 'scan' | 'write' | 'refresh';

/**
 * One operation of the interface: what HTTP, the command line and the in-process methods share.
 *
 * - `name`: how code calls it (`prices.candles`); `path`: its route after `/v1/{chain}`.
 * - `description`, `example`: what the OpenAPI description says of it, and a body for it on the chain of a configuration.
 * - `request`, `response`: the schema of the body, and that of the answer. `returns` says what the answer is.
 * - `cost`: what it may ask of a store, whatever the request. `canMiss`: its answer may be the error `not-found`.
 * - `write`: of one that writes; one without it asks, and `dex.call(name, body)` answers it.
 *
 * `Input` is the type of the body as a caller writes it.
 */
export interface Operation<Name extends string = string, Input = unknown> {
  readonly name: Name;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly example: (config: Config) => object;
  readonly request: (config: Config) => RequestSchema<unknown, Input>;
  readonly returns: string;
  readonly response: (store: ResponseContext) => ResponseSchema;
  readonly cost: OperationCost;
  readonly canMiss?: true;
  readonly write?: {
    /** A key needs one of them among its `operations`. The first is the operation's own. */
    readonly grants: readonly [own: string, ...others: string[]];
    /** Whether the body is a list of what `request` describes, as JSON or NDJSON. Each row is checked by itself. */
    readonly takesRows: boolean;
    readonly run: (
      store: WritableStore,
      sent: unknown,
      options: Parameters<WritableStore['ingest']>[1],
    ) => Promise<object>;
  };
}

/** The write side of a store. An open `Swapfold` is one. */
export interface WritableStore {
  readonly config: Config;
  readonly tokens: { upsert(rows: readonly TokenInput[], options: CallOptions): Promise<UpsertResult> };
  readonly wallets: { upsert(rows: readonly WalletInput[], options: CallOptions): Promise<UpsertResult> };
  readonly prices: { upsert(rows: readonly PriceInput[], options: CallOptions): Promise<PricesResult> };
  /** `maxAhead`: seconds that a swap may be later than the clock; later ones are rejected. */
  ingest(
    swaps: readonly GivenSwap[],
    options: CallOptions & { readonly maxAhead?: number | undefined },
  ): Promise<IngestResult>;
  readonly transfers: {
    ingest(
      transfers: readonly GivenTransfer[],
      options: CallOptions & { readonly maxAhead?: number | undefined },
    ): Promise<TransfersResult>;
  };
  rollback(call: RollbackOptions): Promise<RollbackResult>;
  refresh(call: RefreshOptions): Promise<RefreshResult>;
  status(): Promise<StoreStatus>;
}

/** A question as a store runs it: `run` checks the body and answers it from one consistent state. */
export interface RunnableOperation<Name extends string = string, Input = unknown, Output = unknown>
  extends Operation<Name, Input> {
  readonly run: (context: QueryContext, body: unknown) => Promise<Output>;
}

interface Declared<Name extends string, Input, T, Output>
  extends Omit<Operation<Name>, 'request' | 'response' | 'write'> {
  readonly request: (config: Config) => RequestSchema<T, Input>;
  readonly response: (store: ResponseContext) => ResponseSchema<Readonly<NoInfer<Output>>>;
  /** Finds what the schema leaves to `answer` to find, in a request that is at fault already, so that all faults come at once. */
  readonly alsoWrong?: (context: QueryContext, right: Partial<T>) => readonly Fault[] | Promise<readonly Fault[]>;
  readonly answer: (context: QueryContext, request: T) => Promise<Output>;
}

/** A question as the table lists it, from what its declaration says. */
export function question<const Name extends string, Input, T, Output>(
  declared: Declared<Name, Input, T, Output>,
): RunnableOperation<Name, Input, Output> {
  const { answer, alsoWrong = () => [], ...rest } = declared;
  const schemas = new WeakMap<Config, RequestSchema<T>>();
  function schemaOf(config: Config): RequestSchema<T> {
    const known = schemas.get(config);
    if (known !== undefined) return known;
    const made = declared.request(config);
    schemas.set(config, made);
    return made;
  }
  async function refuse(context: QueryContext, right: Partial<T>, faults: readonly Fault[]): Promise<never> {
    throw faultError([...faults, ...(await alsoWrong(context, right))]);
  }
  return {
    ...rest,
    run(context, body) {
      const { request, faults } = readRequest(schemaOf(context.config), datesAsText(body));
      return faults.length === 0 ? answer(context, request as T) : refuse(context, request, faults);
    },
  };
}

type WriteOptions = Parameters<WritableStore['ingest']>[1];

/** An operation that writes. */
export type WriteOperation<Name extends string = string> = Operation<Name> & Required<Pick<Operation, 'write'>>;

interface DeclaredWrite<Name extends string, Sent, Output>
  extends Omit<Operation<Name>, 'request' | 'response' | 'write'> {
  /** What a key needs among its `operations`. */
  readonly grant: string;
  readonly response: () => ResponseSchema<Readonly<NoInfer<Output>>>;
  readonly answer: (store: WritableStore, sent: Sent, options: WriteOptions) => Promise<Output>;
}

/** A write as the table lists it, from what its declaration says. */
export function write<const Name extends string, T, Output extends object>({
  grant,
  answer,
  ...rest
}: DeclaredWrite<Name, T, Output> & { readonly request: () => RequestSchema<T> }): WriteOperation<Name> {
  return {
    ...rest,
    write: {
      grants: [grant],
      takesRows: false,
      run: async (store, sent, options) => answer(store, parseRequest(rest.request(), sent), options),
    },
  };
}

/** In `operations` of a key: it may send any rows. */
const ANY_ROWS = 'ingest';

/** As `write`, of rows: `request` is the schema of one, for descriptions, and `answer` checks them. */
export function writeOfRows<const Name extends string, Row, Output extends object>({
  grant,
  answer,
  ...rest
}: DeclaredWrite<Name, readonly Row[], Output> & {
  readonly request: (config: Config) => RequestSchema<unknown, Row>;
}): WriteOperation<Name> {
  return {
    ...rest,
    write: {
      grants: [grant, ANY_ROWS],
      takesRows: true,
      run: (store, sent, options) => answer(store, sent as readonly Row[], options),
    },
  };
}
