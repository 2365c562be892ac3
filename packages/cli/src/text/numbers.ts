const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** What stands for a number that is not defined. */
export const NONE = '–';

/** `1,234,567` */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Three digits: `1.23M`, `950`, `0.00123`, `1.50e-9`, `1.50e+15`. */
export function formatCompact(value: number | null): string {
  if (value === null) return NONE;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-6 || size >= 9.995e14)) return value.toExponential(2);
  return compact.format(value);
}

/** `$1.23M`, `-$45.6K` */
export function formatUsd(value: number | null): string {
  if (value === null) return NONE;
  return `${value < 0 ? '-' : ''}$${formatCompact(Math.abs(value))}`;
}

/** `1.23K SOL`, of an amount of the native token and its symbol. */
export function formatNative(value: number | null, symbol: string): string {
  return value === null ? NONE : `${formatCompact(value)} ${symbol}`.trimEnd();
}

/** Three digits at most: 12.345 is `12.3%`, 456.7 is `457%`. */
export function formatPercent(value: number | null): string {
  if (value === null) return NONE;
  const text = value.toFixed(1).replace(/^-0\.0$/, '0.0');
  return `${Math.abs(Number(text)) < 100 ? text : formatCompact(value)}%`;
}

/** Bytes in megabytes: `0.3 MB`, `1,234.5 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${megabytes.format(bytes / 1e6)} MB`;
}

/** Seconds of running time: `0.42 s`, `3.1 s`, `2 min 5 s`. */
export function formatElapsed(seconds: number): string {
  if (seconds < 0.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A length of time in its two largest units: `3d 4h`, `12m 5s`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return NONE;
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const;
  let rest = Math.round(seconds);
  const first = Math.max(
    0,
    units.findIndex(([, length]) => rest >= length),
  );
  const parts = units.slice(first, first + 2).map(([name, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return `${count}${name}`;
  });
  return seconds < 1 ? '0s' : parts.join(' ');
}
