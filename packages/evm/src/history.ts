import type { Blocks, Header } from './blocks.ts';
import { Inconsistent } from './blocks.ts';
import type { Logs } from './logs.ts';
import type { ReadSwaps, SwapReader } from './swap-reader.ts';

/** Ranges that are fetched while one is being stored. */
const AHEAD = 3;

export interface Reading {
  readonly blocks: Blocks;
  readonly logs: Logs;
  readonly reader: SwapReader;
}

/** The swaps of blocks that follow each other. */
export interface ReadRange extends ReadSwaps {
  readonly first: Header;
  readonly last: Header;
}

/**
 * Blocks so far below the newest one that the chain does not change there: range by range, the next ones fetched while one is stored.
 *
 * - Errors: `Inconsistent` if the node does not have the blocks.
 */
export async function* readHistory(reading: Reading, from: number, to: number): AsyncGenerator<ReadRange> {
  const ahead: Promise<ReadRange>[] = [];
  let next = from;
  for (;;) {
    while (ahead.length < AHEAD && next <= to) {
      const end = Math.min(to, next + reading.logs.size - 1);
      const range = readRange(reading, next, end);
      // Whoever takes the range sees the error; until then it is nobody's.
      range.catch(() => undefined);
      ahead.push(range);
      next = end + 1;
    }
    const range = ahead.shift();
    if (range === undefined) return;
    yield await range;
  }
}

async function readRange({ blocks, logs, reader }: Reading, from: number, to: number): Promise<ReadRange> {
  const [found, [first, last]] = await Promise.all([logs.ofRange(from, to), blocks.headers([from, to])]);
  if (first === undefined || last === undefined) throw new Inconsistent(`The node does not have block ${to} yet.`);
  return { first, last, ...(await reader.read(found, undefined)) };
}
