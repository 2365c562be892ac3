import { aliasesOf } from '../addresses/token-address.ts';
import type { Config, LabelRule } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { parseClauses } from '../filter/parse.ts';
import { type Clause, clausePredicate } from '../filter/reading.ts';
import { labelRulesOf } from '../labels/rules.ts';
import { movedPredicate } from '../profiles/moving.ts';
import { profileFields } from '../profiles/sections/sections.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { Batch } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import { columnOf, isElapsed, type ProfileKind } from '../records/profile-fields.ts';
import { compilePredicate } from '../storage/evaluate.ts';
import { type Predicate, predicateColumns } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';

/** A label rule as a condition on profile rows, for one as-of time. */
export interface CompiledRule {
  readonly label: string;
  readonly rule: string;
  readonly where: Predicate;
}

/**
 * The rules of a kind for the context's as-of time.
 *
 * - Errors: `invalid-config` for a filter at fault, or one that asks for `labels`; it names the rule's place in the configuration.
 */
export function compileRules(
  kind: ProfileKind,
  rules: readonly LabelRule[],
  context: Pick<FoldContext, 'config' | 'shapes' | 'asOf'>,
): readonly CompiledRule[] {
  return rules.map(({ label, rule, filter }, i) => {
    const path = `labels.${kind}.${i}.filter`;
    const clause = parseRule(filter, {
      kind,
      fields: context.shapes[kind].byPath,
      asOf: context.asOf,
      path,
      addressFormat: context.config.address_format,
      aliases: aliasesOf(context.config),
    });
    if (asksForLabels(clause)) {
      const message = 'a rule cannot ask for "labels": the rules decide them, each by itself.';
      throw new SwapfoldError('invalid-config', `Configuration: "${path}": ${message}`, {
        details: [{ path, message }],
      });
    }
    return { label, rule, where: clausePredicate(clause) };
  });
}

/** The rules of wallets that read what is computed when it is asked for: no refresh decides them. */
const askedRules = new WeakMap<Config, readonly LabelRule[]>();

/** The rules of wallets that are decided when it is asked for labels, for the context's as-of time. */
export function rulesOfQuestions(context: RuleContext): readonly CompiledRule[] {
  const { config, shapes } = context;
  let asked = askedRules.get(config);
  if (asked === undefined) {
    const rules = labelRulesOf(config).wallets;
    const compiled = compileRules('wallets', rules, context);
    asked = rules.filter((_, i) => isComputed(compiled[i]!, shapes.wallets));
    askedRules.set(config, asked);
  }
  return asked.length === 0 ? [] : compileRules('wallets', asked, context);
}

type RuleContext = Pick<FoldContext, 'config' | 'shapes' | 'asOf'>;

/** Whether a rule reads a column that no table has although rows have it once they are whole. */
function isComputed({ where }: CompiledRule, { computed }: ProfileShape): boolean {
  return [...predicateColumns(where)].some((column) => computed.has(column));
}

/** The rules of the configuration for the context's as-of time, without those of wallets that a question decides. */
export function rulesAt(
  context: Pick<FoldContext, 'config' | 'shapes' | 'asOf'>,
): Readonly<Record<ProfileKind, readonly CompiledRule[]>> {
  const { tokens, wallets, positions } = labelRulesOf(context.config);
  return {
    tokens: compileRules('tokens', tokens, context),
    wallets: compileRules('wallets', wallets, context).filter((rule) => !isComputed(rule, context.shapes.wallets)),
    positions: compileRules('positions', positions, context),
  };
}

/** The rules as conditions on stored rows, of which some columns move with the native price. */
export function movedRules(rules: readonly CompiledRule[], nativeUsd: number): readonly CompiledRule[] {
  return rules.map((rule) => ({ ...rule, where: movedPredicate(rule.where, nativeUsd) }));
}

/** Errors: `invalid-config` for a label rule at fault. */
export function checkRules(context: Pick<FoldContext, 'config' | 'shapes'>): void {
  rulesAt({ ...context, asOf: 0 });
}

function parseRule(filter: unknown, context: Parameters<typeof parseClauses>[1]): Clause {
  try {
    return parseClauses(filter, context);
  } catch (cause) {
    if (!(cause instanceof SwapfoldError)) throw cause;
    throw new SwapfoldError('invalid-config', `Configuration: ${cause.message}`, { details: cause.details, cause });
  }
}

function asksForLabels(clause: Clause): boolean {
  return clause.kind === 'group' ? clause.of.some(asksForLabels) : clause.target.path === 'labels';
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
      if (holds(row)) addTo(names, label, rule);
    }
    labels[row] = names.size === 0 ? null : `|${[...names.keys()].sort().join('|')}|`;
    matched[row] =
      names.size === 0 ? null : JSON.stringify(Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1))));
  }
}

/** A column of dates, and how long after the date in it the answer of some rule changes, in seconds. */
interface Flip {
  readonly column: string;
  readonly after: number;
}

/** Columns of dates against which rules measure an age: their rows change label by time alone. */
const agedColumns: readonly string[] = (['tokens', 'wallets'] as const).flatMap((kind) =>
  profileFields(kind, []).filter(isElapsed).map(columnOf),
);

/** Where time alone changes what rules say, each place once. `asOf` is the as-of time of the rules. */
export function flipsOf(rules: readonly CompiledRule[], asOf: number): readonly Flip[] {
  const flips = new Map<string, Flip>();
  for (const { where } of rules)
    for (const { column, value } of bounds(where))
      if (agedColumns.includes(column)) flips.set(`${column} ${value}`, { column, after: asOf - value });
  return [...flips.values()];
}

/** The last as-of time up to which no rule about an age changes its answer for a row. */
export function labelsFreshUntil(batch: Batch, row: number, flips: readonly Flip[], asOf: number): number {
  let until = Number.MAX_SAFE_INTEGER;
  for (const { column, after } of flips) {
    const date = batch.columns[column]?.[row];
    if (typeof date !== 'number' || Number.isNaN(date)) continue;
    const flip = date + after;
    if (flip >= asOf) until = Math.min(until, Math.max(asOf, flip - 1));
  }
  return until;
}

function* bounds(where: Predicate): Iterable<{ column: string; value: number }> {
  const { kind } = where;
  if (kind === 'and' || kind === 'or') for (const part of where.of) yield* bounds(part);
  else if (kind === 'not') yield* bounds(where.of);
  else if (kind === 'compare' || kind === 'in') {
    for (const value of kind === 'compare' ? [where.value] : where.values)
      if (typeof value === 'number') yield { column: where.column, value };
  }
}
