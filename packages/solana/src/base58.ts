const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digits = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) digits[ALPHABET.charCodeAt(i)] = i;

/** Digits that are taken at once: 58^4 times a limb of 24 bits is exact in a double. */
const CHUNK = 4;
const powers = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4] as const;
const LIMB = 2 ** 24;
const none = new Uint8Array(0);
/** Limbs while a text is read; room for the longest data that a transaction has. */
const limbs = new Float64Array(1024);

/** The bytes of a text in base 58; none of a text that is not in it, or is longer than any transaction. */
export function fromBase58(text: string): Uint8Array {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++;
  if (text.length > 4 * limbs.length) return none;
  let count = 0;
  for (let at = zeros; at < text.length; at += CHUNK) {
    const end = Math.min(text.length, at + CHUNK);
    let carry = 0;
    for (let i = at; i < end; i++) {
      const digit = digits[text.charCodeAt(i)] ?? -1;
      if (digit < 0) return none;
      carry = carry * 58 + digit;
    }
    const factor = powers[(end - at) as 1 | 2 | 3 | 4];
    for (let i = 0; i < count; i++) {
      const value = limbs[i]! * factor + carry;
      carry = Math.floor(value / LIMB);
      limbs[i] = value - carry * LIMB;
    }
    if (carry > 0) limbs[count++] = carry;
  }
  return bytesOf(count, zeros);
}

/** Of the limbs, 24 bits each, the least first. */
function bytesOf(count: number, zeros: number): Uint8Array {
  const top = count === 0 ? 0 : limbs[count - 1]!;
  const topBytes = top >= 65_536 ? 3 : top >= 256 ? 2 : top > 0 ? 1 : 0;
  const length = zeros + 3 * Math.max(0, count - 1) + topBytes;
  const bytes = Buffer.allocUnsafe(length);
  bytes.fill(0, 0, zeros);
  for (let at = length - 1, limb = 0; at >= zeros; limb++)
    for (let rest = limbs[limb]!, i = 0; i < 3 && at >= zeros; i++, rest >>= 8) bytes[at--] = rest & 255;
  return bytes;
}

/** Bytes as a text in base 58. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const reversed: number[] = [];
  for (const byte of bytes.subarray(zeros)) {
    let carry = byte;
    for (let i = 0; i < reversed.length; i++) {
      const value = reversed[i]! * 256 + carry;
      carry = Math.floor(value / 58);
      reversed[i] = value % 58;
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) reversed.push(carry % 58);
  }
  return (
    '1'.repeat(zeros) +
    reversed
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join('')
  );
}

/** The whole number of 8 bytes, the least first; 0 beyond the end. */
export function u64(bytes: Uint8Array, at: number): bigint {
  if (at + 8 > bytes.length) return 0n;
  return BigInt(u32(bytes, at + 4)) * 4_294_967_296n + BigInt(u32(bytes, at));
}

export const u32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at + 3] ?? 0) * 2 ** 24 + (bytes[at + 2] ?? 0) * 2 ** 16 + (bytes[at + 1] ?? 0) * 256 + (bytes[at] ?? 0)) >>>
  0;
