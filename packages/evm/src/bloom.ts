import { keccak_256 } from '@noble/hashes/sha3';

/** Places of three bits in a bloom of 2,048: byte and mask. */
type Bits = readonly (readonly [byte: number, mask: number])[];

function bitsOf(value: string): Bits {
  const hash = keccak_256(Buffer.from(value.slice(2), 'hex'));
  return [0, 2, 4].map((at) => {
    const bit = (hash[at]! * 256 + hash[at + 1]!) & 2047;
    return [255 - (bit >> 3), 1 << (bit & 7)] as const;
  });
}

/** A test of the blooms of blocks: whether one may hold a log that has one of each list of topics, of one of the addresses if there are any. */
export function bloomTest(
  topics: readonly (readonly string[])[],
  addresses: readonly string[] | undefined,
): (bloom: string) => boolean {
  const wanted = [...topics, ...(addresses === undefined ? [] : [addresses])].map((values) => values.map(bitsOf));
  return (bloom) => {
    const bytes = Buffer.from(bloom.slice(2), 'hex');
    const has = (bits: Bits): boolean => bits.every(([byte, mask]) => (bytes[byte]! & mask) !== 0);
    return bytes.length === 256 && wanted.every((values) => values.some(has));
  };
}

/** The bloom of logs, as a number. */
export function bloomOf(logs: readonly { readonly address: string; readonly topics: readonly string[] }[]): bigint {
  const bytes = Buffer.alloc(256);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics])))
    for (const [byte, mask] of bitsOf(value)) bytes[byte]! |= mask;
  return BigInt(`0x${bytes.toString('hex')}`);
}

/** Whether a bloom has all that another one says. Some chains give logs that the bloom of their block leaves out. */
export const coversBloom = (bloom: bigint, of: bigint): boolean => (bloom & of) === of;
