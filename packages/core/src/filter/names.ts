import { type Fault, MAX_FAULTS } from '../faults.ts';
import { didYouMean, show } from '../nearest.ts';

/** No name of Swapfold is longer; a longer one is shortened before anything is done with it. */
const MAX_NAME = 80;

/** A name as the path of a detail shows it: of bounded length. */
export function shortName(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 3)}...` : name;
}

export function quoted(name: string): string {
  return show(shortName(name));
}

/** ` Did you mean "x"?`, or an empty text. */
export function suggestion(name: string, known: Iterable<string>): string {
  return name.length > MAX_NAME ? '' : didYouMean(name, known);
}

const FEW = 16;

/** What helps with an unknown name: the nearest one, and all that there are, if they are few. */
export function hintOf(name: string, known: readonly string[]): string {
  return suggestion(name, known) + (known.length <= FEW ? ` Known: ${known.join(', ')}.` : '');
}

/** `a, b or c`. */
export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Notes the keys of an object of the request that are none of `known`. `at` is the path of the object, empty for the request itself. */
export function noteUnknown(given: object, known: readonly string[], at: string, faults: Fault[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    if (faults.length >= MAX_FAULTS) return;
    const message = `Unknown field ${quoted(name)}${at === '' ? '' : ` in ${at}`}.${hintOf(name, known)}`;
    const path = at === '' ? shortName(name) : `${at}.${shortName(name)}`;
    faults.push({ code: 'unknown-field', path, message });
  }
}
