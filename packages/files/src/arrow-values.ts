import type { DataType, Decimal, Vector } from 'apache-arrow';

type Arrow = typeof import('apache-arrow');

/** Reads a column's values by row: instants as seconds, decimals as they are written, lists as arrays, bytes as texts: `0x...` unless they are one. */
export function arrowValues({ DataType: is }: Arrow, vector: Vector): (row: number) => unknown {
  const { type } = vector;
  if (is.isTimestamp(type)) return instants(vector, 1000n ** BigInt(type.unit));
  const read = readerOf(is, is.isDictionary(type) ? type.dictionary : type);
  return (row) => {
    const value: unknown = vector.get(row);
    return value === null ? null : read(value);
  };
}

/** From what is stored: the library's numbers round a nanosecond before a second up. */
function instants(vector: Vector, perSecond: bigint): (row: number) => number | null {
  const stored = vector.data[0]!.values as BigInt64Array;
  const micros = (beyond: bigint): number => Number((beyond * 1_000_000n) / perSecond) / 1e6;
  return (row) => (vector.isValid(row) ? Number(stored[row]! / perSecond) + micros(stored[row]! % perSecond) : null);
}

function readerOf(is: Arrow['DataType'], type: DataType): (value: unknown) => unknown {
  if (is.isTimestamp(type) || is.isDate(type)) return (value) => Math.floor(Number(value) / 1000);
  if (is.isDecimal(type)) return (value) => decimalText(bigEndian(value as Uint32Array), (type as Decimal).scale);
  if (is.isList(type) || is.isFixedSizeList(type)) return (value) => [...(value as Iterable<unknown>)];
  if (is.isBinary(type) || is.isLargeBinary(type) || is.isFixedSizeBinary(type))
    return (value) => textOf(value as Uint8Array);
  return (value) => value;
}

/** The bytes of the words of a whole number that has the least word first, the most significant byte first. */
function bigEndian(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength).slice().reverse();
}

/** Whether instants of the type do not say that they are UTC. */
export function isZonelessArrow(type: DataType): boolean {
  return 'timezone' in type && !type.timezone;
}

const printable = /^[!-~]*$/;

/** Bytes of an address of an EVM chain. No text of an address is as short. */
const ADDRESS_BYTES = 20;

/** `0x...` of bytes; the text itself if they are one, since some writers do not say so of their texts. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('latin1');
  return buffer.length !== ADDRESS_BYTES && printable.test(text) ? text : `0x${buffer.toString('hex')}`;
}

/** The digits of a decimal of which the bytes hold the whole number, as databases write them: `1.10` of 110 with scale 2. */
function decimalText(bytes: Uint8Array, scale: number): string {
  const whole =
    bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return whole < 0n ? `-${text}` : text;
}
