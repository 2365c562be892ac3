import { createReadStream } from 'node:fs';
import type { Source, SourceItem } from '@swapfold/core';
import { gather } from './gather.ts';
import { endOfLines, LineReader, type RowOptions } from './read-lines.ts';

/** NDJSON of standard input, which ends with it. It has no place to go on from: the identity of swaps tells what is known. */
export function standardInput(options: RowOptions, input: AsyncIterable<Buffer> = process.stdin): Source {
  return {
    name: '-',
    read: (_, { signal }) => itemsOf(untilAborted(input, signal), '-', options),
  };
}

/** NDJSON of a FIFO: it is opened again whenever its last writer has closed it. */
export function fifo(path: string, options: RowOptions): Source {
  return {
    name: path,
    async *read(_, { signal }) {
      while (!signal.aborted) yield* itemsOf(untilAborted(createReadStream(path, { signal }), signal), path, options);
    },
  };
}

/** The chunks; ends without an error if the signal aborts. */
async function* untilAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      if (signal.aborted) return;
      yield chunk;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function* itemsOf(chunks: AsyncIterable<Buffer>, name: string, options: RowOptions): AsyncGenerator<SourceItem> {
  const reader = new LineReader(name, options);
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  async function* items(lines: Buffer): AsyncGenerator<SourceItem> {
    read += lines.length;
    for (const rows of await reader.swapsOf(lines)) yield { rows, place: String(read) };
  }
  for await (const piece of gather(chunks)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = endOfLines(bytes);
    rest = bytes.subarray(end);
    if (end > 0) yield* items(bytes.subarray(0, end));
  }
  // The last line may lack its end.
  if (rest.length > 0) yield* items(rest);
}
