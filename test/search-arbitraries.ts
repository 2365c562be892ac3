import fc from 'fast-check';
import { fold } from '../packages/core/src/filter/words.ts';
import { AS_OF, type Profile } from '../packages/core/test/search-fixtures.ts';

/**
 * A filter for Swapfold and the same for mingo. The mapping covers what Swapfold adds to MongoDB's language:
 * times become numbers (twice the second, plus one between two seconds), texts become their code points in hexadecimal,
 * so that they compare as UTF-8 does, `$contains` and `$startsWith` become patterns over folded text,
 * `$not` of a filter becomes `$nor`, and `cumulative_pnl` becomes `pnl`.
 */
export interface FilterPair {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly mongo: Readonly<Record<string, unknown>>;
}

interface Operand {
  readonly given: unknown;
  readonly mapped: unknown;
}

const numbers = [0, -0, 1, -1, 0.1, 0.1 + 0.2, 2, 1e300, 5e-324, 2 ** 53, 86_400];
const texts = [
  '',
  'a',
  'A',
  'aB',
  'ab',
  'á',
  'a\u0301',
  'ß',
  'SS',
  'ſ',
  'Σ',
  'ς',
  'İ',
  '\uffff',
  '\ue000',
  '😀',
  'a%',
  'a_',
  "a'",
  'a"\\',
  '|',
  '犬',
];
const labelNames = ['hot', 'new', 'popular', "o'hara"];

const number = often(fc.constantFrom(...numbers), fc.double({ noNaN: true, noDefaultInfinity: true }));
const text = often(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 4 }).filter(isStorable));
const seconds = often(fc.integer({ min: AS_OF - 3, max: AS_OF + 1 }), fc.integer({ min: 0, max: 2 ** 32 }));
const offset = fc.constantFrom(0, 90, -330, 840);
const fraction = fc.constantFrom('', '', '.0', '.000000', '.5', '.0000001', '.999999999999');

export const numberPaths = ['market.price', 'market.liquidity', 'metrics.1d.volume', 'metrics.7d.pnl'];
export const textPaths = ['metadata.symbol', 'metadata.name'];
export const datePaths = ['updated_at', 'metadata.created_at', 'metadata.last_trade_at'];

/** Mostly from the few values that meet often, now and then any. */
function often<T>(few: fc.Arbitrary<T>, any: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: few }, { weight: 1, arbitrary: any });
}

/** A profile as plain data; `token_address` is set by the caller, for it is unique. */
export const profile: fc.Arbitrary<Profile> = fc.record(
  {
    ...Object.fromEntries(numberPaths.map((path) => [path, number])),
    ...Object.fromEntries(textPaths.map((path) => [path, text])),
    ...Object.fromEntries(datePaths.map((path) => [path, seconds.map((time) => rfc3339(time, 0, ''))])),
    'metadata.verified': fc.boolean(),
    labels: fc.subarray(labelNames),
  },
  { requiredKeys: [] },
);

/** The profile as mingo reads it: nested, missing fields left out. */
export function toDocument(profile: Profile): Record<string, unknown> {
  const document: Record<string, unknown> = { labels: profile.labels ?? [] };
  for (const [path, value] of Object.entries(profile)) {
    if (path === 'labels' || value === null || value === undefined) continue;
    if (datePaths.includes(path)) {
      const time = Date.parse(value as string) / 1000;
      setPath(document, path, time * 2);
      if (path === 'metadata.created_at') setPath(document, 'metadata.age', AS_OF - time);
      if (path === 'metadata.last_trade_at') setPath(document, 'metadata.idle', AS_OF - time);
    } else if (typeof value === 'string') {
      setPath(document, path, codePoints(value));
      setPath(document, `folded.${path}`, fold(value));
    } else {
      setPath(document, path, value);
    }
  }
  return document;
}

const numberOperand: fc.Arbitrary<Operand> = number.map(same);
const ageOperand: fc.Arbitrary<Operand> = fc
  .oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -0.5, 1e300, -1e300, 2.999), number)
  .map(same);
const textOperand: fc.Arbitrary<Operand> = text.map((given) => ({ given, mapped: codePoints(given) }));
const labelOperand: fc.Arbitrary<Operand> = often(fc.constantFrom(...labelNames, 'ho', '', 'hot|new'), text).map(same);
const booleanOperand: fc.Arbitrary<Operand> = fc.boolean().map(same);
const dateOperand: fc.Arbitrary<Operand> = fc
  .record({ time: seconds, minutes: offset, digits: fraction })
  .map(({ time, minutes, digits }) => ({
    given: rfc3339(time, minutes, digits),
    mapped: time * 2 + (/[1-9]/.test(digits) ? 1 : 0),
  }));

const nullOperand: Operand = { given: null, mapped: null };
const orders = ['$gt', '$gte', '$lt', '$lte'];

