import type {
  ExplainedCondition,
  ExplainedGroup,
  ExplainedPlan,
  Order,
  PlanStep,
  Predicate,
  ProfileExplanation,
} from '@swapfold/core';
import { anyOf, arrayOf, type FieldSchemas, integer, type JsonSchema, objectOf, ref, text } from './json-schema.ts';

type Schemas<T> = { readonly [K in keyof T]-?: JsonSchema };

const isHeld = { type: 'boolean', description: 'Whether it holds for the profile.' } as const;
const scalar = ['string', 'number', 'boolean', 'null'] as const;

const group: Schemas<ExplainedGroup> = {
  operator: { ...text('What joins the clauses.'), enum: ['$and', '$or', '$nor', '$not'] },
  held: isHeld,
  clauses: arrayOf(ref('ExplainedClause')),
};

const condition: Schemas<ExplainedCondition> = {
  path: text('The field.'),
  operator: text('The operator.'),
  operand: { type: [...scalar, 'array'], items: { type: scalar }, description: 'As the request gave it.' },
  actual: {
    type: [...scalar, 'array'],
    items: { type: 'string' },
    description: "The profile's value; null where it is missing.",
  },
  held: isHeld,
};

const explanation: Schemas<ProfileExplanation> = {
  filter: ref('ExplainedClause'),
  dynamic_labels: {
    type: 'object',
    description: 'By label, also for those that do not hold.',
    additionalProperties: ref('ExplainedClause'),
  },
};

const order: FieldSchemas<Order> = {
  column: text('A column of stored profiles.'),
  direction: { ...text('Missing values come last in both.'), enum: ['asc', 'desc'] },
};

const step: FieldSchemas<Required<PlanStep>> = {
  step: {
    ...text('match: rows that a text query may match, to be ranked; count and page: what the engine decides.'),
    enum: ['match', 'count', 'page'],
  },
  rows: integer('Rows that the step answered with.'),
  matches: integer('Those of them that matched.'),
};

const plan: Schemas<ExplainedPlan> = {
  where: ref('Predicate'),
  order: arrayOf(ref('PlanOrder')),
  steps: arrayOf(ref('PlanStep')),
};

const column = text('A column of stored profiles.');
const value = { type: ['number', 'string'], description: 'What the column is compared with.' } as const;
const values = { ...arrayOf({ type: ['number', 'string'] }), description: 'Any of these.' };

/** By kind of condition on stored rows: its fields but `kind`. */
const predicates: Readonly<Record<Predicate['kind'], Readonly<Record<string, JsonSchema>>>> = {
  and: { of: arrayOf(ref('Predicate')) },
  or: { of: arrayOf(ref('Predicate')) },
  not: { of: ref('Predicate') },
  compare: {
    column,
    op: { ...text('How they compare.'), enum: ['eq', 'lt', 'lte', 'gt', 'gte'] },
    value,
    holdsMostly: { type: 'boolean', enum: [true], description: 'It holds for nearly every row.' },
  },
  in: { column, values },
  missing: { column },
  contains: { column, text: text('Folded text.') },
  startsWith: { column, text: text('Folded text.') },
  has: { column, label: text('A label.') },
};

/** What `explain` adds to the answer of a search, by the names of the schemas. */
export const explainSchemas: Readonly<Record<string, JsonSchema>> = {
  ProfileExplanation: objectOf(explanation),
  ExplainedClause: anyOf(ref('ExplainedGroup'), ref('ExplainedCondition')),
  ExplainedGroup: objectOf(group),
  ExplainedCondition: objectOf(condition),
  SearchPlan: { ...objectOf(plan), description: 'What ran, where the request asks to explain.' },
  PlanOrder: objectOf(order),
  PlanStep: objectOf(step, ['matches']),
  Predicate: anyOf(
    ...Object.entries(predicates).map(([kind, fields]) =>
      objectOf({ kind: { type: 'string', enum: [kind] }, ...fields }, ['holdsMostly']),
    ),
  ),
};
