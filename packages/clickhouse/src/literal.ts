import type { ColumnType } from '@swapfold/core/engine';
import type { Bound, Statement } from '@swapfold/sql';

/** ClickHouse's type of a column that is never null. */
export const plainTypes: Record<ColumnType, string> = { id: 'Int32', long: 'Int64', double: 'Float64', text: 'String' };

/**
 * A statement with its values in place of each `?`.
 *
 * The client binds values in the address of the request, which holds some kilobytes; a list of a batch has megabytes. So values are
 * written into the statement in digits: whole numbers in decimal, texts and doubles as the hexadecimal digits of their bytes. There is
 * nothing to escape, and a double is the same to the bit, which ClickHouse's parser of decimals does not promise.
 */
export function withValues({ sql, values }: Statement): string {
  const parts = sql.split('?');
  return parts.reduce((text, part, i) => text + literal(values[i - 1]!) + part);
}

function literal(bound: Bound): string {
  if (bound.kind === 'list') return listLiteral(bound.type, bound.values);
  if (bound.type === 'text') return textLiteral(bound.value as string);
  if (bound.type === 'double') return `reinterpretAsFloat64(unhex('${hexOf(bound.value as number)}'))`;
  return `to${plainTypes[bound.type]}(${wholeDigits(bound.value as number)})`;
}

export function textLiteral(text: string): string {
  return `unhex('${Buffer.from(text, 'utf8').toString('hex')}')`;
}

/**
 * Values of an array that stays one: from 131,072 on ClickHouse 26 looks through the array for each row, which takes hours (ClickHouse pull
 * request 120870). A set that is made of it does not.
 */
const LONGEST_ARRAY = 50_000;

/** One literal a list, parsed as data. What needs a function comes from a subquery, which runs it once; an expression runs it for each row. */
function listLiteral(type: ColumnType, values: ArrayLike<number | string>): string {
  if (type === 'text') {
    const texts = Array.from(values as ArrayLike<string>, (value) => Buffer.from(value, 'utf8').toString('hex'));
    return `(select unhex(arrayJoin(splitByChar(',', '${texts.join(',')}'))))`;
  }
  if (type === 'double') return `(select reinterpret(arrayJoin(${arrayLiteral('UInt64', bitsOf(values))}), 'Float64'))`;
  const array = arrayLiteral(plainTypes[type], Array.from(values as ArrayLike<number>, wholeDigits));
  return values.length > LONGEST_ARRAY ? `(select arrayJoin(${array}))` : array;
}

function arrayLiteral(type: string, digits: readonly string[]): string {
  return `cast('[${digits.join(',')}]' as Array(${type}))`;
}

/** `String` writes -0 as 0 and everything up to 2^53 without an exponent. */
function wholeDigits(value: number): string {
  return String(value);
}

function hexOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
}

/** The bits of 0 and of -0. */
const ZEROS = ['0', String(2n ** 63n)];

/** `in` compares doubles by their bits: if there is a zero, both are meant. */
function bitsOf(values: ArrayLike<number | string>): string[] {
  const doubles = Float64Array.from(values as ArrayLike<number>);
  const digits = Array.from(new BigUint64Array(doubles.buffer), String);
  return doubles.includes(0) ? [...digits, ...ZEROS] : digits;
}
