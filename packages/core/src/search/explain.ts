import type { Clause, Condition, Target } from '../filter/reading.ts';
import type { Batch } from '../records/columns.ts';
import { labelsOf } from '../records/profile-fields.ts';
import { compilePredicate, type RowTest } from '../storage/evaluate.ts';
import { formatTime } from '../time.ts';
import type { Work } from '../work.ts';
import type { DynamicLabel } from './labels.ts';

/** A filter as it was written, with what each of its clauses came to for one profile. */
export type ExplainedClause = ExplainedGroup | ExplainedCondition;

/** A group of a filter, such as `$or`, with its clauses and whether it holds. */
export interface ExplainedGroup {
  readonly operator: '$and' | '$or' | '$nor' | '$not';
  readonly held: boolean;
  readonly clauses: readonly ExplainedClause[];
}

/** A condition of a filter, with the value that the profile has and whether it holds. */
export interface ExplainedCondition {
  readonly path: string;
  readonly operator: string;
  /** As the request gave it. */
  readonly operand: unknown;
  /** The profile's value, as a response shows it; `null` where missing. */
  readonly actual: number | string | boolean | readonly string[] | null;
  readonly held: boolean;
}

/** Why a profile was found, and which dynamic labels it has. */
export interface ProfileExplanation {
  readonly filter: ExplainedClause;
  /** By label. */
  readonly dynamic_labels: Readonly<Record<string, ExplainedClause>>;
}

/** Explains every row of a page. `rows` holds the columns of `explainedColumns`. */
export function* explainRows(
  filter: Clause,
  labels: readonly DynamicLabel[],
  rows: Batch,
  asOf: number,
): Work<ProfileExplanation[]> {
  const explainFilter = explainer(filter, rows, asOf);
  const explainLabels = labels.map(({ name, clause }) => [name, explainer(clause, rows, asOf)] as const);
  const explained: ProfileExplanation[] = [];
  for (let row = 0; row < rows.length; row++) {
    explained.push({
      filter: explainFilter(row),
      dynamic_labels: Object.fromEntries(explainLabels.map(([name, explain]) => [name, explain(row)])),
    });
    yield;
  }
  return explained;
}

/** The columns that hold the actual values of a filter's conditions. */
export function explainedColumns(clause: Clause): string[] {
  return clause.kind === 'condition' ? [clause.target.column] : clause.of.flatMap(explainedColumns);
}

function explainer(clause: Clause, rows: Batch, asOf: number): (row: number) => ExplainedClause {
  if (clause.kind === 'condition') {
    const holds = compilePredicate(clause.predicate, rows);
    return (row) => explainCondition(clause, rows, row, holds, asOf);
  }
  const parts = clause.of.map((part) => explainer(part, rows, asOf));
  const { operator } = clause;
  return (row) => {
    const clauses = parts.map((explain) => explain(row));
    const held =
      operator === '$and'
        ? clauses.every((part) => part.held)
        : clauses.some((part) => part.held) === (operator === '$or');
    return { operator, held, clauses };
  };
}

function explainCondition(
  condition: Condition,
  rows: Batch,
  row: number,
  holds: RowTest,
  asOf: number,
): ExplainedCondition {
  const { target, operator, operand } = condition;
  return { path: target.path, operator, operand, actual: actualValue(target, rows, row, asOf), held: holds(row) };
}

function actualValue(target: Target, rows: Batch, row: number, asOf: number): ExplainedCondition['actual'] {
  const value = rows.columns[target.column]![row]!;
  if (target.type === 'labels') return labelsOf(value as string | null);
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return null;
  if (target.isElapsed) return asOf - value;
  if (target.type === 'date') return formatTime(value);
  return target.type === 'boolean' ? value === 1 : value;
}
