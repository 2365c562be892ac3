import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import type { Source, SourceItem } from '@swapfold/core';
import { readFailure } from '@swapfold/files';
import { gather } from './gather.ts';
import { endOfLines, LineReader, type RowOptions } from './read-lines.ts';

/** NDJSON of standard input, which ends with it. It has no place to go on from: the identity of swaps tells what is known. */
export function standardInput(options: RowOptions, input: AsyncIterable<Buffer> = process.stdin): Source {
  return {
    name: '-',
    read: (_, { signal }) => itemsOf(input, { name: '-', signal, options }),
  };
}

/** NDJSON of a FIFO: it is opened again whenever its last writer has closed it. */
export function fifo(path: string, options: RowOptions): Source {
  return {
    name: path,
    async *read(_, { signal }) {
      // Held between two writers: without a reader, what the next one writes would be lost.
      const held = openFifo(path);
      try {
        while (!signal.aborted) {
          const chunks = new Socket({ fd: openFifo(path), readable: true, writable: false });
          yield* itemsOf(chunks, { name: path, signal, options });
        }
      } finally {
        closeSync(held);
      }
    },
  };
}

/** Waits for no writer: a thread that waits within the system cannot be stopped, and keeps the process from its end. */
function openFifo(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw readFailure(path, error);
  }
}

/** The chunks; ends without an error if the signal aborts. A stream is closed then, also one for which nothing comes. */
async function* untilAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (chunks instanceof Readable) addAbortSignal(signal, chunks);
  try {
    for await (const chunk of chunks) {
      if (signal.aborted) return;
      yield chunk;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Reading {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly options: RowOptions;
}

async function* itemsOf(chunks: AsyncIterable<Buffer>, { name, signal, options }: Reading): AsyncGenerator<SourceItem> {
  const reader = new LineReader(name, options);
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  async function* items(lines: Buffer): AsyncGenerator<SourceItem> {
    read += lines.length;
    for (const rows of await reader.swapsOf(lines)) yield { rows, place: String(read) };
  }
  for await (const piece of gather(untilAborted(chunks, signal))) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = endOfLines(bytes);
    rest = bytes.subarray(end);
    if (end > 0) yield* items(bytes.subarray(0, end));
  }
  // The last line may lack its end, unless it was left in its midst.
  if (rest.length > 0 && !signal.aborted) yield* items(rest);
}
