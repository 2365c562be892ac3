const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const digits = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) digits[ALPHABET.charCodeAt(i)] = i;

/** Digits that are taken at once: 58^4 times a limb of 24 bits is exact in a double. */
const CHUNK = 4;
const powers = [1, 58, 58 ** 2, 58 ** 3, 58 ** 4] as const;
const LIMB = 2 ** 24;
const none = new Uint8Array(0);

/** The bytes of a text in base 58; none of a text that is not in it. */
export function fromBase58(text: string): Uint8Array {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++;
  const limbs: number[] = [];
  for (let at = zeros; at < text.length; at += CHUNK) {
    const end = Math.min(text.length, at + CHUNK);
    let carry = 0;
    for (let i = at; i < end; i++) {
      const digit = digits[text.charCodeAt(i)] ?? -1;
      if (digit < 0) return none;
      carry = carry * 58 + digit;
    }
    const factor = powers[(end - at) as 1 | 2 | 3 | 4];
    for (let i = 0; i < limbs.length; i++) {
      const value = limbs[i]! * factor + carry;
      carry = Math.floor(value / LIMB);
      limbs[i] = value - carry * LIMB;
    }
    if (carry > 0) limbs.push(carry);
  }
  return bytesOf(limbs, zeros);
}

/** `limbs`: of 24 bits, the least first. */
function bytesOf(limbs: readonly number[], zeros: number): Uint8Array {
  const bytes = new Uint8Array(zeros + 3 * limbs.length);
  let at = zeros;
  for (let i = limbs.length - 1; i >= 0; i--)
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (limbs[i]! >>> shift) & 255;
      if (byte !== 0 || at > zeros) bytes[at++] = byte;
    }
  return bytes.subarray(0, at);
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
