const BACKSLASH = 92;

const postgres = /^\\x[\da-f]*$/i;
const printable = /^[!-~]*$/;

/** Bytes of an address of an EVM chain. No text of an address is as short. */
const ADDRESS_BYTES = 20;

/** `0x...` of a text that writes bytes as PostgreSQL does, `\x...`; any other text as it is. */
export function hexOfText(text: string): string {
  return text.charCodeAt(0) === BACKSLASH && postgres.test(text) ? `0x${text.slice(2)}` : text;
}

/** `0x...` of bytes; the text itself if they are one, since some writers do not say so of their texts. */
export function hexOfBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('latin1');
  return buffer.length !== ADDRESS_BYTES && printable.test(text) ? hexOfText(text) : `0x${buffer.toString('hex')}`;
}

/** Whether the bytes from `start` on may be those of a text that `hexOfText` changes. */
export function mayBeHex(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === BACKSLASH;
}
