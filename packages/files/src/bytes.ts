import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';
import { connect, firstLine, scratchFile, sqlPath, sqlText } from './duck.ts';
import { type FileFormat, formatOf, formatOfContent, type Packing, textFormat } from './format.ts';
import { zstdFrames } from './zstd.ts';

/** Receives every piece that is read; bytes are those on disk, packed or not. */
export type OnProgress = (progress: { readonly bytesRead: number; readonly bytesTotal: number }) => void;

/** Bytes that come from elsewhere than a file: standard input, a download, a file that grows. */
export interface StreamSource {
  /** What messages call it; a name that ends as a file's would tell the format. */
  readonly name: string;
  /** What it holds. Without it the name or the content tells. */
  readonly format?: FileFormat | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What a file or a stream holds, unpacked. */
export interface Opened {
  /** `undefined` where it takes the content to tell: CSV or JSON. */
  readonly format: FileFormat | undefined;
  /** Whether the name alone tells it: the content may tell another. */
  readonly isByName: boolean;
  readonly chunks: () => AsyncGenerator<Buffer>;
}

const CHUNK = 1 << 20;
/** Bytes that are unpacked at once: they may become a thousand times as many. */
const PACKED = 1 << 16;
const HEAD = 64;

/** The file's length and first bytes. Errors: `invalid-input` where it cannot be read. */
export async function peekFile(path: string): Promise<{ size: number; head: Buffer }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const stat = await file.stat();
    if (stat.isDirectory()) throw new SwapfoldError('invalid-input', `${path} is a folder, not a file.`);
    if (!stat.isFile())
      throw new SwapfoldError(
        'invalid-input',
        `${path} is a pipe or a device, which can be read only once: send it to standard input, and name -.`,
      );
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return { size: stat.size, head: buffer.subarray(0, bytesRead) };
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    await file?.close();
  }
}

/**
 * Opens a file or a stream.
 *
 * - Errors: `invalid-input` where it cannot be read, and for Parquet and Arrow as a stream, since they are read from their end.
 */
async function openInput(from: string | StreamSource, onProgress: OnProgress): Promise<Opened> {
  if (typeof from !== 'string') return openStream(from, onProgress);
  const { size, head } = await peekFile(from);
  onProgress({ bytesRead: 0, bytesTotal: size });
  const { format, packing } = formatOf(from, head);
  return { format, isByName: true, chunks: () => fileBytes(from, { packing, size, onProgress }) };
}

/** The lines of a file, unpacked if it is packed. Errors: `invalid-input` where it cannot be read. */
export async function* readLines(path: string): AsyncGenerator<Buffer> {
  const { chunks } = await openInput(path, () => undefined);
  let rest: Buffer[] = [];
  for await (const chunk of chunks()) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
  }
  yield Buffer.concat(rest);
}

