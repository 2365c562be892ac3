import { Readable } from 'node:stream';
import { SwapfoldError } from '@swapfold/core';
import { formatOf } from './file-format.ts';
import { type OnProgress, unpacked } from './open-bytes.ts';

/** Bytes that come from elsewhere than a file: standard input, a download, a file that grows. */
export interface StreamSource {
  /** What messages call it; a name that ends as a file's would tell the format. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Bytes that tell a format. */
const HEAD = 64;

/**
 * The bytes of a stream, unpacked if they are gzip.
 *
 * - Errors: `invalid-input` for Parquet and Arrow, which are read from their end, and for a damaged gzip stream.
 */
export async function openStream(
  { name, chunks }: StreamSource,
  onProgress: OnProgress,
): Promise<{ chunks: AsyncGenerator<Buffer>; format: 'csv' | 'json' | 'ndjson' | undefined }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const { format, isGzip } = formatOf(name, head);
  if (format === 'parquet' || format === 'arrow')
    throw new SwapfoldError(
      'invalid-input',
      `${name} is ${format === 'arrow' ? 'an Arrow' : 'a Parquet'} file, which cannot be read as a stream: name the file itself.`,
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
  return { chunks: isGzip ? unpacked(name, Readable.from(all)) : all, format };
}
