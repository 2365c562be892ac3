import { type Header, Inconsistent } from './blocks.ts';
import type { Log } from './event-kinds.ts';
import type { Reading } from './pieces.ts';
import { numberOf } from './words.ts';

/** Blocks without logs whose headers are looked at, and how many of them may need their receipts. */
const LOOKED_AT = 64;
const DOUBTED = 4;
/** Milliseconds until a node is asked again whose logs are not there. */
const WAIT = 250;

/**
 * The logs of a range, of which `found` is what the node gave; `undefined` if the range is to be halved. Some nodes give a part of them without a word, or none of blocks whose logs they do
 * not have yet:
 *
 * - Behind the last log that came, the node is asked once more. If it has more, it cuts its answers, and the rest is read likewise.
 * - Of blocks without a log in front and behind, blooms say whether there has to be one: of each if they are few, else of some. If the receipts
 *   of one have what its bloom says, the halves of the range are read.
 * - What is read in parts is whole because each part is, the last block of what a node has cut as well.
 * - Errors: `Inconsistent` if the receipts of such a block lack it as well.
 */
export async function wholeRange(
  reading: Reading,
  found: readonly Log[] | undefined,
  [first, last]: readonly [Header, Header],
): Promise<readonly Log[]> {
  const { logs } = reading;
  const [from, to] = [first.number, last.number];
  if (found === undefined) return halves(reading, [first, last]);
  if (from === to) return found.length > 0 ? found : ((await logs.missing(last)) ?? found);
  const [lowest, highest] = ends(found) ?? [to + 1, from - 1];
  if (found.length > 0 && to - highest > DOUBTED) {
    const more = await logs.ofRange(highest + 1, to);
    if (more === undefined || more.length > 0) {
      logs.cut(highest - from + 1);
      const [own, next] = await headersOf(reading, [highest, highest + 1]);
      // Its own logs may be cut as well.
      const ofHighest = await wholeRange(reading, await logs.ofRange(highest, highest), [own!, own!]);
      const before = found.filter(({ blockNumber }) => numberOf(blockNumber) < highest);
      return [...before, ...ofHighest, ...(await wholeRange(reading, more, [next!, last]))];
    }
  }
  const isLacking =
    (await lacks(reading, [Math.max(from, highest + 1), to], [first, last])) ||
    (await lacks(reading, [from, Math.min(lowest - 1, highest)], [first, last]));
  if (!isLacking) return found;
  logs.cut(to - from + 1);
  await reading.pause(WAIT);
  return halves(reading, [first, last]);
}

async function halves(reading: Reading, [first, last]: readonly [Header, Header]): Promise<readonly Log[]> {
  const { logs } = reading;
  const [from, to] = [first.number, last.number];
  const middle = Math.floor((from + to) / 2);
  const [endOfFirst, startOfLast] = await headersOf(reading, [middle, middle + 1]);
  return [
    ...(await wholeRange(reading, await logs.ofRange(from, middle), [first, endOfFirst!])),
    ...(await wholeRange(reading, await logs.ofRange(middle + 1, to), [startOfLast!, last])),
  ];
}

/** The lowest and the highest block of logs. */
function ends(logs: readonly Log[]): readonly [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, -1];
  for (const { blockNumber } of logs) {
    const number = numberOf(blockNumber);
    [low, high] = [Math.min(low, number), Math.max(high, number)];
  }
  return high < 0 ? undefined : [low, high];
}

/** Whether blocks of which no log came have one. `known`: headers of blocks that need not be asked for. */
async function lacks(
  reading: Reading,
  [from, to]: readonly [number, number],
  known: readonly Header[],
): Promise<boolean> {
  if (from > to) return false;
  const numbers = spread(from, to, LOOKED_AT);
  const unknown = numbers.filter((number) => known.every((header) => header.number !== number));
  const headers = [...known, ...(unknown.length === 0 ? [] : await headersOf(reading, unknown))];
  const doubtful = numbers
    .map((number) => headers.find((header) => header.number === number)!)
    .filter((header) => reading.logs.mayHold(header));
  for (const at of spread(0, doubtful.length - 1, DOUBTED).reverse())
    if ((await reading.logs.missing(doubtful[at]!)) !== undefined) return true;
  return false;
}

/** At most so many whole numbers, evenly from one to another, both among them. */
function spread(from: number, to: number, most: number): number[] {
  const count = Math.min(most, to - from + 1);
  return Array.from({ length: count }, (_, i) => from + Math.round((i * (to - from)) / Math.max(1, count - 1)));
}

/** Headers by number. Errors: `Inconsistent` if the node does not have one. */
export async function headersOf({ blocks }: Reading, numbers: readonly number[]): Promise<Header[]> {
  return (await blocks.headers(numbers)).map((header, i) => {
    if (header === undefined) throw new Inconsistent(`The node does not have block ${numbers[i]} yet.`);
    return header;
  });
}
