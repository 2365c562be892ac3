import fc from 'fast-check';
import type { SearchRequest } from '../src/search/plan.ts';
import { searchContext } from './search-fixtures.ts';

const context = searchContext('tokens');

/** Any JSON, hostile texts among it. */
const hostileText = fc.constantFrom(
  "'; drop table meta; --",
  '"',
  '`',
  '\\',
  '%',
  '__proto__',
  'constructor',
  'toString',
  'market[price]',
  '$where',
  '\0',
  '\ud800',
  '\u202e',
  'a'.repeat(10_000),
  '1e999',
  'null',
  '',
);
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), hostileText);
const scalar = fc.oneof(
  anyText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(1e308, -0, 2 ** 64),
);
export const anything = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(anyText, tie('json'), { maxKeys: 3 }),
  ),
})).json;

/** Values that are wrong for the part of the request they stand in. */
const noObject = fc.oneof(scalar, fc.array(anything, { maxLength: 3 }));
const noBoolean = anything.filter((value) => typeof value !== 'boolean');
const noNumber = anything.filter((value) => typeof value !== 'number' && value !== null && typeof value !== 'object');
const noText = anything.filter((value) => typeof value !== 'string');
const unknownName = anyText.filter((name) => !context.fields.has(name) && !name.startsWith('$'));
const deep = fc.integer({ min: 9, max: 10_000 }).map((levels) => {
  let filter: unknown = { 'market.price': 1 };
  for (let i = 0; i < levels; i++) filter = { $and: [filter] };
  return filter;
});

const wrongFilter = fc.oneof(
  noObject,
  deep,
  unknownName.map((name) => ({ [name]: 1 })),
  anyText.filter((name) => name.startsWith('$') || name === '').map((name) => ({ [`$${name}x`]: [{}] })),
  anything.filter((value) => !Array.isArray(value)).map((value) => ({ $or: value })),
  noObject.map((value) => ({ $not: value })),
  noObject.map((value) => ({ $nor: [{}, value] })),
  noNumber.map((value) => ({ 'market.price': { $gt: value } })),
  noNumber.map((value) => ({ 'market.price': { $in: [1, value] } })),
  noNumber.map((value) => ({ $and: [{ $or: [{ 'metadata.age': { $lte: value } }] }] })),
  noText.map((value) => ({ 'metadata.symbol': { $contains: value } })),
  noBoolean.map((value) => ({ 'metadata.symbol': { $exists: value } })),
  anyText.map((value) => ({ updated_at: { $lt: value } })),
  anything.map((value) => ({ 'metadata.verified': { $gt: value } })),
  unknownName.map((name) => ({ 'market.price': { [name]: 1 } })),
  fc.integer({ min: 257, max: 20_000 }).map((length) => ({ 'market.price': { $in: new Array(length).fill(1) } })),
  fc.integer({ min: 65, max: 256 }).map((length) => ({ $or: new Array(length).fill({ 'market.price': 1 }) })),
  fc
    .integer({ min: 65, max: 20_000 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, i) => [`key${i}`, i]))),
);

/** A search of tokens that is wrong in a part that the search itself reads, and answered 400. */
export const wrongSearch: fc.Arbitrary<SearchRequest> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ filter: wrongFilter }) },
  {
    weight: 1,
    arbitrary: fc.record({
      query: fc.oneof(
        noObject,
        fc.record({ text: noText }),
        fc.record({ text: anyText, fuzzy: noBoolean }),
        fc.record({ text: anyText, fields: noObject.filter((value) => !Array.isArray(value)) }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      query: unknownName
        .map((name) => ({ text: 'a', [name]: name }))
        .filter((query) =>
          Object.keys(query).some((key) => !['text', 'fields', 'autocomplete', 'fuzzy'].includes(key)),
        ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      sort: fc.oneof(
        scalar,
        unknownName.map((field) => ({ field })),
        anything.map((direction) => ({ field: 'labels', direction })),
        fc.constant([]),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      dynamic_labels: fc.oneof(
        noObject,
        wrongFilter.map((filter) => ({ label: filter })),
        fc
          .integer({ min: 17, max: 5000 })
          .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, {}]))),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      cursor: fc.oneof(
        anything,
        fc.base64String(),
        anything.map((value) => Buffer.from(JSON.stringify([1, value, [], ''])).toString('base64url')),
      ),
    }),
  },
);

/** A body of a search of tokens that is wrong in one part, and answered 400. */
export const wrongBody: fc.Arbitrary<object> = fc.oneof(
  { weight: 11, arbitrary: wrongSearch },
  {
    weight: 1,
    arbitrary: fc.record({
      limit: fc.oneof(
        anything.filter((value) => typeof value !== 'number'),
        fc.integer({ max: 0 }),
        fc.integer({ min: 101 }),
        fc.constant(1.5),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ explain: noBoolean }) },
);
