import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import type { ErrorDetail } from '../errors.ts';
import { show } from '../nearest.ts';

/** Longer types are no coin that anyone trades. */
const MAX_LENGTH = 512;
const DIGITS = 64;

const address = /^0x([0-9a-f]{1,64})$/i;
const struct = /0x([0-9a-f]{1,64})::([A-Za-z_]\w*)::([A-Za-z_]\w*)/iy;
const primitive = /(?:bool|u8|u16|u32|u64|u128|u256|address)\b/y;

/**
 * An address of Sui (`0x` and 64 hex digits) or a coin type (`0x2::sui::SUI`) as it is stored, or `undefined` where the text is none.
 *
 * - Hex digits are in lower case. An address has all 64 digits.
 * - Within a type an address from 0x0 to 0xf, one of the system's packages, has one digit, and every other has 64.
 * - `0x2::sui::SUI` and the form with 63 zeros are one coin; module and name keep their case.
 */
function normalSuiAddress(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const digits = address.exec(text)?.[1];
  if (digits !== undefined) return whole(digits);
  const type = structAt(text, 0);
  return type?.end === text.length ? type.text : undefined;
}

interface Parsed {
  readonly text: string;
  readonly end: number;
}

function structAt(text: string, at: number): Parsed | undefined {
  struct.lastIndex = at;
  const found = struct.exec(text);
  if (found === null) return undefined;
  const [matched, digits, module, name] = found;
  const base = `${packageAddress(digits!)}::${module}::${name}`;
  const end = at + matched.length;
  return text[end] === '<' ? withArguments(text, end, base) : { text: base, end };
}

/** A type with the arguments that begin at `at`. */
function withArguments(text: string, at: number, base: string): Parsed | undefined {
  const parts: string[] = [];
  let end = at;
  do {
    const part = typeAt(text, end + 1);
    if (part === undefined) return undefined;
    parts.push(part.text);
    end = part.end;
  } while (text[end] === ',');
  return text[end] === '>' ? { text: `${base}<${parts.join(',')}>`, end: end + 1 } : undefined;
}

function typeAt(text: string, at: number): Parsed | undefined {
  if (text.startsWith('vector<', at)) return withArguments(text, at + 'vector'.length, 'vector');
  primitive.lastIndex = at;
  const found = primitive.exec(text)?.[0];
  return found === undefined ? structAt(text, at) : { text: found, end: at + found.length };
}

const whole = (digits: string): string => `0x${digits.toLowerCase().padStart(DIGITS, '0')}`;

function packageAddress(digits: string): string {
  const short = digits.toLowerCase().replace(/^0+(?=.)/, '');
  return short.length === 1 ? `0x${short}` : whole(digits);
}

/** The first byte of an address of the main network; the 20 bytes of the account follow. */
const MAINNET = 0x41;
const ADDRESS_BYTES = 21;

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/**
 * An address of Tron as it is shown, `T...` (base58check), or `undefined` where the text is none. The hex forms of nodes (`41` and 40 digits) and
 * of the virtual machine (`0x` and 40 digits) are the same address.
 */
function normalTronAddress(text: string): string | undefined {
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

export const IDENTIFIER_LENGTH = 128;
/** What an identifier must be, such as the address of a pool. */
export const IDENTIFIER = `1 to ${IDENTIFIER_LENGTH} printable ASCII characters without spaces`;

interface Format {
  /** What an address must be, as messages say it. */
  readonly expected: string;
  /** The address as it is stored and compared, or `undefined` where the text is none. */
  readonly normal: (text: string) => string | undefined;
  /** The address of nobody, as it is stored: of what was minted or burnt. */
  readonly zero: string;
}

const matching =
  (pattern: RegExp): Format['normal'] =>
  (text) =>
    pattern.test(text) ? text : undefined;

/** A new format is a row here, an address for examples in `api/operations/entries.ts`, and a line of docs/reference/configuration.md. */
const formats = {
  solana: {
    expected: 'base58, 32 to 44 characters',
    normal: matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
    zero: '1'.repeat(32),
  },
  evm: {
    expected: '0x and 40 hex digits',
    normal: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : undefined),
    zero: `0x${'0'.repeat(40)}`,
  },
  tron: {
    expected: 'T and 33 base58 characters with a right checksum, or its hex form: 41 and 40 hex digits',
    normal: normalTronAddress,
    zero: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  },
  sui: {
    expected: '0x and up to 64 hex digits, or a coin type such as 0x2::sui::SUI',
    normal: normalSuiAddress,
    zero: whole('0'),
  },
  any: {
    expected: IDENTIFIER,
    normal: matching(new RegExp(`^[\\x21-\\x7e]{1,${IDENTIFIER_LENGTH}}$`)),
    zero: `0x${'0'.repeat(40)}`,
  },
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

/** The address of nobody, as it is stored: of what was minted or burnt. */
export const zeroAddress = (format: AddressFormat): string => formats[format].zero;

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
  const isShort = typeof received === 'string' && received.includes('…');
  const hint = isShort ? ', whose middle is left out; take the whole one' : '';
  return { path, message: `expected an address (${formats[format].expected}), received ${show(received)}${hint}` };
}
