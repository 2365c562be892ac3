import type { Config } from '../config.ts';
import { type Fault, faultError } from '../faults.ts';
import type { ResponseContext } from '../profiles/sections/section.ts';
import type { QueryContext } from '../queries/context.ts';
import type { ResponseSchema } from '../response.ts';
import { datesAsText } from '../time.ts';
import { type RequestSchema, readRequest } from './request.ts';

/**
 * What an operation may ask of a store.
 *
 * - `point`: some rows by their keys.
 * - `page`: as `point`, unless the operation finds that its request needs more (`QueryContext.requireScan`).
 * - `scan`: any number of rows.
 */
export type OperationCost = 'point' | 'page' | 'scan';

/**
 * One operation of the interface: what HTTP, the command line and the in-process methods share.
 *
 * - `name`: how code calls it (`prices.candles`); `path`: its route after `/v1/{chain}/dex`.
 * - `description`, `example`: what the OpenAPI description says of it, and a body for it on the chain of a configuration.
 * - `request`, `response`: the schema of the body, and that of the answer, which has no other keys. `returns` says what the answer is.
 * - `cost`: what it may ask of a store, whatever the request. `canMiss`: its answer may be the error `not-found`.
 *
 * `Input` is the type of the body as a caller writes it. `dex.call(name, body)` runs an operation.
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
}

/** An operation as a store runs it: `run` checks the body and answers it from one consistent state. */
export interface RunnableOperation<Name extends string = string, Input = unknown, Output = unknown>
  extends Operation<Name, Input> {
  readonly run: (context: QueryContext, body: unknown) => Promise<Output>;
}

interface Declared<Name extends string, Input, T, Output> extends Omit<Operation<Name>, 'request' | 'response'> {
  readonly request: (config: Config) => RequestSchema<T, Input>;
  readonly response: (store: ResponseContext) => ResponseSchema<Readonly<NoInfer<Output>>>;
  /** Finds what the schema leaves to `answer` to find, in a request that is at fault already, so that all faults come at once. */
  readonly alsoWrong?: (context: QueryContext, right: Partial<T>) => readonly Fault[] | Promise<readonly Fault[]>;
  readonly answer: (context: QueryContext, request: T) => Promise<Output>;
}

/** An operation as the table lists it, from what its declaration says. */
export function operation<const Name extends string, Input, T, Output>(
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
