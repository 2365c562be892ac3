import * as v from 'valibot';
import { described, flag, integer, named, oneOf, type ResponseSchema, text } from '../response.ts';
import { type Predicate, textMatchNames } from '../storage/predicate.ts';
import type { ExplainedClause, ExplainedCondition, ExplainedGroup, ProfileExplanation } from './explain.ts';
import type { ExplainedPlan } from './page.ts';

const held = flag('Whether it holds for the profile.');
const scalar = v.nullable(v.union([v.string(), v.number(), v.boolean()]));

const groupSchema: ResponseSchema<ExplainedGroup> = named(
  'ExplainedGroup',
  v.strictObject({
    operator: oneOf(['$and', '$or', '$nor', '$not'], 'What joins the clauses.'),
    held,
    clauses: v.array(v.lazy(() => clauseSchema)),
  }),
);

const conditionSchema: ResponseSchema<ExplainedCondition> = named(
  'ExplainedCondition',
  v.strictObject({
    path: text('The field.'),
    operator: text('The operator.'),
    operand: described(v.union([scalar, v.array(scalar)]), 'As the request gave it.'),
    actual: described(v.union([scalar, v.array(v.string())]), "The profile's value; null where it is missing."),
    held,
  }),
);

const clauseSchema: ResponseSchema<ExplainedClause> = named('ExplainedClause', v.union([groupSchema, conditionSchema]));

export const explanationSchema: ResponseSchema<ProfileExplanation> = named(
  'ProfileExplanation',
  described(
    v.strictObject({
      filter: clauseSchema,
      dynamic_labels: described(v.record(v.string(), clauseSchema), 'By label, also for those that do not hold.'),
    }),
    'Why the profile was found, clause by clause.',
  ),
);

const column = text('A column of stored profiles.');
const words = text('Folded text.');
const value = v.union([v.number(), v.string()]);
const of = v.array(v.lazy(() => predicateSchema));

const conditionOf = <const K extends string, const E extends v.ObjectEntries>(kind: K, entries: E) =>
  v.strictObject({ kind: v.picklist([kind]), ...entries });

const predicateSchema: ResponseSchema<Predicate> = named(
  'Predicate',
  v.union([
    conditionOf('and', { of }),
    conditionOf('or', { of }),
    conditionOf('not', { of: v.lazy(() => predicateSchema) }),
    conditionOf('compare', {
      column,
      op: oneOf(['eq', 'lt', 'lte', 'gt', 'gte'], 'How they compare.'),
      value: described(value, 'What the column is compared with.'),
      holds_mostly: v.exactOptional(described(v.literal(true), 'It holds for nearly every row.')),
    }),
    conditionOf('in', {
      column,
      values: described(v.union([v.array(v.number()), v.array(v.string())]), 'Any of these.'),
    }),
    conditionOf('missing', { column }),
    ...textMatchNames.map((kind) => conditionOf(kind, { column, text: words })),
    conditionOf('has', { column, label: text('A label.') }),
  ]),
);

const orderSchema = named(
  'PlanOrder',
  v.strictObject({ column, direction: oneOf(['asc', 'desc'], 'Missing values come last in both.') }),
);

const stepSchema = named(
  'PlanStep',
  v.strictObject({
    step: oneOf(
      ['match', 'count', 'page'],
      'match: rows that a text query may match, to be ranked; count and page: what the engine decides.',
    ),
    rows: integer('Rows that the step answered with.'),
    matches: v.exactOptional(integer('Those of them that matched.')),
  }),
);

export const planSchema: ResponseSchema<ExplainedPlan> = named(
  'SearchPlan',
  described(
    v.strictObject({ where: predicateSchema, order: v.array(orderSchema), steps: v.array(stepSchema) }),
    'What ran, where the request asks to explain.',
  ),
);
