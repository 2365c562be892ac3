import { type Share, type Work, yielder } from '@swapfold/core/host';
import { LastingText } from './compress.ts';

const texts = new WeakMap<object, LastingText>();

/** Items of a list that are written before others may have their turn. */
const PIECE = 8;

/**
 * The JSON of an answer, written in turns of the event loop if it is long. A list that is frozen, as candles that stay the same are, is
 * written once and lives as long as the list.
 */
export function answerText(answer: unknown, share: Share): string | LastingText | Promise<string | LastingText> {
  const items = longestOf(answer);
  if (items <= PIECE) return JSON.stringify(answer);
  const known = texts.get(answer as object);
  return known ?? yielder({ share }).run(write(answer as object));
}

function* write(answer: object): Work<string | LastingText> {
  const text = Array.isArray(answer) ? yield* writeList(answer) : yield* writePage(answer);
  if (!(Array.isArray(answer) && Object.isFrozen(answer))) return text;
  const lasting = new LastingText(text);
  texts.set(answer, lasting);
  return lasting;
}

/** An object of lists, such as a page with its `data`. */
function* writePage(page: object): Work<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(page)) {
    if (value === undefined) continue;
    fields.push(`${JSON.stringify(name)}:${Array.isArray(value) ? yield* writeList(value) : JSON.stringify(value)}`);
  }
  return `{${fields.join()}}`;
}

function* writeList(list: readonly unknown[]): Work<string> {
  const pieces: string[] = [];
  for (let from = 0; from < list.length; from += PIECE) {
    pieces.push(JSON.stringify(list.slice(from, from + PIECE)).slice(1, -1));
    yield;
  }
  return `[${pieces.join()}]`;
}

/** Items of the longest list that is the answer, or a field of it. */
function longestOf(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  return Object.values(Object(answer)).reduce(
    (most: number, value) => (Array.isArray(value) ? Math.max(most, value.length) : most),
    0,
  );
}
