/** 32 mixed bits of a whole number from 0 to 2^53: its bits decide, not its size, so that neighbours spread. */
export function hashKey(key: number): number {
  let hash = Math.imul((key | 0) ^ Math.imul((key / 4294967296) | 0, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}
