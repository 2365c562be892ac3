import { arrayOf, type JsonSchema, objectOf, ref, text } from './json-schema.ts';

const sortKey = objectOf(
  {
    field: text('A field path, such as market.liquidity.'),
    direction: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  ['direction'],
);

/** The parts of a search that the engine reads itself and whose schema says nothing of them. */
export const searchSchemas: Readonly<Record<string, JsonSchema>> = {
  Filter: {
    type: 'object',
    description:
      'Every key must hold: field paths with a scalar (equality) or an object of operators, and the groups. Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists, on text $contains $startsWith, on labels $all.',
    properties: {
      $and: { ...arrayOf(ref('Filter')), minItems: 1 },
      $or: { ...arrayOf(ref('Filter')), minItems: 1 },
      $nor: { ...arrayOf(ref('Filter')), minItems: 1 },
      $not: ref('Filter'),
    },
    additionalProperties: { type: ['object', 'string', 'number', 'boolean', 'null'] },
    examples: [{ 'market.liquidity': { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gt: 5000 } }] }],
  },
  TextQuery: objectOf(
    {
      text: { type: 'string', minLength: 1, maxLength: 200, description: 'Words that must all match.' },
      fields: { ...arrayOf(text('A text field.')), minItems: 1, description: 'Default: all text fields.' },
      autocomplete: { type: 'boolean', default: false, description: 'Match beginnings of words.' },
      fuzzy: { type: 'boolean', default: false, description: 'Tolerate small typos.' },
    },
    ['fields', 'autocomplete', 'fuzzy'],
  ),
  Sort: { anyOf: [sortKey, { ...arrayOf(sortKey), minItems: 1, maxItems: 4 }] },
  DynamicLabels: { type: 'object', maxProperties: 16, additionalProperties: ref('Filter') },
};

/** By property of a search body: its schema. */
export const searchProperties = {
  query: ref('TextQuery'),
  filter: ref('Filter'),
  sort: ref('Sort'),
  dynamic_labels: ref('DynamicLabels'),
} as const;
