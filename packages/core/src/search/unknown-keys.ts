import { type Fault, MAX_FAULTS } from '../faults.ts';
import { hintOf, quoted, shortName } from '../filter/names.ts';

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
