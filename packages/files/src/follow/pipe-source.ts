import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Source, SourceItem, SwapColumns } from '@swapfold/core';
import { readFailure } from '../bytes.ts';
import { gather } from './gather.ts';
import { endOfLines, LineReader, type RowOptions } from './read-lines.ts';

/** NDJSON of standard input, which ends with it. It has no place to go on from: the identity of swaps tells what is known. */
export function standardInput(options: RowOptions, input: AsyncIterable<Buffer> = process.stdin): Source {
  const lines = new PipeLines('-', options, input);
  // Between two reads, and after the last one, it keeps no process.
  const { ref, unref } = input as Partial<Pick<Socket, 'ref' | 'unref'>>;
  return {
    name: '-',
    async *read(_, { signal }) {
      ref?.call(input);
      try {
        yield* lines.items(signal);
      } finally {
        unref?.call(input);
      }
    },
  };
}

/** NDJSON of a FIFO: it is opened again whenever its last writer has closed it. */
export function fifo(path: string, options: RowOptions): Source {
  // Held between two writers: without a reader, what the next one writes would be lost.
  let held: number | undefined;
  // Kept over a write that failed, until the source is read again.
  let open: { readonly chunks: Socket; readonly lines: PipeLines } | undefined;
  const close = (): void => {
    open?.chunks.destroy();
    open = undefined;
  };
  return {
    name: path,
    async *read(_, { signal }) {
      held ??= openFifo(path);
      try {
        while (!signal.aborted) {
          if (open === undefined) {
            const chunks = new Socket({ fd: openFifo(path), readable: true, writable: false });
            open = { chunks, lines: new PipeLines(path, options, chunks) };
          }
          open.chunks.ref();
          yield* open.lines.items(signal);
          close();
        }
      } finally {
        open?.chunks.unref();
        if (signal.aborted) {
          close();
          closeSync(held);
          held = undefined;
        }
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

/** What comes through a pipe, which nobody sends twice: what was read and is not stored stays here for the next `items`. */
class PipeLines {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #reader: LineReader;
  #next: Promise<IteratorResult<Buffer>> | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #read = 0;
  #waiting: SwapColumns[] = [];
  #hasEnded = false;

  constructor(name: string, options: RowOptions, chunks: AsyncIterable<Buffer>) {
    this.#pieces = gather(chunks)[Symbol.asyncIterator]();
    this.#reader = new LineReader(name, options);
  }

  /** Ends without an error if the signal aborts. */
  async *items(signal: AbortSignal): AsyncGenerator<SourceItem> {
    for (;;) {
      // Rows are stored once the next ones are asked for.
      for (let [rows] = this.#waiting; rows !== undefined; [rows] = this.#waiting) {
        yield { rows, place: String(this.#read) };
        this.#waiting.shift();
      }
      if (this.#hasEnded) return;
      this.#next ??= this.#pieces.next();
      const found = await unlessAborted(this.#next, signal);
      if (found === undefined) return;
      this.#next = undefined;
      const lines = this.#linesOf(found);
      this.#read += lines.length;
      if (lines.length > 0) this.#waiting = [...(await this.#reader.rowsOf(lines))];
    }
  }

  /** The complete lines; at the end the last one, which may lack its end. */
  #linesOf({ done, value }: IteratorResult<Buffer>): Buffer {
    const bytes = done ? this.#rest : this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    this.#hasEnded = done === true;
    const end = done ? bytes.length : endOfLines(bytes);
    this.#rest = bytes.subarray(end);
    return bytes.subarray(0, end);
  }
}

/** `undefined` once the signal aborts, also if nothing comes any more. */
async function unlessAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R | undefined> {
  work.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
