import type * as v from 'valibot';
import type { profileWindows } from '../bag/windows.ts';
import type { OwnMetricName, PositionMetricName, TokenMetricName, WalletMetricName } from '../metrics/names.ts';
import type { ProfileOptions } from '../profiles/sections/sections.ts';
import type { HoldingField } from '../queries/explain-holding.ts';
import type { RecordField } from '../queries/explain-record.ts';
import type { MetricExplanation } from '../queries/explain-schema.ts';
import type { SearchAnswer } from '../queries/profiles.ts';
import type { PositionProfile, TokenProfile, WalletProfile } from '../queries/serve-profile.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type { PositionSearch, TokenSearch, WalletSearch } from '../search/types.ts';
import type { CallOptions } from '../storage/abortable.ts';
import type { TimeInput } from '../time.ts';
import type { Share } from '../yielder.ts';
import { type ListedOperation, questions } from './operations.ts';

/** How a single question is asked. */
export interface QueryOptions extends CallOptions {
  /** The answer is as if no later swap had happened; registries are today's. Default: the configured clock. */
  readonly asOf?: TimeInput | undefined;
  /** Who asks: those who share the thread have turns by what each has worked (`newShare`). Default: the process itself. */
  readonly share?: Share | undefined;
}

/** A method of an operation: the request may be left out if none of its fields is required. */
export type Method<Input, Output> =
  Record<never, never> extends Input
    ? (request?: Input, options?: QueryOptions) => Promise<Output>
    : (request: Input, options?: QueryOptions) => Promise<Output>;

/** The methods of the operations whose names their types say: `prices.candles` is `candles` of `prices`. */
type MethodsOf<O extends ListedOperation> = {
  readonly [Group in GroupOf<O>]: {
    readonly [One in O as One['name'] extends `${Group}.${infer Key}` ? Key : never]: Method<
      InputOf<One>,
      Awaited<ReturnType<One['run']>>
    >;
  };
};

type GroupOf<O> = O extends { readonly name: `${infer Group}.${string}` } ? Group : never;
type InputOf<O extends ListedOperation> = v.InferInput<ReturnType<O['request']>>;

/** A method that searches profiles: without a request, the first page of all. */
export type SearchMethod<Kind extends ProfileKind, Input, Profile> = (
  request?: Input & { readonly options?: ProfileOptions<Kind> },
  options?: CallOptions,
) => Promise<SearchAnswer<Profile>>;

/** Argument of the methods `explain`. */
export interface ExplainCall<Kind extends ProfileKind, Name extends string> {
  /** The path below the window. */
  readonly metric: Name;
  readonly window: (typeof profileWindows)[Kind][number];
  readonly limit?: number;
  readonly cursor?: string;
}

/** The questions about profiles of a kind, of which `Subject` names one and `Call` what is explained of it. */
export interface ProfileMethods<Kind extends ProfileKind, Subject, Search, Of, Call> {
  /** One page of the stored profiles that match. */
  readonly search: SearchMethod<Kind, Search, Of>;
  readonly get: Method<Subject & { readonly options?: ProfileOptions<Kind> }, Of>;
  /** What a metric is made of. */
  readonly explain: Method<Subject & Call, MetricExplanation>;
}

/**
 * The operations as methods: requests and answers are those of the HTTP routes. `Own` are metrics of the embedder, such as
 * `wallets.my_metric`.
 */
export interface Api<Own extends string = never> extends MethodsOf<ListedOperation> {
  readonly tokens: ProfileMethods<
    'tokens',
    { readonly token: string },
    TokenSearch<TokenMetricName | OwnMetricName<'tokens', Own>>,
    TokenProfile<Own>,
    ExplainCall<'tokens', TokenMetricName | OwnMetricName<'tokens', Own>>
  > &
    Pick<MethodsOf<ListedOperation>['tokens'], 'history'>;
  /** A field of the record has no window. */
  readonly wallets: ProfileMethods<
    'wallets',
    { readonly wallet: string },
    WalletSearch<WalletMetricName | OwnMetricName<'wallets', Own>>,
    WalletProfile<Own>,
    | ExplainCall<'wallets', WalletMetricName | OwnMetricName<'wallets', Own>>
    | Omit<ExplainCall<'wallets', RecordField>, 'window'>
  > &
    Pick<MethodsOf<ListedOperation>['wallets'], 'history'>;
  /** What is unrealised of a holding has no window. */
  readonly positions: ProfileMethods<
    'positions',
    { readonly wallet: string; readonly token: string },
    PositionSearch<PositionMetricName | OwnMetricName<'positions', Own>>,
    PositionProfile<Own>,
    | ExplainCall<'positions', PositionMetricName | OwnMetricName<'positions', Own>>
    | Omit<ExplainCall<'positions', HoldingField>, 'window'>
  >;
}

/** The name of an operation, such as `wallets.search`. */
export type OperationName = {
  readonly [Group in keyof Api & string]: `${Group}.${keyof Api[Group] & string}`;
}[keyof Api & string];

type MethodNamed<Name extends OperationName, Own extends string> = {
  readonly [Group in keyof Api<Own> & string]: Name extends `${Group}.${infer Key}`
    ? Key extends keyof Api<Own>[Group]
      ? Api<Own>[Group][Key]
      : never
    : never;
}[keyof Api<Own> & string];

/** The request of an operation by its name, such as `RequestOf<'prices.candles'>`; `unknown` for a name that is known only when it runs. */
export type RequestOf<Name extends string, Own extends string = never> = Name extends OperationName
  ? MethodNamed<Name, Own> extends (request: infer Request, options?: QueryOptions) => Promise<unknown>
    ? Exclude<Request, undefined>
    : never
  : unknown;

/** The answer of an operation by its name, as of `RequestOf`. */
export type AnswerOf<Name extends string, Own extends string = never> = Name extends OperationName
  ? MethodNamed<Name, Own> extends (request: never, options?: QueryOptions) => Promise<infer Answer>
    ? Answer
    : never
  : unknown;

/** The operations as methods over `call`, which answers one by name. */
export function apiOver<Own extends string = never>(
  call: (name: string, request: unknown, options?: QueryOptions) => Promise<unknown>,
): Api<Own> {
  const api: Record<string, Record<string, Method<object, unknown>>> = {};
  for (const { name } of questions) {
    const [group, method] = name.split('.') as [string, string];
    api[group] = { ...api[group], [method]: (request = {}, options = {}) => call(name, request, options) };
  }
  return api as unknown as Api<Own>;
}
