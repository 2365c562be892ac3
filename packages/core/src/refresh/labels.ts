import type { LabelRule } from '../config.ts';
import { parseFilter } from '../filter/parse.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Batch } from '../records/columns.ts';
import { compilePredicate } from '../storage/evaluate.ts';
import type { Predicate } from '../storage/predicate.ts';

/** A label rule as a condition on profile rows, for one as-of time. */
export interface CompiledRule {
  readonly label: string;
  readonly rule: string;
  readonly where: Predicate;
}

/** The rules of a kind for the context's as-of time. Errors name the rule's place in the configuration. */
export function compileRules(
  kind: ProfileKind,
  rules: readonly LabelRule[],
  context: Pick<QueryContext, 'config' | 'shapes' | 'asOf'>,
): readonly CompiledRule[] {
  return rules.map(({ label, rule, filter }, i) => ({
    label,
    rule,
    where: parseFilter(filter, {
      kind,
      fields: context.shapes[kind].byPath,
      asOf: context.asOf,
      path: `labels.${kind}.${i}.filter`,
      addressFormat: context.config.address_format,
    }),
  }));
}

/** Writes `labels` (`|a|b|`) and `matched_labels` (JSON) of every row. `registered` gives the labels that the registry carries for a row. */
export function writeLabels(
  batch: Batch,
  rules: readonly CompiledRule[],
  registered: (row: number) => readonly string[],
): void {
  const labels = batch.columns.labels as (string | null)[];
  const matched = batch.columns.matched_labels as (string | null)[];
  const tests = rules.map((rule) => ({ ...rule, holds: compilePredicate(rule.where, batch) }));
  for (let row = 0; row < batch.length; row++) {
    const names = new Map<string, string[]>();
    for (const label of registered(row)) names.set(label, ['registry']);
    for (const { label, rule, holds } of tests) {
      if (!holds(row)) continue;
      const held = names.get(label);
      if (held === undefined) names.set(label, [rule]);
      else held.push(rule);
    }
    labels[row] = names.size === 0 ? null : `|${[...names.keys()].sort().join('|')}|`;
    matched[row] =
      names.size === 0 ? null : JSON.stringify(Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1))));
  }
}

/** Columns of dates against which rules measure an age: their rows change label by time alone. */
const agedColumns = ['metadata.created_at', 'metadata.last_trade_at'] as const;

/** The last as-of time up to which no rule about an age changes its answer for a row. */
export function labelsFreshUntil(batch: Batch, row: number, rules: readonly CompiledRule[], asOf: number): number {
  let until = Number.MAX_SAFE_INTEGER;
  for (const { where } of rules) {
    for (const { column, value } of thresholds(where)) {
      const date = batch.columns[column]?.[row];
      if (typeof date !== 'number' || Number.isNaN(date)) continue;
      const flip = Math.floor(date + (asOf - value));
      if (flip >= asOf) until = Math.min(until, Math.max(asOf, flip - 1));
    }
  }
  return until;
}

function* thresholds(where: Predicate): Iterable<{ column: string; value: number }> {
  if (where.kind === 'and' || where.kind === 'or') for (const part of where.of) yield* thresholds(part);
  else if (where.kind === 'not') yield* thresholds(where.of);
  else if (
    where.kind === 'compare' &&
    typeof where.value === 'number' &&
    (agedColumns as readonly string[]).includes(where.column)
  )
    yield { column: where.column, value: where.value };
}
