import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isTooManyFiles, SwapfoldError, tooManyFiles } from '@swapfold/core';

/** Told of every piece that is read; bytes are those on disk, packed or not. */
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
  // pipeline hands a failure of the file on to the reader of the unpacked stream, which pipe would not.
  const stream = o.isGzip ? pipeline(raw, createGunzip({ chunkSize: CHUNK }), () => {}) : raw;
  let unpacked = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      unpacked += chunk.length;
      o.onProgress({ bytesRead: raw.bytesRead, bytesTotal: o.size });
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SwapfoldError || !String((error as NodeJS.ErrnoException).code).startsWith('Z_'))
      throw readFailure(path, error);
    const what = (error as Error).message.includes('unexpected end')
      ? 'is cut off'
      : `is damaged (${(error as Error).message})`;
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)}: the gzip stream ${what} after ${unpacked} unpacked bytes.`,
      { cause: error },
    );
  } finally {
    raw.destroy();
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
