import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';

/** The first byte of an address of the main network; the 20 bytes of the account follow. */
const MAINNET = 0x41;
const ADDRESS_BYTES = 21;

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/**
 * An address of Tron as it is shown, `T...` (base58check), or `undefined` where the text is none. The hex forms of nodes (`41` and 40 digits) and
 * of the virtual machine (`0x` and 40 digits) are the same address.
 */
export function normalTronAddress(text: string): string | undefined {
  const hex = /^(?:(?:0x)?41|0x)([0-9a-f]{40})$/i.exec(text)?.[1];
  if (hex !== undefined) return base58check.encode(Uint8Array.of(MAINNET, ...Buffer.from(hex, 'hex')));
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === ADDRESS_BYTES && bytes[0] === MAINNET ? text : undefined;
  } catch {
    return undefined;
  }
}
