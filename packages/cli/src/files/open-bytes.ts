import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/engine';

/** Receives every piece that is read; bytes are those on disk, packed or not. */
export type OnProgress = (progress: { readonly bytesRead: number; readonly bytesTotal: number }) => void;

const CHUNK = 1 << 20;

/** The file's length and first bytes. Errors: `invalid-input` where it cannot be read. */
export async function peekFile(path: string): Promise<{ size: number; head: Buffer }> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const stat = await file.stat();
    if (stat.isDirectory()) throw new SwapfoldError('invalid-input', `${path} is a folder, not a file.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return { size: stat.size, head: buffer.subarray(0, bytesRead) };
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    await file?.close();
  }
}

/** The file's bytes, unpacked where `isGzip`. Errors: `invalid-input` where the file or its gzip stream is damaged. */
export async function* openBytes(
  path: string,
  o: { isGzip: boolean; size: number; onProgress: OnProgress },
): AsyncGenerator<Buffer> {
  const raw = createReadStream(path, { highWaterMark: CHUNK });
  try {
    for await (const chunk of o.isGzip ? unpacked(path, raw) : (raw as AsyncIterable<Buffer>)) {
      o.onProgress({ bytesRead: raw.bytesRead, bytesTotal: o.size });
      yield chunk;
    }
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    raw.destroy();
  }
}

/** What a gzip stream holds. Errors: `invalid-input` if it is damaged. */
export async function* unpacked(path: string, packed: Readable): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    // pipeline hands a failure of the file on to the reader of the unpacked stream, which pipe would not.
    const stream = pipeline(packed, createGunzip({ chunkSize: CHUNK }), () => {});
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    const what = (error as Error).message.includes('unexpected end')
      ? 'is cut off'
      : `is damaged (${(error as Error).message})`;
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)}: the gzip stream ${what} after ${length} unpacked bytes.`,
      { cause: error },
    );
  }
}

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
