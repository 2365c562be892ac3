import { createHash } from 'node:crypto';
import { numbersOf, type Step, textsOf } from './shaping.ts';

/** Places within an outer instruction: 0 is the outer one itself. */
const INNER = 4096;
const MOST_INDEX = 2 ** 31 - 1;

/** One or two numbers after the last hyphens of a text. */
const ending = /-(\d+)(?:-(\d+))?$/;

/** A place of two parts as one, or why it is none: outer x 4096 + (no inner ? 0 : inner + 1). `NaN` of either is missing. */
export function composedIndex(outer: number, inner: number): number | string {
  if (Number.isNaN(outer)) return Number.NaN;
  const place = Number.isNaN(inner) ? 0 : inner + 1;
  if (!Number.isInteger(outer) || outer < 0) return `of outer index ${outer} is no whole number`;
  if (!Number.isInteger(place) || place < 0) return `of inner index ${inner} is no whole number`;
  if (place >= INNER) return `of inner index ${inner} is beyond ${INNER - 2}`;
  const index = outer * INNER + place;
  return index > MOST_INDEX ? `of outer index ${outer} is beyond ${MOST_INDEX}` : index;
}

/** `swap_index` of two columns. */
export function composed(outer: string | undefined, inner: string | undefined): Step {
  return (shaping) => {
    const [outers, inners] = [numbersOf(shaping, outer), numbersOf(shaping, inner)];
    const indexes = new Float64Array(shaping.length);
    for (let row = 0; row < indexes.length; row++) {
      const index = composedIndex(outers[row]!, inners[row]!);
      if (typeof index === 'number') indexes[row] = index;
      else shaping.fault(row, 'swap_index', index);
    }
    return { swap_index: indexes };
  };
}

/** `swap_index` of the numbers at the end of a text. */
export function ofEnding(column: string | undefined): Step {
  return (shaping) => {
    const textAt = textsOf(shaping, column);
    const indexes = new Float64Array(shaping.length);
    for (let row = 0; row < indexes.length; row++) {
      const text = textAt(row);
      const [, outer, inner] = ending.exec(text ?? '') ?? [];
      const index =
        text !== null && outer === undefined
          ? `is to be at the end of ${JSON.stringify(text.slice(0, 200))}, which ends in no "-3" or "-3-1"`
          : composedIndex(Number(outer ?? Number.NaN), Number(inner ?? Number.NaN));
      if (typeof index === 'number') indexes[row] = index;
      else shaping.fault(row, 'swap_index', index);
    }
    return { swap_index: indexes };
  };
}

/**
 * `swap_index` of a source without one: the low 31 bits of the SHA-256 of the columns as they are written, one a line. The same swap has the
 * same index in every export of the source.
 */
export function ofHash(columns: readonly (string | undefined)[]): Step {
  return (shaping) => {
    const texts = columns.map((column) => textsOf(shaping, column));
    const indexes = new Float64Array(shaping.length);
    for (let row = 0; row < indexes.length; row++) {
      const written = texts.map((textAt) => textAt(row) ?? '').join('\n');
      indexes[row] = createHash('sha256').update(written).digest().readUInt32BE(28) & MOST_INDEX;
    }
    return { swap_index: indexes };
  };
}
