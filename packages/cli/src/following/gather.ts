/** What waits in memory at most while the store is busy, bytes. */
const MOST = 8 << 20;

/**
 * What has come since the last time, in one piece: chunks are read on while the receiver is busy, so that the pieces are as large as it is
 * slow.
 */
export async function* gather(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const queue: Buffer[] = [];
  let bytes = 0;
  let end: { readonly error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  async function pump(): Promise<void> {
    for await (const chunk of chunks) {
      queue.push(chunk);
      bytes += chunk.length;
      wake();
      if (bytes >= MOST)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
    }
  }
  pump().then(
    () => {
      end = {};
      wake();
    },
    (error: unknown) => {
      end = { error };
      wake();
    },
  );
  for (;;) {
    if (queue.length > 0) {
      bytes = 0;
      const piece = Buffer.concat(queue.splice(0));
      goOn();
      yield piece;
    } else if (end === undefined)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    else if ('error' in end) throw end.error;
    else return;
  }
}
