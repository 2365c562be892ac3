const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digits = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) digits[ALPHABET.charCodeAt(i)] = i;

/** Digits that are taken at once: 58^4 times a limb of 24 bits is exact in a double. */
const CHUNK = 4;
/** Bytes that are taken at once, the other way: 2^24 times four digits is exact, too. */
const BYTES = 3;
const powers = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4] as const;
const LIMB = 2 ** 24;
const none = Buffer.alloc(0);
/** Limbs while a text is read; room for the longest data that a transaction has. */
const limbs = new Float64Array(1024);

/** The bytes of a text in base 58; none of a text that is not in it, or is longer than any transaction. */
export function fromBase58(text: string): Buffer {
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
function bytesOf(count: number, zeros: number): Buffer {
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
  let count = 0;
  for (let at = zeros; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + BYTES);
    let [carry, factor] = [0, 1];
    for (; at < end; at++) {
      carry = carry * 256 + bytes[at]!;
      factor *= 256;
    }
    for (let i = 0; i < count; i++) {
      const value = limbs[i]! * factor + carry;
      carry = Math.floor(value / powers[CHUNK]);
      limbs[i] = value - carry * powers[CHUNK];
    }
    for (; carry > 0; carry = Math.floor(carry / powers[CHUNK])) limbs[count++] = carry % powers[CHUNK];
  }
  let text = '';
  for (let i = 0; i < count; i++) {
    let rest = limbs[i]!;
    for (let digit = 0; digit < CHUNK && (rest > 0 || i < count - 1); digit++) {
      text = ALPHABET[rest % 58] + text;
      rest = Math.floor(rest / 58);
    }
  }
  return '1'.repeat(zeros) + text;
}

/** The whole number of 8 bytes, the least first; 0 beyond the end. */
export function u64(bytes: Uint8Array, at: number): bigint {
  if (at + 8 > bytes.length) return 0n;
  const [high, low] = [u32(bytes, at + 4), u32(bytes, at)];
  // What a double holds exactly is made at once.
  return high < 2 ** 21 ? BigInt(high * 2 ** 32 + low) : BigInt(high) * 4_294_967_296n + BigInt(low);
}

export const u32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at + 3] ?? 0) * 2 ** 24 + (bytes[at + 2] ?? 0) * 2 ** 16 + (bytes[at + 1] ?? 0) * 256 + (bytes[at] ?? 0)) >>>
  0;
