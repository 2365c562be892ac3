import type { Config, Metric } from '@swapfold/core';
import {
  type FieldType,
  filterLimits,
  filterPaths,
  labelNamesOf,
  operatorsByType,
  type ProfileKind,
  queryFields,
} from '@swapfold/core/host';
import { anyOf, arrayOf, type JsonSchema, objectOf, ref, text } from './json-schema.ts';

/** What the schemas of a kind begin with. */
const nounOf = { tokens: 'Token', wallets: 'Wallet', positions: 'Position' } as const satisfies Record<
  ProfileKind,
  string
>;

/**
 * The parts of a search, by the names of their schemas: every field path is a property, so that clients check paths and operators.
 *
 * Defaults stand in descriptions: openapi-typescript takes a property with a `default` for one that is always there, in requests too.
 */
export function searchSchemas(config: Config, metrics: readonly Metric[]): Readonly<Record<string, JsonSchema>> {
  return {
    ...conditionSchemas,
    ...schemasOf('tokens', config, metrics),
    ...schemasOf('wallets', config, metrics),
    ...schemasOf('positions', config, metrics),
  };
}

const values = {
  number: { type: 'number' },
  text: { type: 'string' },
  date: { type: 'string', format: 'date-time' },
  boolean: { type: 'boolean' },
} as const satisfies Partial<Record<FieldType, JsonSchema>>;

const conditionSchemas = {
  NumberCondition: condition('number', values.number, { $gt: 1000 }),
  TextCondition: condition('text', values.text, { $startsWith: 'bonk' }),
  DateCondition: condition('date', values.date, { $gte: '2024-01-05T00:00:00Z' }),
  BooleanCondition: condition('boolean', values.boolean, true),
};

function schemasOf(kind: ProfileKind, config: Config, metrics: readonly Metric[]): Record<string, JsonSchema> {
  const noun = nounOf[kind];
  const paths = filterPaths(kind, metrics);
  const filter = ref(`${noun}Filter`);
  const group = (meaning: string) => ({
    ...arrayOf(filter),
    minItems: 1,
    maxItems: filterLimits.items,
    description: meaning,
  });
  const sortable = [...paths].filter(([, type]) => type !== 'boolean' && type !== 'labels').map(([path]) => path);
  const example = kind === 'tokens' ? 'market.liquidity' : 'metrics.7d.pnl';
  const sortKey = objectOf(
    {
      field: { ...text('A path of numbers, dates or text.'), enum: sortable, examples: [example] },
      direction: {
        ...text('Missing values come last in both directions. Default `desc`.'),
        enum: ['asc', 'desc'],
        examples: ['asc'],
      },
    },
    ['direction'],
  );
  return {
    [`${noun}LabelsCondition`]: condition('labels', ref(`${noun}Label`), labelNamesOf(config)[kind][0]),
    [`${noun}Filter`]: {
      type: 'object',
      description:
        'Every key must hold: a field path with a value (equality) or an object of operators, and the groups `$and`, `$or`, `$nor`, `$not`.',
      properties: {
        $and: group('All of them hold.'),
        $or: group('Any of them holds.'),
        $nor: group('None of them holds.'),
        $not: filter,
        ...Object.fromEntries([...paths].map(([path, type]) => [path, ref(conditionName(kind, type))])),
      },
      additionalProperties: false,
      examples: [{ [example]: { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gt: 5000 } }] }],
    },
    ...(queryFields[kind].length === 0 ? {} : { [`${noun}TextQuery`]: textQuery(kind) }),
    [`${noun}SortKey`]: { ...sortKey, description: 'A field to sort by.' },
    [`${noun}Sort`]: {
      ...anyOf(ref(`${noun}SortKey`), { ...arrayOf(ref(`${noun}SortKey`)), minItems: 1, maxItems: 4 }),
      description: `One key, or up to four, the most important first. Default: ${queryFields[kind].length === 0 ? '`metrics.7d.pnl`' : 'by relevance with a `query`'}.`,
      examples: [{ field: example, direction: 'desc' }],
    },
    [`${noun}DynamicLabels`]: {
      type: 'object',
      description: 'Filters by label: `dynamic_labels` of each profile names those that hold.',
      maxProperties: filterLimits.labels,
      additionalProperties: filter,
      examples: [{ large: { [example]: { $gt: 100_000 } } }],
    },
  };
}

function textQuery(kind: ProfileKind): JsonSchema {
  return {
    ...objectOf(
      {
        text: {
          ...text('Words that must all match.'),
          minLength: 1,
          maxLength: 200,
          examples: [kind === 'tokens' ? 'bonk' : 'ann'],
        },
        fields: {
          ...arrayOf({ type: 'string', enum: queryFields[kind] }),
          minItems: 1,
          description: 'The fields to match. Default: all of them.',
          examples: [['metadata.name']],
        },
        autocomplete: flag('Match the beginnings of words. Default `false`.'),
        fuzzy: flag('Tolerate small typos. Default `false`.'),
      },
      ['fields', 'autocomplete', 'fuzzy'],
    ),
    description: 'Text to match against addresses and names.',
    examples: [{ text: 'bonk', autocomplete: true }],
  };
}

const flag = (description: string) => ({ type: 'boolean', description, examples: [true] }) as const;

const conditionName = (kind: ProfileKind, type: FieldType): string =>
  type === 'labels' ? `${nounOf[kind]}LabelsCondition` : `${type[0]!.toUpperCase()}${type.slice(1)}Condition`;

/** A value, which means equality, or an object of the operators that suit the type. */
function condition(type: FieldType, value: JsonSchema, example: unknown): JsonSchema {
  const orNull = anyOf(value, { type: 'null' });
  const lists: JsonSchema = { ...arrayOf(orNull), maxItems: filterLimits.items };
  const operands: Readonly<Record<string, JsonSchema>> = {
    $eq: orNull,
    $ne: orNull,
    $in: lists,
    $nin: lists,
    $exists: values.boolean,
    $all: { ...arrayOf(value), maxItems: filterLimits.items },
  };
  const operators = operatorsByType[type].map((operator) => [operator, operands[operator] ?? value]);
  return {
    ...anyOf(
      value,
      { type: 'null' },
      {
        type: 'object',
        properties: Object.fromEntries(operators),
        additionalProperties: false,
        minProperties: 1,
      },
    ),
    description: `What is asked of ${type === 'labels' ? 'the labels' : `a ${type}`}: a value, or operators that must all hold. \`null\` is a missing value.`,
    examples: [example],
  };
}
