import { and, not, or, type Predicate } from '../storage/predicate.ts';
import type { GroupOperator, Operator } from './operators.ts';
import type { Target } from './target.ts';

/** A filter, read: what the caller wrote, beside what it means. */
export type Clause = Group | Condition;

export interface Group {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly of: readonly Clause[];
}

export interface Condition {
  readonly kind: 'condition';
  readonly target: Target;
  readonly operator: Operator;
  /** As the caller gave it. */
  readonly operand: unknown;
  readonly predicate: Predicate;
}

export function clausePredicate(clause: Clause): Predicate {
  if (clause.kind === 'condition') return clause.predicate;
  const of = clause.of.map(clausePredicate);
  switch (clause.operator) {
    case '$and':
      return and(...of);
    case '$or':
      return or(...of);
    case '$nor':
    case '$not':
      return not(or(...of));
  }
}
