/** Bytes that arrive in chunks, taken by amounts that do not. */
export interface ByteSource {
  /** False after the last byte. */
  hasMore(): Promise<boolean>;
  /** The next `count` bytes, valid until the next call; throws where the stream ends before. */
  take(count: number): Promise<Buffer>;
  varint(): Promise<number>;
  /** The next `count` texts, each after its length. */
  texts(count: number): Promise<string[]>;
}

export function createByteSource(chunks: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = chunks[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  let at = 0;

  /** Makes `count` bytes available from `at` on, if the stream has as many. */
  async function fill(count: number): Promise<boolean> {
    if (buffer.length - at >= count) return true;
    const rest = buffer.subarray(at);
    const parts: Uint8Array[] = rest.length > 0 ? [rest] : [];
    let { length } = rest;
    while (length < count) {
      const { done, value } = await iterator.next();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    // A chunk may be a whole answer of hundreds of megabytes: it is copied only where it has to go together with others.
    const [first] = parts;
    const isOne = first !== undefined && parts.length === 1;
    buffer = isOne ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(parts, length);
    at = 0;
    return length >= count;
  }

  async function need(count: number): Promise<void> {
    if (!(await fill(count))) {
      // A query that fails after its first rows were sent ends them with the text of its error.
      const rest = buffer.subarray(Math.max(at, buffer.length - 500)).toString('utf8');
      throw new Error(`The answer ended ${count - (buffer.length - at)} bytes early: ${rest}`);
    }
  }

  /** The number at `at`, or -1 where its last byte has not arrived. */
  function nextVarint(): number {
    let value = 0;
    for (let i = at, scale = 1; i < buffer.length; i++, scale *= 128) {
      const byte = buffer[i]!;
      value += (byte & 127) * scale;
      if (byte < 128) {
        at = i + 1;
        return value;
      }
    }
    return -1;
  }

  async function varint(): Promise<number> {
    for (;;) {
      const value = nextVarint();
      if (value >= 0) return value;
      await need(buffer.length - at + 1);
    }
  }

  return {
    varint,
    hasMore: () => fill(1),

    async take(count) {
      await need(count);
      at += count;
      return buffer.subarray(at - count, at);
    },

    async texts(count) {
      const texts = new Array<string>(count);
      for (let i = 0; i < count; i++) {
        let length = nextVarint();
        if (length < 0) length = await varint();
        if (buffer.length - at < length) await need(length);
        texts[i] = buffer.toString('utf8', at, at + length);
        at += length;
      }
      return texts;
    },
  };
}
