const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Follows JSON text byte by byte, which may come in pieces: how many lists and objects are around a place. It finds no other fault. */
export class JsonDepth {
  depth = 0;
  isText = false;
  #isEscaped = false;

  /** Whether the byte lies outside of texts and their quotes. */
  take(byte: number): boolean {
    if (this.isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.isText = false;
      return false;
    }
    if (byte === QUOTE) {
      this.isText = true;
      return false;
    }
    // The brackets of lists and objects differ in one bit.
    const bracket = byte | 0x20;
    if (bracket === 0x7b) this.depth++;
    else if (bracket === 0x7d) this.depth--;
    return true;
  }
}
