import { open } from 'node:fs/promises';

/** What the frames of a zstd file are. */
export interface ZstdFrames {
  /** Frames with content: Node.js stops after the first one of a piece. */
  readonly count: number;
  /** Whether the last one is there to its end, which DuckDB does not ask. */
  readonly isWhole: boolean;
}

const MAGIC = 0xfd2fb528;
/** The first of sixteen numbers of frames without content. */
const SKIPPED = 0x184d2a50;
/** The longest header of a frame: magic number, descriptor, window, dictionary, length. */
const HEADER = 18;

/** Walks over the frames and blocks of a zstd file by their lengths (RFC 8878, 3.1), without unpacking them. */
export async function zstdFrames(path: string): Promise<ZstdFrames> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(HEADER);
    const read = async (at: number, length: number): Promise<boolean> =>
      (await file.read(bytes, 0, length, at)).bytesRead === length;
    let count = 0;
    let at = 0;
    while (at < size) {
      if (!(await read(at, 4))) return { count, isWhole: false };
      const magic = bytes.readUInt32LE(0);
      if (magic >= SKIPPED && magic < SKIPPED + 16) {
        if (!(await read(at + 4, 4))) return { count, isWhole: false };
        at += 8 + bytes.readUInt32LE(0);
        continue;
      }
      // What is no frame is for whoever unpacks it to tell.
      if (magic !== MAGIC) return { count, isWhole: true };
      count++;
      if (!(await read(at + 4, 1))) return { count, isWhole: false };
      const descriptor = bytes[0]!;
      const isSingle = (descriptor & 32) !== 0;
      const dictionary = [0, 1, 2, 4][descriptor & 3]!;
      const length = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
      at += 5 + (isSingle ? 0 : 1) + dictionary + length;
      for (let isLast = false; !isLast; ) {
        if (!(await read(at, 3))) return { count, isWhole: false };
        const block = bytes.readUIntLE(0, 3);
        isLast = (block & 1) === 1;
        const isRepeated = ((block >> 1) & 3) === 1;
        at += 3 + (isRepeated ? 1 : block >> 3);
      }
      if ((descriptor & 4) !== 0) at += 4;
    }
    return { count, isWhole: at === size };
  } finally {
    await file.close();
  }
}
