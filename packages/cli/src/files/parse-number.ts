const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

// Exact doubles, all of them.
const powersOfTen = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** Digits that any double holds exactly, and that any 64-bit whole number does. */
const DIGITS = 15;
const MOST_DIGITS = 19;

/** The number a text stands for in decimal notation, spaces around it aside; `NaN` if it is none. "0x10", "Infinity" and "1,000" are none. */
export function parseNumber(text: string): number {
  const trimmed = text.trim();
  return decimal.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** `parseNumber` of the bytes from `start` to `end`, nearly always without making a string of them. */
export function parseNumberBytes(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === 45;
  let high = 0;
  let low = 0;
  let significant = 0;
  let fraction = -1;
  let hasDigit = false;
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      hasDigit = true;
      if (significant > 0 || digit > 0) significant++;
      if (significant <= DIGITS) high = high * 10 + digit;
      else low = low * 10 + digit;
      if (fraction >= 0) fraction++;
    } else if (digit === -2 && fraction < 0) {
      fraction = 0;
    } else {
      return parseNumber(bytes.toString('latin1', start, end));
    }
  }
  if (!hasDigit) return Number.NaN;
  const places = Math.max(0, fraction);
  if (significant <= MOST_DIGITS && places <= 22) {
    // One division of two exact doubles rounds correctly (Clinger).
    const value =
      significant <= DIGITS
        ? high / powersOfTen[places]!
        : longQuotient(high, low, { tail: significant - DIGITS, places });
    if (!Number.isNaN(value)) return isNegative ? -value : value;
  }
  return Number(bytes.toString('latin1', start, end));
}

/**
 * The double nearest to (high x 10^tail + low) / 10^places, or `NaN` where it takes more precision to tell.
 *
 * The dividend is held exactly as a sum of two doubles, and the quotient to about 100 bits: enough unless it lies next to the middle
 * between two doubles. (Dekker, "A floating-point technique for extending the available precision", 1971.)
 */
function longQuotient(high: number, low: number, o: { tail: number; places: number }): number {
  const scale = powersOfTen[o.tail]!;
  const product = high * scale;
  const rest = productError(high, scale, product) + low;
  const dividend = product + rest;
  const dividendRest = rest - (dividend - product);
  const divisor = powersOfTen[o.places]!;
  const quotient = dividend / divisor;
  const back = quotient * divisor;
  const remainder = dividend - back - productError(quotient, divisor, back) + dividendRest;
  const correction = remainder / divisor;
  const slack = Math.abs(correction) * 2 ** -40;
  const value = quotient + (correction - slack);
  return value === quotient + (correction + slack) ? value : Number.NaN;
}

/** a x b - fl(a x b), exactly. */
function productError(a: number, b: number, product: number): number {
  const aHigh = upperHalf(a);
  const aLow = a - aHigh;
  const bHigh = upperHalf(b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function upperHalf(x: number): number {
  const shifted = x * 134_217_729;
  return shifted - (shifted - x);
}
