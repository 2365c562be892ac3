import type { AddressFormat } from './address.ts';

const evmHash = /^(?:0x)?[\da-f]{64}$/i;
const hexText = /^0x[\da-f]+$/i;

/** A hash of a transaction as it is stored and compared. Of EVM chains the case of hex digits says nothing, and 64 of them need no `0x`. */
export function storedHash(text: string, format: AddressFormat): string {
  if (format !== 'evm') return text;
  if (evmHash.test(text)) return text.length === 64 ? `0x${text.toLowerCase()}` : text.toLowerCase();
  return hexText.test(text) ? text.toLowerCase() : text;
}

/** Whether a hash as it is stored has the form of the hashes of its chain. Only those of EVM chains are known by a form. */
export function isOddHash(stored: string, format: AddressFormat): boolean {
  return format === 'evm' && !(stored.length === 66 && evmHash.test(stored));
}
