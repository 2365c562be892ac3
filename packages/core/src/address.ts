import type { ErrorDetail } from './errors.ts';
import { show } from './nearest.ts';

export const addressFormats = ['solana', 'evm', 'any'] as const;
export type AddressFormat = (typeof addressFormats)[number];

/** What an identifier must be, such as that of a pool. */
export const IDENTIFIER = '1 to 128 printable ASCII characters without spaces';

const shapes: Record<AddressFormat, { pattern: RegExp; expected: string }> = {
  solana: { pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, expected: 'base58, 32 to 44 characters' },
  evm: { pattern: /^0x[0-9a-fA-F]{40}$/, expected: '0x and 40 hex digits' },
  any: { pattern: /^[\x21-\x7e]{1,128}$/, expected: IDENTIFIER },
};

/** The address as it is stored and compared (lower case for `evm`), or `undefined` where the text is none. */
export function normalAddress(text: string, format: AddressFormat): string | undefined {
  if (!shapes[format].pattern.test(text)) return undefined;
  return format === 'evm' ? text.toLowerCase() : text;
}

/** As `normalAddress`, of an identifier: an address of any format, in lower case where addresses are. */
export function normalIdentifier(text: string, format: AddressFormat): string | undefined {
  const identifier = normalAddress(text, 'any');
  return format === 'evm' ? identifier?.toLowerCase() : identifier;
}

export function addressFault(path: string, received: unknown, format: AddressFormat): ErrorDetail {
  return { path, message: `expected an address (${shapes[format].expected}), received ${show(received)}` };
}
