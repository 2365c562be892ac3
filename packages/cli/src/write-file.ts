import { open, rename, rm } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';

/**
 * Writes a file from its bytes: it has its name only when it is whole and flushed to the disk. Until then it lies beside, as
 * `<path>.partial`; a file of that name is replaced. What fails leaves nothing, and what stood at `path` stays.
 *
 * - Shape: the bytes written. Errors: `invalid-input` if there can be no such file, `disk-full`.
 */
export async function writeFileWhole(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const part = `${path}.partial`;
  const file = await open(part, 'w').catch((cause: Error) => {
    if (isTooManyFiles(cause)) throw tooManyFiles(path, cause);
    throw new SwapfoldError('invalid-input', `Cannot write ${path}: ${cause.message}.`, { cause });
  });
  let written = 0;
  try {
    for await (const piece of bytes) {
      await file.writeFile(piece);
      written += piece.length;
    }
    await file.sync();
    await file.close();
    await rename(part, path);
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    const { code, errno, message } = error as NodeJS.ErrnoException;
    if (typeof errno !== 'number') throw error;
    throw new SwapfoldError(code === 'ENOSPC' ? 'disk-full' : 'invalid-input', `Cannot write ${path}: ${message}.`, {
      cause: error,
    });
  }
}
