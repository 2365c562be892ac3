import { type Header, Inconsistent } from './blocks.ts';
import type { NextPiece, Piece, Reading } from './pieces.ts';
import { readWhole } from './read-whole.ts';

/** Blocks of a piece. */
const SIZE = 32;

/**
 * Blocks near the newest one, `head`, each read by its hash along the chain of their parents.
 *
 * - Errors: `Inconsistent` if the node does not have the blocks, or blocks of a piece that do not follow each other.
 */
export function readTip(reading: Reading, from: number, to: number, head: Header): NextPiece {
  let next = from;
  return () => {
    if (next > to) return undefined;
    const start = next;
    const end = Math.min(to, start + SIZE - 1);
    next = end + 1;
    return readBlocks(reading, start, end, head);
  };
}

async function readBlocks(reading: Reading, from: number, to: number, head: Header): Promise<Piece> {
  const { blocks, logs } = reading;
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const headers = from === to && from === head.number ? [head] : await blocks.headers(numbers);
  const chain: Header[] = [];
  for (const header of headers) {
    if (header === undefined) throw new Inconsistent(`The node does not have block ${to} yet.`);
    const parent = chain.at(-1);
    if (parent !== undefined && header.parentHash !== parent.hash)
      throw new Inconsistent(`Block ${header.number} does not follow block ${parent.number}.`);
    chain.push(header);
  }
  const read = await readWhole(reading, await logs.ofBlocks(chain), to);
  const transfers = await reading.transfers?.read((logs) => logs.ofBlocks(chain));
  return { first: chain[0]!, chain, ...read, transfers: transfers ?? [] };
}
