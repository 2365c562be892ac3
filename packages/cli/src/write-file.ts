import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file from its bytes: it has its name only when it is whole and flushed to the disk. Until then it lies beside, as
 * `<path>.partial`; a file of that name is replaced. What fails leaves nothing, and what stood at `path` stays.
 *
 * - Shape: the bytes written.
 */
export async function writeFileWhole(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const part = `${path}.partial`;
  const file = await open(part, 'w');
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
    throw error;
  }
}
