import type { FileHandle } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import type { AsyncBuffer } from 'hyparquet';
import type { OnProgress } from './open-bytes.ts';

/** A file as hyparquet reads it; `read` is not told as progress. Both refuse places that the file does not have. */
export interface ParquetFile extends AsyncBuffer {
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  read(start: number, end: number): Promise<ArrayBuffer>;
}

export function parquetFile(
  handle: FileHandle,
  o: { path: string; size: number; onProgress: OnProgress },
): ParquetFile {
  let bytesRead = 0;
  async function read(start: number, end: number): Promise<ArrayBuffer> {
    if (!(start >= 0 && start <= end && end <= o.size))
      throw new Error(`it has bytes ${start} to ${end} of a file of ${o.size}`);
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const read = await handle.read(bytes, at, bytes.length - at, start + at);
      if (read.bytesRead === 0) throw new Error('the file ends too early');
      at += read.bytesRead;
    }
    return bytes.buffer;
  }
  return {
    byteLength: o.size,
    read,
    async slice(start, end = o.size) {
      const bytes = await read(start, end);
      bytesRead = Math.min(o.size, bytesRead + bytes.byteLength);
      o.onProgress({ bytesRead, bytesTotal: o.size });
      return bytes;
    },
  };
}

/** Everything that the Parquet reader throws is the file's fault. */
export async function damageAs<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new SwapfoldError('invalid-input', `${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** JavaScript's own errors speak of the reader's variables. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return 'lengths or types in it do not fit together';
  return (error as Error).message;
}
