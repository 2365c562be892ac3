import { Inconsistent } from './blocks.ts';
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

async function readRange({ blocks, logs, reader }: Reading, from: number, to: number): Promise<Piece> {
  const [found, [first, last]] = await Promise.all([logs.ofRange(from, to), blocks.headers([from, to])]);
  if (first === undefined || last === undefined) throw new Inconsistent(`The node does not have block ${to} yet.`);
  return { first, chain: [last], ...(await reader.read(found, undefined)) };
}
