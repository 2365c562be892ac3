// @ts-check
import { settings } from './settings.js';

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/**
 * 1234567 is 1.235M; 12.5 is 12.5.
 * @param {number} value
 */
export function amount(value) {
  const size = Math.abs(value);
  if (size >= 100_000) return compact.format(value);
  if (size >= 1000) return whole.format(value);
  return size < 0.001 && size > 0 ? countedZeros(value) : significant.format(value);
}

/**
 * Of 0.0000307 the zeros are counted: 0.0₄307.
 * @param {number} value
 */
function countedZeros(value) {
  const [digits, exponent] = /** @type {[string, string]} */ (Math.abs(value).toExponential(3).split('e-'));
  const zeros = Number(exponent) - 1;
  const tail = digits.replace('.', '').replace(/0+$/, '');
  const subscript = [...String(zeros)].map((digit) => SUBSCRIPTS[/** @type {any} */ (digit)]).join('');
  return `${value < 0 ? '−' : ''}0.0${subscript}${tail}`;
}

/** What the native token of the store's chain is called. */
export const units = { native: '' };

/**
 * What rounds to nothing has no sign.
 * @param {string} text
 */
const isNothing = (text) => /^0\.0+ %$/.test(text);

/** @type {(value: number, text: string) => string} */
const signed = (value, text) => `${value < 0 && !isNothing(text) ? '−' : ''}${text}`;

/** @param {number} value */
export function usd(value) {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.01) return signed(value, '<$0.01');
  return signed(value, `$${size >= 100_000 ? compact.format(size) : grouped.format(size)}`);
}

/** @param {number} value */
export function price(value) {
  return signed(value, `$${amount(Math.abs(value)).replace('−', '')}`);
}

/**
 * 12.5 %, 5,739 %: one digit behind the point, none from 100 on.
 * @param {number} value
 */
export function percent(value) {
  const size = Math.abs(value);
  return signed(
    value,
    `${size >= 10_000 ? compact.format(size) : size >= 99.95 ? whole.format(size) : size.toFixed(1)} %`,
  );
}

/**
 * A mark of a price axis whose marks are a step apart. What a sum of steps leaves of 0 is 0, and no price is below.
 * @param {number} value
 * @param {number} step
 */
export const axisPrice = (value, step) => (value < -step / 2 ? '' : value < step / 2 ? '$0' : price(value));

/** @param {number} value */
export function count(value) {
  return Number.isInteger(value) ? whole.format(value) : significant.format(value);
}

/** @param {number} seconds */
export function duration(seconds) {
  /** @type {readonly (readonly [name: string, seconds: number])[]} */
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ];
  const at = units.findIndex(([, size]) => seconds >= size);
  if (at < 0) return `${significant.format(seconds)} s`;
  const [name, size] = /** @type {[string, number]} */ (/** @type {unknown} */ (units[at]));
  const next = units[at + 1] ?? ['s', 1];
  const rest = Math.floor((seconds % size) / next[1]);
  return `${whole.format(Math.floor(seconds / size))} ${name}${rest === 0 ? '' : ` ${rest} ${next[0]}`}`;
}

/**
 * "31 Dec 2024, 23:59:10" of Unix seconds or RFC 3339, in UTC or in the zone of this machine.
 * @param {number | string} value
 */
export function time(value) {
  const [, year, month, day, clock] = /** @type {RegExpExecArray} */ (
    /(\d+)-(\d+)-(\d+).([\d:]+)/.exec(zoned(value).toISOString())
  );
  return `${Number(day)} ${months[Number(month) - 1]} ${year}, ${clock}`;
}

/**
 * The instant whose parts in UTC are what a clock shows.
 * @param {number | string} value
 */
function zoned(value) {
  const date = new Date(typeof value === 'number' ? value * 1000 : value);
  return settings.zone === 'UTC' ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
}

/** Which clock the times are of, where one has to say so. */
export const zone = () => (settings.zone === 'UTC' ? 'UTC' : 'local');

/**
 * The same to the minute.
 * @param {number | string} value
 */
export const date = (value) => time(value).slice(0, -3);

/** @param {string} address */
export const short = (address) => (address.length > 13 ? `${address.slice(0, 5)}…${address.slice(-4)}` : address);

/** @param {number} value */
const native = (value) => `${amount(value)}${units.native === '' ? '' : ` ${units.native}`}`;

/**
 * With as many digits as one reads at a glance: $66,341, 42.6 %.
 * @param {string | undefined} unit
 * @param {unknown} value
 * @returns {string}
 */
export function brief(unit, value) {
  if (typeof value !== 'number') return format(unit, value);
  const size = Math.abs(value);
  if (unit === 'USD' && size >= 1000 && size < 1_000_000) return signed(value, `$${whole.format(size)}`);
  return format(unit, value);
}

/**
 * As `brief`, with a plus for a gain.
 * @param {string} unit
 * @param {unknown} value
 * @returns {string}
 */
export function gain(unit, value) {
  const text = brief(unit, value);
  return `${/** @type {number} */ (value) > 0 && !isNothing(text) ? '+' : ''}${text}`;
}

/**
 * "9 min ago" of the last week; of older times the date: "31 Dec 2024, 23:59".
 * @param {number | string} value
 */
export function when(value, now = Date.now()) {
  const seconds = typeof value === 'number' ? value : Date.parse(value) / 1000;
  const age = now / 1000 - seconds;
  if (age >= 0 && age < 60) return `${Math.floor(age)} s ago`;
  if (age >= 0 && age < 3600) return `${Math.floor(age / 60)} min ago`;
  if (age >= 0 && age < 86_400) return `${Math.floor(age / 3600)} h ago`;
  if (age >= 0 && age < 7 * 86_400) return `${Math.floor(age / 86_400)} d ago`;
  return date(seconds);
}

const graphemes = globalThis.Intl?.Segmenter && new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * At most so many characters as one sees them: no emoji is cut in two.
 * @param {string} text
 * @param {number} most
 */
export function cut(text, most) {
  const seen = graphemes ? Array.from(graphemes.segment(text), ({ segment }) => segment) : [...text];
  return seen.length > most ? `${seen.slice(0, most - 1).join('')}…` : text;
}

/** @type {Readonly<Record<string, (value: number) => string>>} */
const byUnit = {
  native,
  USD: usd,
  'USD per token': price,
  percent,
  count,
  seconds: duration,
  time,
  'count per day': count,
  ratio: (value) => significant.format(value),
  score: (value) => significant.format(value),
};

/**
 * A value as traders read it; text and lists as they are.
 * @param {string | undefined} unit
 * @param {unknown} value
 */
export function format(unit, value) {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (unit === 'time') return time(/** @type {number | string} */ (value));
  if (typeof value !== 'number') return String(value);
  return (byUnit[/** @type {string} */ (unit)] ?? amount)(value);
}
