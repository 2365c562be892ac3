import { type ErrorCode, SwapfoldError } from './errors.ts';
import { didYouMean, show } from './nearest.ts';
import { type CallOptions, checkSignal } from './storage/abortable.ts';

/** The names of an options object, so that none is forgotten where they are checked. */
export type OptionNames<T extends object> = Readonly<Record<keyof T, true>>;

/**
 * Refuses options of a name that nobody reads: a slip would otherwise be the default.
 *
 * - `of`: whose options they are, as messages name it.
 * - Errors: `invalid-config`, or `code`, for an unknown name, and for what is no object.
 */
export function checkOptions<T extends object>(
  of: string,
  given: T,
  names: OptionNames<T>,
  code: ErrorCode = 'invalid-config',
): void {
  if (typeof given !== 'object' || given === null)
    throw new SwapfoldError(code, `Give the options of ${of} as an object, not ${show(given)}.`);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(names, name)) continue;
    const known = Object.keys(names);
    const hint = didYouMean(name, known) || ` Known are: ${known.join(', ')}.`;
    throw new SwapfoldError(code, `Unknown option "${name}" of ${of}.${hint}`, {
      details: [{ path: name, message: 'unknown option' }],
    });
  }
}

/** Refuses a number of bytes that is none. Errors: `invalid-config`. */
export function checkBytes(path: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return;
  const message = `expected bytes, a number from 0, received ${show(value)}`;
  throw new SwapfoldError('invalid-config', `"${path}": ${message}.`, { details: [{ path, message }] });
}

/** Refuses options of a call that do not exist, and a signal that is none. Errors: `invalid-input`. */
export function checkCallOptions<T extends CallOptions>(of: string, call: T, names: OptionNames<T>): void {
  checkOptions(of, call, names, 'invalid-input');
  checkSignal(call.signal);
}
