import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** What waits in memory at most while the store is busy, bytes, on each side of the stream. */
const MOST = 4 << 20;

/**
 * What has come since the last time, in one piece: chunks are read on while the receiver is busy, so that the pieces are as large as it is
 * slow. What has come before a failure is given before that is thrown.
 */
export async function* gather(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const waiting = new PassThrough({ highWaterMark: MOST });
  let failure: { readonly error: unknown } | undefined;
  const pump = async (): Promise<void> => {
    for await (const chunk of chunks) if (!waiting.write(chunk)) await once(waiting, 'drain');
  };
  void pump()
    .catch((error: unknown) => {
      failure = { error };
    })
    .then(() => waiting.end());
  // What a stream of bytes has is read in one piece.
  yield* waiting as AsyncIterable<Buffer>;
  if (failure !== undefined) throw failure.error;
}
