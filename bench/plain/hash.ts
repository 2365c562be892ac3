/** A 53-bit hash of a swap's identity (two rounds of multiply and shift over the characters), as a plain loader would use it. */
export function hashOf(text: string, index: number): number {
  let a = 0x9e3779b1 ^ index;
  let b = 0x85ebca6b ^ index;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b >>> 0) * 2 ** 21 + ((a >>> 0) & 0x1fffff);
}
