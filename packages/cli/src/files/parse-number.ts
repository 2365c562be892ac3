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
  let digits = 0;
  let fraction = -1;
  for (; at < end; at++) {
    const c = bytes[at]! - 48;
    if (c >= 0 && c <= 9) {
      mantissa = mantissa * 10 + c;
      if (mantissa > 0) digits++;
      if (fraction >= 0) fraction++;
    } else if (c === -2 && fraction < 0) {
      fraction = 0;
    } else {
      return parseNumber(bytes.toString('latin1', start, end));
    }
  }
  const isSimple = digits <= 15 && fraction <= 22 && bytes[end - 1] !== 46 && end - start > (isNegative ? 1 : 0);
  if (!isSimple) return parseNumber(bytes.toString('latin1', start, end));
  const value = fraction > 0 ? mantissa / exactPowers[fraction]! : mantissa;
  return isNegative ? -value : value;
}
