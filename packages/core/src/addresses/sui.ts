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
export function normalSuiAddress(text: string): string | undefined {
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
