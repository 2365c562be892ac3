import { type Header, Inconsistent } from './blocks.ts';
import type { Log } from './event-kinds.ts';
import type { NextPiece, Piece, Reading } from './pieces.ts';

/**
 * Blocks so far below the newest one that the chain does not change there, range by range.
 *
 * - Errors: `Inconsistent` if the node does not have the blocks.
 */
export function readHistory(reading: Reading, from: number, to: number): NextPiece {
  let next = from;
  return () => {
    if (next > to) return undefined;
    const start = next;
    const end = Math.min(to, start + reading.logs.size - 1);
    next = end + 1;
    return readRange(reading, start, end);
  };
}

async function readRange(reading: Reading, from: number, to: number): Promise<Piece> {
  const { logs, reader } = reading;
  const [found, [first, last]] = await Promise.all([logs.ofRange(from, to), headersOf(reading, [from, to])]);
  const whole = await wholeRange(reading, found, [first, last]);
  return { first, chain: [last], ...(await reader.read(whole, undefined)) };
}

/**
 * The logs of a range. Some nodes give a part of them without a word, or none of blocks whose logs they do not have yet: if the range lacks what its
 * first or its last block has, its halves are read.
 */
async function wholeRange(
  reading: Reading,
  found: readonly Log[],
  [first, last]: readonly [Header, Header],
): Promise<readonly Log[]> {
  const { logs } = reading;
  const [from, to] = [first.number, last.number];
  const missing = (await logs.missing(found, last)) ?? (from === to ? undefined : await logs.missing(found, first));
  if (missing === undefined) return found;
  if (from === to) return missing;
  logs.cut(to - from + 1);
  const middle = Math.floor((from + to) / 2);
  const [endOfFirst, startOfLast] = await headersOf(reading, [middle, middle + 1]);
  return [
    ...(await wholeRange(reading, await logs.ofRange(from, middle), [first, endOfFirst])),
    ...(await wholeRange(reading, await logs.ofRange(middle + 1, to), [startOfLast, last])),
  ];
}

async function headersOf({ blocks }: Reading, numbers: readonly [number, number]): Promise<readonly [Header, Header]> {
  const [first, last] = await blocks.headers(numbers);
  if (first === undefined || last === undefined)
    throw new Inconsistent(`The node does not have block ${numbers[1]} yet.`);
  return [first, last];
}
