import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import type { Exchange } from '../exchange.ts';

/** The parameters of a request's address. */
export class Query {
  readonly #parameters: URLSearchParams;

  constructor({ request }: Exchange) {
    this.#parameters = new URLSearchParams(/\?([^#]*)/.exec(request.url ?? '')?.[1] ?? '');
  }

  /** A parameter that is there and not empty. */
  find(name: string): string | undefined {
    return this.#parameters.get(name) || undefined;
  }

  /** Errors: `invalid-request` for one that is missing. */
  text(name: string): string {
    const found = this.find(name);
    if (found === undefined) throw faultOf(name, 'is required');
    return found;
  }

  /** A whole number from `least` to `most`. Errors: `invalid-request`. */
  whole(name: string, least: number, most: number): number {
    return this.findWhole(name, least, most) ?? Number(this.text(name));
  }

  /** As `whole`, if it is there. */
  findWhole(name: string, least: number, most: number): number | undefined {
    const found = this.find(name);
    if (found === undefined) return undefined;
    const value = Number(found);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw faultOf(name, `expected a whole number from ${least} to ${most}, received ${show(found)}`);
  }
}

function faultOf(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-request', `"${path}": ${message}.`, { details: [{ path, message }] });
}
