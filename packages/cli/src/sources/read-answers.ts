import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { readFailure } from '@swapfold/files';

const GZIP = '1f8b';
const ZSTD = '28b52ffd';

/**
 * The answers of a node that a file holds, one a line of JSON; also packed as gzip, and as zstd where this Node.js can unpack it.
 *
 * - Errors: `invalid-input` for a file that cannot be read, or a line that is no JSON.
 */
export async function* readAnswers(path: string): AsyncGenerator<unknown> {
  const unpack = unpackerOf(path, await headOf(path));
  const packed = createReadStream(path);
  const stream: Readable = unpack === undefined ? packed : packed.pipe(unpack);
  packed.on('error', (error) => stream.destroy(error));
  let line = 0;
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (text.trim() !== '') yield parsed(text, path, line);
    }
    if (stream.errored !== null) throw stream.errored;
  } catch (error) {
    if (error instanceof SwapfoldError) throw error;
    throw readFailure(path, error);
  } finally {
    packed.destroy();
  }
}

function parsed(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SwapfoldError(
      'invalid-input',
      `${path}, line ${line}: no JSON: ${reason}. Give one answer of a node a line.`,
      {
        cause,
      },
    );
  }
}

async function headOf(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('hex', 0, bytesRead);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    await file?.close();
  }
}

function unpackerOf(path: string, head: string): Duplex | undefined {
  if (head.startsWith(GZIP)) return zlib.createGunzip();
  if (head !== ZSTD) return undefined;
  // Node.js has it from 22.15 on.
  const { createZstdDecompress } = zlib as unknown as { readonly createZstdDecompress?: () => Duplex };
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  throw new SwapfoldError(
    'invalid-input',
    `${path} is packed as zstd, which Node.js ${process.versions.node} does not unpack: use Node.js 22.15 or later, or unpack it first with "zstd -d".`,
  );
}
