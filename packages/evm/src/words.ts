/** Characters of a word of 32 bytes in hexadecimal. */
const WORD = 64;

/** Words of 32 bytes that data holds, `NaN` of what is no whole number of them. */
export function wordCount(data: string): number {
  const count = (data.length - 2) / WORD;
  return Number.isInteger(count) ? count : Number.NaN;
}

const wordText = (data: string, at: number): string => data.slice(2 + at * WORD, 2 + (at + 1) * WORD);

/** An unsigned number of 256 bits. */
export const word = (data: string, at: number): bigint => BigInt(`0x${wordText(data, at)}`);

/** A signed number of 256 bits, as two's complement. */
export const signedWord = (data: string, at: number): bigint => BigInt.asIntN(256, word(data, at));

/** The address in a word, in lower case. */
export const addressWord = (data: string, at = 0): string =>
  `0x${data.slice(2 + at * WORD + 24, 2 + (at + 1) * WORD).toLowerCase()}`;

/** An address as a word of call data, without prefix. */
export const asWord = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(WORD, '0');

export const hexOf = (value: number): string => `0x${value.toString(16)}`;

/** A number that a node gives in hexadecimal. */
export const numberOf = (hex: string): number => Number.parseInt(hex, 16);

/** Whether a log says its time. Some nodes give 0, or a number that is no text; the block says its time then. */
export const isGiven = (timestamp: unknown): timestamp is string =>
  typeof timestamp === 'string' && Number(timestamp) > 0;
