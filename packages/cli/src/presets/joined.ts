import { type Step, textsOf } from './shaping.ts';

/** A field of texts that are joined, without those that are missing. */
export function joined(field: string, columns: readonly (string | undefined)[], between: string): Step {
  return (shaping) => {
    const texts = columns.map((column) => textsOf(shaping, column));
    const dictionary: string[] = [];
    const known = new Map<string, number>();
    const ids = new Int32Array(shaping.length);
    for (let row = 0; row < ids.length; row++) {
      const parts = texts.map((textAt) => textAt(row)).filter((text) => text !== null);
      const text = parts.join(between);
      let id = known.get(text);
      if (id === undefined) {
        id = parts.length === 0 ? -1 : dictionary.push(text) - 1;
        known.set(text, id);
      }
      ids[row] = id;
    }
    return { [field]: { dictionary, ids } };
  };
}
