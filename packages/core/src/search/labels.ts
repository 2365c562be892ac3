import type { Clause } from '../filter/clause.ts';
import { clausePredicate } from '../filter/clause.ts';
import { quoted } from '../filter/names.ts';
import { isText, showOperand } from '../filter/operand.ts';
import { filterLimits } from '../filter/operators.ts';
import { parseClauses } from '../filter/parse.ts';
import { isPlainObject } from '../filter/plain-object.ts';
import type { FilterContext } from '../filter/target.ts';
import type { Batch } from '../records/columns.ts';
import { compilePredicate } from '../storage/evaluate.ts';
import type { Work } from '../work.ts';
import { refusal } from './refusal.ts';

/** A label of the request: a filter with a name. */
export interface DynamicLabel {
  readonly name: string;
  readonly clause: Clause;
}

/** Reads a caller's `dynamic_labels`. */
export function parseLabels(labels: unknown, context: FilterContext): DynamicLabel[] {
  if (!isPlainObject(labels))
    throw refusal(
      'invalid-request',
      'dynamic_labels',
      `"dynamic_labels" takes an object of filters by label, not ${showOperand(labels)}.`,
    );
  const names = Object.keys(labels);
  if (names.length > filterLimits.labels) {
    throw refusal(
      'invalid-request',
      'dynamic_labels',
      `"dynamic_labels" defines ${names.length} labels; at most ${filterLimits.labels} may be.`,
    );
  }
  return names.map((name) => {
    const length = name.length > 2 * filterLimits.labelLength ? Number.POSITIVE_INFINITY : [...name].length;
    if (length < 1 || length > filterLimits.labelLength || !isText(name)) {
      throw refusal(
        'invalid-request',
        'dynamic_labels',
        `A label of "dynamic_labels" has 1 to ${filterLimits.labelLength} characters, none of them NUL or a lone surrogate, unlike ${quoted(name)}.`,
      );
    }
    return { name, clause: parseClauses(labels[name], { ...context, path: `dynamic_labels.${name}` }) };
  });
}

/** The names of the labels that hold, for each row. */
export function* matchLabels(labels: readonly DynamicLabel[], rows: Batch): Work<string[][]> {
  const tests = labels.map(({ name, clause }) => ({ name, holds: compilePredicate(clausePredicate(clause), rows) }));
  const names: string[][] = [];
  for (let row = 0; row < rows.length; row++) {
    names.push(tests.filter(({ holds }) => holds(row)).map(({ name }) => name));
    yield;
  }
  return names;
}