/** A text: CSV or JSON, as the name says, or else the content. Errors: those of `openInput`. */
export async function openText(
  from: string | StreamSource,
  onProgress: OnProgress,
): Promise<{
  readonly format: FileFormat;
  readonly chunks: AsyncGenerator<Buffer>;
  /** Closes the file, whether the chunks have been read or not. */
  readonly close: () => Promise<unknown>;
}> {
  const opened = await openInput(from, onProgress);
  const chunks = opened.chunks();
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const name = typeof from === 'string' ? from : from.name;
  const close = () => chunks.return(undefined);
  try {
    const told = opened.format ?? formatOfContent(name, head.subarray(0, HEAD));
    const format = opened.isByName ? textFormat(name, told, head) : told;
    return { format, chunks: joined(head, chunks), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Bytes before others. */
export async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* fileBytes(
  path: string,
  o: { packing: Packing; size: number; onProgress: OnProgress },
): AsyncGenerator<Buffer> {
  const isWhole = o.packing === 'zstd' && (await isUnpackedWhole(path));
  const from = isWhole ? await unzstd(path) : path;
  const raw = createReadStream(from, { highWaterMark: CHUNK });
  try {
    const packing = isWhole ? undefined : o.packing;
    for await (const chunk of packing === undefined ? (raw as AsyncIterable<Buffer>) : unpacked(path, raw, packing)) {
      o.onProgress({ bytesRead: isWhole ? o.size : raw.bytesRead, bytesTotal: o.size });
      yield chunk;
    }
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    raw.destroy();
    if (isWhole) await rm(from, { force: true });
  }
}

async function openStream({ name, chunks, ...of }: StreamSource, onProgress: OnProgress): Promise<Opened> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const told = formatOf(name, head);
  const { packing } = told;
  const format = of.format ?? told.format;
  if (format === 'parquet' || format === 'arrow')
    throw new SwapfoldError(
      'invalid-input',
      `${name} is ${format === 'arrow' ? 'an Arrow' : 'a Parquet'} file, which cannot be read as a stream: name the file itself.`,
    );
  if (packing === 'zstd' && unpacker('zstd') === undefined)
    throw new SwapfoldError(
      'invalid-input',
      `${name} is packed with zstd, which a stream needs Node.js 22.15 for: name the file itself.`,
    );
  const all = (async function* () {
    let bytesRead = 0;
    for (let chunk: Uint8Array = head; ; ) {
      bytesRead += chunk.length;
      onProgress({ bytesRead, bytesTotal: Number.NaN });
      if (chunk.length > 0) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const next = await iterator.next();
      if (next.done) return;
      chunk = next.value;
    }
  })();
  return {
    format,
    isByName: of.format === undefined,
    chunks: () => (packing === undefined ? all : unpacked(name, all, packing)),
  };
}

/** What unpacks a stream. Node.js has zstd from 22.15 on. */
function unpacker(packing: 'gzip' | 'zstd'): (() => Transform) | undefined {
  if (packing === 'gzip') return () => zlib.createGunzip({ chunkSize: CHUNK });
  return (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;
}

/** What a packed stream holds; of a damaged one, all that comes before. Errors: `invalid-input` if it is damaged. */
async function* unpacked(
  path: string,
  packed: AsyncIterable<Buffer>,
  packing: 'gzip' | 'zstd',
): AsyncGenerator<Buffer> {
  const stream = unpacker(packing)!();
  // Taken as it comes: a stream that fails drops what waits in it.
  const taken: Buffer[] = [];
  let failure: Error | undefined;
  let length = 0;
  stream.on('data', (chunk: Buffer) => taken.push(chunk));
  stream.on('error', (error) => {
    failure = error;
  });
  const unpack = async function* (piece: Buffer | undefined): AsyncGenerator<Buffer> {
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      if (piece === undefined) stream.end();
      else
        stream.write(piece, (error) => {
          failure ??= error ?? undefined;
          stream.off('close', resolve);
          resolve();
        });
    });
    for (const chunk of taken.splice(0)) {
      length += chunk.length;
      yield chunk;
    }
    if (failure !== undefined) throw unpackFailure(path, { packing, error: failure, length });
  };
  try {
    for await (const chunk of packed)
      for (let from = 0; from < chunk.length; from += PACKED) yield* unpack(chunk.subarray(from, from + PACKED));
    yield* unpack(undefined);
  } finally {
    stream.destroy();
  }
}

function unpackFailure(path: string, o: { packing: string; error: Error; length: number }): Error {
  if (!/^Z_|^ZSTD_/.test(String((o.error as NodeJS.ErrnoException).code))) return o.error;
  const { message } = o.error;
  const what = message.includes('unexpected end') ? 'is cut off' : `is damaged (${message})`;
  return new SwapfoldError(
    'invalid-input',
    `${basename(path)}: the ${o.packing} stream ${what} after ${o.length} unpacked bytes.`,
    { cause: o.error },
  );
}

/** Whether DuckDB unpacks a zstd file: for a Node.js without zstd, and for several frames. Errors: `invalid-input` for one that is cut off. */
async function isUnpackedWhole(path: string): Promise<boolean> {
  const { count, isWhole } = await zstdFrames(path);
  if (!isWhole) throw new SwapfoldError('invalid-input', `${basename(path)}: the zstd stream is cut off.`);
  return count > 1 || unpacker('zstd') === undefined;
}

/** A file that DuckDB has unpacked, line by line. */
async function unzstd(path: string): Promise<string> {
  const connection = await connect();
  const to = scratchFile('txt');
  const lines = `read_csv(${sqlPath(path)}, compression = 'zstd', auto_detect = false, header = false, columns = {'line': 'VARCHAR'}, delim = '\u0001', quote = '', escape = '', nullstr = '\u0002', max_line_size = 16777216, strict_mode = false)`;
  try {
    await connection.run(
      `copy (from ${lines}) to ${sqlText(to)} (format csv, header false, delimiter '\u0001', quote '', escape '')`,
    );
    return to;
  } catch (cause) {
    await rm(to, { force: true });
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)}: it cannot be unpacked (${firstLine((cause as Error).message)}). Use Node.js 22.15 or later, or pack it with gzip.`,
      { cause },
    );
  } finally {
    connection.closeSync();
  }
}

/** The error of a file that could not be opened or read: `invalid-input` with the path and the reason, if the system names one. */
export function readFailure(path: string, error: unknown): unknown {
  if (error instanceof SwapfoldError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'no permission',
    EISDIR: 'it is a folder',
  };
  if (isTooManyFiles(error)) return tooManyFiles(path, error);
  if (code === undefined) return error;
  return new SwapfoldError('invalid-input', `Cannot read ${path}: ${reasons[code] ?? message}.`, { cause: error });
}
