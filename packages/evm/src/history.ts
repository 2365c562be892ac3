import type { NextPiece, Piece, Reading } from './pieces.ts';
import { readWhole } from './read-whole.ts';
import { headersOf, wholeRange } from './whole-range.ts';

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
  const [found, [first, last]] = await Promise.all([reading.logs.ofRange(from, to), headersOf(reading, [from, to])]);
  const whole = await wholeRange(reading, found, [first!, last!]);
  const read = await readWhole(reading, whole, undefined);
  const transfers = await reading.transfers?.read(async (logs) =>
    wholeRange({ ...reading, logs }, await logs.ofRange(from, to), [first!, last!]),
  );
  return { first: first!, chain: [last!], ...read, transfers: transfers ?? [] };
}
