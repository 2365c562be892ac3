const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

// Whole numbers up to 2^53 and these powers are exact doubles, so that one multiplication or division rounds correctly (Clinger).
const exactPowers = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** The number a text stands for in decimal notation, spaces around it aside; `NaN` where it is none. "0x10", "Infinity" and "1,000" are none. */
export function parseNumber(text: string): number {
  const trimmed = text.trim();
  return decimal.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** `parseNumber` of the bytes from `start` to `end`, without a string where at most 15 digits make it up. */
export function parseNumberBytes(bytes: Buffer, start: number, end: number): number {
  let at = start;
  const isNegative = bytes[at] === 45;
  if (isNegative) at++;
  let mantissa = 0;
  let significant = 0;
  let fraction = -1;
  let hasDigit = false;
  for (; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      hasDigit = true;
      if (significant > 0 || digit > 0) significant++;
      if (significant <= 15) mantissa = mantissa * 10 + digit;
      if (fraction >= 0) fraction++;
    } else if (digit === -2 && fraction < 0) {
      fraction = 0;
    } else {
      return parseNumber(bytes.toString('latin1', start, end));
    }
  }
  if (!hasDigit) return Number.NaN;
  if (significant > 15 || fraction > 22) return Number(bytes.toString('latin1', start, end));
  const value = fraction > 0 ? mantissa / exactPowers[fraction]! : mantissa;
  return isNegative ? -value : value;
}
