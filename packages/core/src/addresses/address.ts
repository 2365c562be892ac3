import type { ErrorDetail } from '../errors.ts';
import { show } from '../nearest.ts';
import { normalSuiAddress } from './sui.ts';
import { normalTronAddress } from './tron.ts';

/** What an identifier must be, such as that of a pool. */
export const IDENTIFIER = '1 to 128 printable ASCII characters without spaces';

interface Format {
  /** What an address must be, as messages say it. */
  readonly expected: string;
  /** The address as it is stored and compared, or `undefined` where the text is none. */
  readonly normal: (text: string) => string | undefined;
}

const matching =
  (pattern: RegExp): Format['normal'] =>
  (text) =>
    pattern.test(text) ? text : undefined;

/** A new format is a row here, an address for examples in `api/operations/entries.ts`, and a line of docs/reference/configuration.md. */
const formats = {
  solana: { expected: 'base58, 32 to 44 characters', normal: matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) },
  evm: {
    expected: '0x and 40 hex digits',
    normal: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : undefined),
  },
  tron: {
    expected: 'T and 33 base58 characters with a right checksum, or its hex form: 41 and 40 hex digits',
    normal: normalTronAddress,
  },
  sui: { expected: '0x and up to 64 hex digits, or a coin type such as 0x2::sui::SUI', normal: normalSuiAddress },
  any: { expected: IDENTIFIER, normal: matching(/^[\x21-\x7e]{1,128}$/) },
} as const satisfies Readonly<Record<string, Format>>;

/** One of `addressFormats`. */
export type AddressFormat = keyof typeof formats;

/** The formats of addresses that a configuration may name. */
export const addressFormats = Object.keys(formats) as readonly AddressFormat[] as readonly [
  AddressFormat,
  ...AddressFormat[],
];

/** The address as it is stored and compared (lower case for `evm`), or `undefined` where the text is none. */
export function normalAddress(text: string, format: AddressFormat): string | undefined {
  return formats[format].normal(text);
}

/** As `normalAddress`, of an identifier: an address of any format, in lower case where addresses are. */
export function normalIdentifier(text: string, format: AddressFormat): string | undefined {
  const identifier = normalAddress(text, format) ?? normalAddress(text, 'any');
  return format === 'evm' ? identifier?.toLowerCase() : identifier;
}

/** The address that a text of a filter means: one that is none, such as the beginning of one, stays what it is. */
export function meantAddress(text: string, format: AddressFormat): string {
  return normalAddress(text, format) ?? (format === 'evm' ? text.toLowerCase() : text);
}

export function addressFault(path: string, received: unknown, format: AddressFormat): ErrorDetail {
  return { path, message: `expected an address (${formats[format].expected}), received ${show(received)}` };
}
