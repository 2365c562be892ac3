import { MAX_FAULTS } from '../faults.ts';
import { quoted } from '../filter/names.ts';
import { filterLimits } from '../filter/operators.ts';
import { readClauses } from '../filter/parse.ts';
import {
  type Clause,
  clausePredicate,
  type FilterContext,
  isPlainObject,
  isText,
  type Notes,
  showOperand,
} from '../filter/reading.ts';
import type { Batch } from '../records/columns.ts';
import { compilePredicate } from '../storage/evaluate.ts';
import type { Work } from '../work.ts';

export interface DynamicLabel {
  readonly name: string;
  readonly clause: Clause;
}

/** Reads a caller's `dynamic_labels`. Faults are noted. */
export function parseLabels(labels: unknown, context: FilterContext, notes: Notes): DynamicLabel[] {
  const note = (message: string): void =>
    void notes.faults.push({ code: 'invalid-request', path: 'dynamic_labels', message });
  if (!isPlainObject(labels)) {
    note(`"dynamic_labels" takes an object of filters by label, not ${showOperand(labels)}.`);
    return [];
  }
  const names = Object.keys(labels);
  if (names.length > filterLimits.labels) {
    note(`"dynamic_labels" defines ${names.length} labels; at most ${filterLimits.labels} may be.`);
    return [];
  }
  const read: DynamicLabel[] = [];
  for (const name of names) {
    const length = name.length > 2 * filterLimits.labelLength ? Number.POSITIVE_INFINITY : [...name].length;
    if (length < 1 || length > filterLimits.labelLength || !isText(name))
      note(
        `A label of "dynamic_labels" has 1 to ${filterLimits.labelLength} characters, none of them NUL or a lone surrogate, unlike ${quoted(name)}.`,
      );
    else read.push({ name, clause: readClauses(labels[name], { ...context, path: `dynamic_labels.${name}` }, notes) });
    if (notes.faults.length >= MAX_FAULTS) break;
  }
  return read;
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
