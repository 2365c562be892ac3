import { open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { delimiterOf } from './csv-scanner.ts';
import { scratchFile } from './duck.ts';

const [QUOTE, LF, CR] = [34, 10, 13];

/** A record longer than this is one whose quote was never closed, or no line. */
export const LONGEST_RECORD = 1 << 24;

/** Whole records of a text file, in a file of their own. */
export interface Spooled {
  readonly path: string;
  /** False if a quote stands at a place for none: each record has to be looked at. */
  readonly isRegular: boolean;
  /** Whether a quoted field holds a line end. */
  readonly hasLines: boolean;
}

/** Finds where records end in bytes that come in pieces. */
export interface Cutter {
  /** Where the last record ends that ends in the chunk; 0 if none does. */
  scan(chunk: Buffer): number;
  /**
   * What is wrong with a record that does not end; at the end of the input, or where it has become too long. The error is made after the
   * records before it have been read.
   */
  failure(isEnd: boolean): (() => SwapfoldError) | undefined;
  readonly isRegular: boolean;
  readonly hasLines: boolean;
  /** Begins a new piece. */
  reset(): void;
}

/** Ends of lines. */
export class LineCutter implements Cutter {
  readonly isRegular = true;
  readonly hasLines = false;
  #waiting = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  scan(chunk: Buffer): number {
    const end = chunk.lastIndexOf(LF) + 1;
    this.#waiting = end === 0 ? this.#waiting + chunk.length : chunk.length - end;
    return end;
  }

  failure(): (() => SwapfoldError) | undefined {
    if (this.#waiting <= LONGEST_RECORD) return undefined;
    const message = `${basename(this.#name)} has a line of over ${LONGEST_RECORD} bytes: it is no NDJSON file.`;
    return () => new SwapfoldError('invalid-input', message);
  }

  reset(): void {}
}

/** Ends of CSV records: of lines, but not within quotes. */
export class CsvCutter implements Cutter {
  isRegular = true;
  hasLines = false;
  isOpen = false;
  waiting = 0;
  readonly #delimiter: number;
  readonly #onUnclosed: () => SwapfoldError;
  #mayClose = false;
  #before = LF;

  constructor(delimiter: number, onUnclosed: () => SwapfoldError) {
    this.#delimiter = delimiter;
    this.#onUnclosed = onUnclosed;
  }

  scan(chunk: Buffer): number {
    let end = 0;
    let at = 0;
    if (this.#mayClose && chunk.length > 0) {
      this.#mayClose = false;
      if (chunk[0] === QUOTE) at = 1;
      else this.#close(chunk[0]!);
    }
    while (at < chunk.length) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote < 0 ? chunk.length : quote;
      if (this.isOpen) {
        if (!this.hasLines && chunk.subarray(at, stop).includes(LF)) this.hasLines = true;
        if (quote < 0) break;
        at = quote + 1;
        if (at === chunk.length) this.#mayClose = true;
        else if (chunk[at] === QUOTE) at++;
        else this.#close(chunk[at]!);
      } else {
        const line = stop === at ? -1 : chunk.lastIndexOf(LF, stop - 1);
        if (line >= at) end = line + 1;
        if (quote < 0) break;
        this.isOpen = this.#isEdge(quote === 0 ? this.#before : chunk[quote - 1]!);
        if (!this.isOpen) this.isRegular = false;
        at = quote + 1;
      }
    }
    if (chunk.length > 0) this.#before = chunk.at(-1)!;
    this.waiting = end === 0 ? this.waiting + chunk.length : chunk.length - end;
    return end;
  }

  failure(isEnd: boolean): (() => SwapfoldError) | undefined {
    const isUnclosed = isEnd ? this.isOpen && !this.#mayClose : this.waiting > LONGEST_RECORD;
    return isUnclosed ? this.#onUnclosed : undefined;
  }

  reset(): void {
    this.isRegular = true;
    this.hasLines = false;
  }

  #close(after: number): void {
    this.isOpen = false;
    if (!this.#isEdge(after)) this.isRegular = false;
  }

  #isEdge(byte: number): boolean {
    return byte === this.#delimiter || byte === LF || byte === CR;
  }
}

/** Where the records of some lines of CSV end that no open quote holds back. `head`: the line with the names of the columns. */
export function endOfCsvRecords(lines: Buffer, head: Buffer): number {
  return new CsvCutter(delimiterOf(head), () => new SwapfoldError('invalid-input', 'A quote is never closed.')).scan(
    lines,
  );
}

/**
 * The records of a text file in files of about so many bytes, of whole records each. With `isEager`, those that each chunk completes.
 *
 * A chunk that fails comes after the records before it.
 */
export async function* spool(
  chunks: AsyncIterable<Buffer>,
  o: {
    readonly cutter: Cutter;
    readonly bytes: number;
    readonly isEager: boolean;
    /** Called in place of handing out a last record without the end of its line. */
    readonly onCutOff?: (() => void) | undefined;
  },
): AsyncGenerator<Spooled> {
  const { cutter } = o;
  let piece = new Piece();
  let rest: Buffer[] = [];
  let failure: unknown;
  try {
    try {
      for await (const chunk of chunks) {
        const end = cutter.scan(chunk);
        if (end > 0) {
          for (const part of rest) await piece.write(part);
          await piece.write(chunk.subarray(0, end));
          rest = [];
        }
        if (end < chunk.length) rest.push(chunk.subarray(end));
        const wrong = cutter.failure(false);
        if (wrong !== undefined) throw wrong;
        if (piece.bytes === 0 || (piece.bytes < o.bytes && !o.isEager)) continue;
        yield await piece.end(cutter);
        piece = new Piece();
        cutter.reset();
      }
      const wrong = cutter.failure(true);
      if (wrong !== undefined) throw wrong;
    } catch (error) {
      failure = error ?? new Error('unknown');
      rest = [];
    }
    if (o.onCutOff !== undefined && isCutOff(rest)) o.onCutOff();
    else for (const part of rest) await piece.write(part);
    if (piece.bytes > 0) yield await piece.end(cutter);
    if (failure !== undefined) throw typeof failure === 'function' ? failure() : failure;
  } finally {
    await piece.drop();
  }
}

/** Whether bytes behind the last line end are a record whose line has no end. */
export function isCutOff(rest: readonly Buffer[]): boolean {
  return rest.at(-1)?.at(-1) !== CR && rest.some((part) => part.some((byte) => !isBlank(byte)));
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === LF || byte === CR;
}

/** A file that is being written. */
class Piece {
  bytes = 0;
  #path: string | undefined;
  #handle: Awaited<ReturnType<typeof open>> | undefined;

  async write(part: Buffer): Promise<void> {
    if (part.length === 0) return;
    this.#path ??= scratchFile('txt');
    this.#handle ??= await open(this.#path, 'w');
    await this.#handle.writeFile(part);
    this.bytes += part.length;
  }

  async end({ isRegular, hasLines }: Cutter): Promise<Spooled> {
    await this.#handle!.close();
    this.#handle = undefined;
    return { path: this.#path!, isRegular, hasLines };
  }

  async drop(): Promise<void> {
    await this.#handle?.close();
    if (this.#handle !== undefined) await rm(this.#path!, { force: true });
  }
}
