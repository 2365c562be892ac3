import type { DataType, Decimal, Vector } from 'apache-arrow';
import { decimalText } from './parquet-decimals.ts';

type Arrow = typeof import('apache-arrow');

/** Reads a column's values by row: instants as dates, decimals as they are written, lists as arrays, bytes of texts as texts. */
export function arrowValues({ DataType: is }: Arrow, vector: Vector, isText: boolean): (row: number) => unknown {
  const { type } = vector;
  if (is.isTimestamp(type)) return instants(vector, 1000n ** BigInt(type.unit));
  const read = readerOf(is, is.isDictionary(type) ? type.dictionary : type, isText);
  return (row) => {
    const value: unknown = vector.get(row);
    return value === null ? null : read(value);
  };
}

/** From what is stored: the library's numbers round a nanosecond before a second up. */
function instants(vector: Vector, perSecond: bigint): (row: number) => Date | null {
  const stored = vector.data[0]!.values as BigInt64Array;
  return (row) => (vector.isValid(row) ? new Date(Number(stored[row]! / perSecond) * 1000) : null);
}

function readerOf(is: Arrow['DataType'], type: DataType, isText: boolean): (value: unknown) => unknown {
  if (is.isTimestamp(type) || is.isDate(type)) return (value) => new Date(Math.floor(Number(value)));
  if (is.isDecimal(type)) return (value) => decimalText(bigEndian(value as Uint32Array), (type as Decimal).scale);
  if (is.isList(type) || is.isFixedSizeList(type)) return (value) => [...(value as Iterable<unknown>)];
  if ((is.isBinary(type) || is.isLargeBinary(type) || is.isFixedSizeBinary(type)) && isText)
    return (value) => Buffer.from(value as Uint8Array).toString('utf8');
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
