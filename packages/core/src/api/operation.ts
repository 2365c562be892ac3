import type { Config } from '../config.ts';
import { type Fault, faultError } from '../faults.ts';
import type { KnownState, QueryContext } from '../queries/context.ts';
import type { ReadCost } from '../storage/adapter.ts';
import { datesAsText } from '../time.ts';
import { type RequestSchema, readRequest } from './request.ts';

/**
 * One operation of the interface: what HTTP, the command line and the in-process methods share.
 *
 * - `name`: how code calls it (`prices.candles`); `path`: its route after `/v1/{chain}/dex`.
 * - `description`, `example`: what the OpenAPI description says of it, and a body for it on the chain of a configuration.
 * - `cost`: what it asks of a store where the answer is not kept in memory.
 * - `run`: checks the body and answers it from one consistent state.
 */
export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly example: (config: Config) => object;
  readonly schema: (config: Config) => RequestSchema<unknown>;
  readonly cost: (body: unknown, known: KnownState) => ReadCost;
  readonly run: (context: QueryContext, body: unknown) => Promise<unknown>;
}

/** An operation as the table lists it, from what its declaration says. */
export function operation<T>(declared: {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly example: (config: Config) => object;
  readonly schema: (config: Config) => RequestSchema<T>;
  /** For a body that is yet to be checked. Default 'scan'. */
  readonly cost?: ReadCost | Operation['cost'];
  /** Finds what the schema leaves to `answer` to find, in a request that is at fault already, so that all faults come at once. */
  readonly alsoWrong?: (context: QueryContext, right: Partial<T>) => readonly Fault[] | Promise<readonly Fault[]>;
  readonly answer: (context: QueryContext, request: T) => Promise<unknown>;
}): Operation {
  const { answer, alsoWrong = () => [], cost = 'scan', ...rest } = declared;
  const schemas = new WeakMap<Config, RequestSchema<T>>();
  function schemaOf(config: Config): RequestSchema<T> {
    const known = schemas.get(config);
    if (known !== undefined) return known;
    const made = declared.schema(config);
    schemas.set(config, made);
    return made;
  }
  async function refuse(context: QueryContext, right: Partial<T>, faults: readonly Fault[]): Promise<never> {
    throw faultError([...faults, ...(await alsoWrong(context, right))]);
  }
  return {
    ...rest,
    cost: typeof cost === 'function' ? cost : () => cost,
    run(context, body) {
      const { request, faults } = readRequest(schemaOf(context.config), datesAsText(body));
      return faults.length === 0 ? answer(context, request as T) : refuse(context, request, faults);
    },
  };
}
