import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Source, type SourceItem, SwapfoldError } from '@swapfold/core';
import { readFailure } from '../bytes.ts';
import { formatOf } from '../format.ts';
import { endOfCsvRecords } from '../spool.ts';
import { endOfLines, LineReader, type RowOptions } from './read-lines.ts';

/** Milliseconds between two looks whether a file has grown. */
const BETWEEN = 200;

/** Bytes that are read at once, of which the complete lines are one transaction. */
const PIECE = 4 << 20;

/** Bytes at the start of a file, and before the place, by which it is known again: CSV files of one kind all begin with the same names. */
const HEAD = 256;

/** How far a file has been read. */
interface Place {
  /** Of the first bytes, as many as `offset` says and at most 256: another file of the same name has another one. */
  readonly head: string;
  /** Of the last bytes before the offset, likewise; absent in places of earlier versions. */
  readonly tail?: string;
  readonly offset: number;
}

/**
 * NDJSON, or CSV with its head, of a file: read to its end, then as it grows.
 *
 * - A line counts once it has its end.
 * - A file that is renamed is read to its end before the one that has taken its name; one that is cut short, or another one after a restart,
 *   is read from its beginning.
 */
export function growingFile(path: string, options: RowOptions): Source {
  return {
    name: path,
    async *read(after, { signal }) {
      let place = after === null ? undefined : (JSON.parse(after) as Place);
      while (!signal.aborted) {
        const file = await openOnceThere(path, signal, place !== undefined);
        if (file === undefined) return;
        try {
          yield* itemsOf(file, { path, place, options, signal });
        } finally {
          await file.close();
        }
        place = { head: '', offset: 0 };
      }
    },
  };
}

/** Opens the file; where it was there before, waits until it is there again. Errors: `invalid-input`. */
async function openOnceThere(path: string, signal: AbortSignal, wasThere: boolean): Promise<FileHandle | undefined> {
  while (!signal.aborted) {
    try {
      return await open(path);
    } catch (error) {
      if (!wasThere || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw readFailure(path, error);
      await pause(signal);
    }
  }
  return undefined;
}

interface Reading {
  readonly path: string;
  readonly place: Place | undefined;
  readonly options: RowOptions;
  readonly signal: AbortSignal;
}

/** What the file has, until another one has its name, or it was cut short. */
async function* itemsOf(file: FileHandle, { path, place, options, signal }: Reading): AsyncGenerator<SourceItem> {
  let offset = place !== undefined && (await isOf(file, place)) ? place.offset : 0;
  let known: Place = await placeOf(file, offset);
  let changedAt: number | undefined;
  const reader = new LineReader(path, options);
  let csvHead: Buffer | undefined;
  let wasReplaced = false;
  const piece = Buffer.alloc(PIECE);
  while (!signal.aborted) {
    const { size, mtimeMs } = await file.stat();
    // Cut short, and perhaps as long again by now.
    if (size < offset || (mtimeMs !== changedAt && !(await isOf(file, known)))) return;
    changedAt = mtimeMs;
    const { bytesRead } = await file.read(piece, 0, PIECE, offset);
    let end = endOfLines(piece.subarray(0, bytesRead));
    if (end > 0) csvHead ??= await csvHeadOf(path, file);
    // Nothing comes any more that could close a quote where another file has the name.
    if (csvHead !== undefined && !wasReplaced) end = endOfRecords(piece.subarray(0, end), csvHead);
    if (end === 0) {
      if (bytesRead === PIECE) throw noLines(path);
      if (wasReplaced) return;
      // Once more before the new one: it may have grown since.
      wasReplaced = await hasOtherFile(path, file);
      if (!wasReplaced) await pause(signal);
      continue;
    }
    let lines = Buffer.from(piece.subarray(0, end));
    if (csvHead !== undefined && offset === 0) lines = lines.subarray(csvHead.length);
    const before = JSON.stringify(known);
    offset += end;
    known = await placeOf(file, offset);
    const next = JSON.stringify(known);
    const batches = await reader.rowsOf(lines, csvHead);
    // Behind lines that hold nothing, so that they are not met again.
    if (batches.length === 0) yield { rows: [], place: next };
    for (const [i, rows] of batches.entries()) {
      // Only the last of several transactions is behind all lines.
      yield { rows, place: i === batches.length - 1 ? next : before };
    }
  }
}

/** The first line of a CSV file; `undefined` for NDJSON. Errors: `invalid-input` for a file that is neither. */
async function csvHeadOf(path: string, file: FileHandle): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
  const start = buffer.subarray(0, bytesRead);
  const { format, packing } = formatOf(path, start);
  if (packing !== undefined || format === 'parquet' || format === 'arrow')
    throw new SwapfoldError(
      'invalid-input',
      `${path} cannot be followed as it grows: only NDJSON and CSV can, as they are. Import it, or follow its folder.`,
    );
  return format === 'ndjson' || format === 'json' ? undefined : start.subarray(0, start.indexOf(0x0a) + 1);
}

/** Bytes of a record whose quote is open that wait for its end. */
const MOST_OPEN = 64 * 1024;

/** Where the complete records of some lines end; of one whose quote stays open, its first line. */
function endOfRecords(lines: Buffer, csvHead: Buffer): number {
  const end = endOfCsvRecords(lines, csvHead);
  return lines.length - end > MOST_OPEN ? lines.indexOf(0x0a, end) + 1 : end;
}

async function placeOf(file: FileHandle, offset: number): Promise<Place> {
  return { head: await headOf(file, offset), tail: await tailOf(file, offset), offset };
}

/** Whether a file is the one that was read up to a place. */
async function isOf(file: FileHandle, { head, tail, offset }: Place): Promise<boolean> {
  return head === (await headOf(file, offset)) && (tail === undefined || tail === (await tailOf(file, offset)));
}

const headOf = (file: FileHandle, offset: number): Promise<string> => hashOf(file, 0, Math.min(HEAD, offset));

const tailOf = (file: FileHandle, offset: number): Promise<string> =>
  hashOf(file, Math.max(0, offset - HEAD), Math.min(HEAD, offset));

async function hashOf(file: FileHandle, from: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, length, from);
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex').slice(0, 16);
}

async function hasOtherFile(path: string, file: FileHandle): Promise<boolean> {
  const own = await file.stat();
  const named = await stat(path).catch(() => undefined);
  return named !== undefined && (named.ino !== own.ino || named.dev !== own.dev);
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(BETWEEN, undefined, { signal }).catch(() => undefined);
}

function noLines(path: string): SwapfoldError {
  return new SwapfoldError('invalid-input', `${path} has a line of over ${PIECE} bytes: it is neither NDJSON nor CSV.`);
}