function fieldPair(
  path: string,
  operand: fc.Arbitrary<Operand>,
  extra: fc.Arbitrary<[string, Operand]>[],
  mapped = path,
): fc.Arbitrary<FilterPair> {
  const nullable = fc.oneof({ weight: 6, arbitrary: operand }, { weight: 1, arbitrary: fc.constant(nullOperand) });
  const list = fc
    .array(nullable, { maxLength: 4 })
    .map((items): Operand => ({ given: items.map((item) => item.given), mapped: items.map((item) => item.mapped) }));
  const exists = fc.boolean().map((given): [string, Operand] => ['$exists', same(given)]);
  const one = fc.oneof(
    fc.tuple(fc.constantFrom('$eq', '$ne'), nullable),
    fc.tuple(fc.constantFrom('$in', '$nin'), list),
    exists,
    ...extra,
  );
  const several = fc.uniqueArray(one, { minLength: 1, maxLength: 2, selector: ([operator]) => operator });
  return fc.oneof(
    {
      weight: 1,
      arbitrary: nullable.map((value) => ({ filter: { [path]: value.given }, mongo: { [mapped]: value.mapped } })),
    },
    { weight: 4, arbitrary: several.map((conditions) => pairOf(path, mapped, conditions)) },
  );
}

function pairOf(path: string, mapped: string, conditions: readonly (readonly [string, Operand])[]): FilterPair {
  const filter = Object.fromEntries(conditions.map(([operator, operand]) => [operator, operand.given]));
  const mongo = conditions.map(([operator, operand]) => mongoCondition(mapped, operator, operand));
  return { filter: { [path]: filter }, mongo: { $and: mongo } };
}

function mongoCondition(path: string, operator: string, { given, mapped }: Operand): Record<string, unknown> {
  if (operator !== '$contains' && operator !== '$startsWith') return { [path]: { [operator]: mapped } };
  const pattern = escaped(fold(given as string));
  return { [`folded.${path}`]: { $regex: new RegExp(operator === '$contains' ? pattern : `^${pattern}`, 's') } };
}

const ordering = (operand: fc.Arbitrary<Operand>) => [fc.tuple(fc.constantFrom(...orders), operand)];
const matching = [fc.tuple(fc.constantFrom('$contains', '$startsWith'), text.map(same))];
const labelList = fc
  .array(labelOperand, { maxLength: 3 })
  .map((items): Operand => ({ given: items.map(({ given }) => given), mapped: items.map(({ given }) => given) }));

const field: fc.Arbitrary<FilterPair> = fc.oneof(
  ...numberPaths.map((path) => fieldPair(path, numberOperand, ordering(numberOperand))),
  ...textPaths.map((path) => fieldPair(path, textOperand, [...ordering(textOperand), ...matching])),
  ...datePaths.map((path) => fieldPair(path, dateOperand, ordering(dateOperand))),
  fieldPair('metrics.7d.cumulative_pnl', numberOperand, ordering(numberOperand), 'metrics.7d.pnl'),
  fieldPair('metadata.age', ageOperand, ordering(ageOperand)),
  fieldPair('metadata.idle', ageOperand, ordering(ageOperand)),
  fieldPair('metadata.verified', booleanOperand, []),
  fieldPair('labels', labelOperand, [fc.tuple(fc.constant('$all'), labelList)]),
);

/** A filter of every operator and type, nested up to four groups deep. */
export const filterPair: fc.Arbitrary<FilterPair> = fc.letrec<{ filter: FilterPair }>((tie) => {
  const several = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  const group = fc.tuple(fc.constantFrom('$and', '$or', '$nor'), several).map(
    ([operator, parts]): FilterPair => ({
      filter: { [operator]: parts.map((part) => part.filter) },
      mongo: { [operator]: parts.map((part) => part.mongo) },
    }),
  );
  const negation = tie('filter').map(
    (part): FilterPair => ({ filter: { $not: part.filter }, mongo: { $nor: [part.mongo] } }),
  );
  const both = fc
    .tuple(field, field)
    .filter(([a, b]) => Object.keys(a.filter)[0] !== Object.keys(b.filter)[0])
    .map(([a, b]): FilterPair => ({ filter: { ...a.filter, ...b.filter }, mongo: { $and: [a.mongo, b.mongo] } }));
  return {
    filter: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 12, arbitrary: field },
      { weight: 4, arbitrary: both },
      { weight: 8, arbitrary: group },
      { weight: 2, arbitrary: negation },
      { weight: 1, arbitrary: fc.constant({ filter: {}, mongo: {} }) },
    ),
  };
}).filter;

function same(given: unknown): Operand {
  return { given, mapped: given };
}

function isStorable(value: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(value);
}

function codePoints(value: string): string {
  return [...value].map((character) => character.codePointAt(0)!.toString(16).padStart(6, '0')).join('');
}

function rfc3339(time: number, minutes: number, digits: string): string {
  const local = new Date((time + minutes * 60) * 1000).toISOString().slice(0, 19);
  const sign = minutes < 0 ? '-' : '+';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  return `${local}${digits}${minutes === 0 ? 'Z' : `${sign}${hours}:${rest}`}`;
}

function setPath(document: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  let at = document;
  for (const name of names.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[names.at(-1)!] = value;
}

function escaped(pattern: string): string {
  return pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
