/** FIN and the opcode of text, RFC 6455, section 5.2. */
const TEXT = 0x81;

/** A frame with room for a text of `size` bytes, as a server sends it on a WebSocket without extensions: a head, and the text unmasked. */
export function newFrame(size: number): { readonly frame: Buffer; readonly start: number } {
  const start = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + size);
  frame[0] = TEXT;
  frame[1] = start === 2 ? size : start === 4 ? 126 : 127;
  if (start === 4) frame.writeUInt16BE(size, 2);
  else if (start === 10) frame.writeBigUInt64BE(BigInt(size), 2);
  return { frame, start };
}

/** A text as a frame. */
export function frameOf(text: string): Buffer {
  const { frame, start } = newFrame(Buffer.byteLength(text));
  frame.write(text, start);
  return frame;
}

/** The text of a frame. */
export function payloadOf(frame: Buffer): Buffer {
  return frame.subarray(frame[1] === 126 ? 4 : frame[1] === 127 ? 10 : 2);
}
