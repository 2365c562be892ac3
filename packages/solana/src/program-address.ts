import { createHash } from 'node:crypto';
import { fromBase58, toBase58 } from './base58.ts';

const P = 2n ** 255n - 19n;
/** -121665 / 121666, the constant of edwards25519. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base % P;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}

/** Whether 32 bytes are a point of edwards25519: then somebody could have its key, and no program owns the address. */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let i = 31; i >= 0; i--) y = (y << 8n) | BigInt(i === 31 ? bytes[i]! & 127 : bytes[i]!);
  if (y >= P) return false;
  const y2 = (y * y) % P;
  const x2 = ((((y2 - 1n + P) % P) * power((D * y2 + 1n) % P, P - 2n)) % P) as bigint;
  if (x2 === 0n) return bytes[31]! < 128;
  return power(x2, (P - 1n) / 2n) === 1n;
}

/** The address that a program derives of seeds: the first one, from 255 down, that is on no curve. */
export function programAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const bytes = hash.update(Uint8Array.of(bump)).update(fromBase58(program)).update('ProgramDerivedAddress').digest();
    if (!isOnCurve(bytes)) return toBase58(bytes);
  }
  throw new Error('No bump gives an address of a program.');
}
