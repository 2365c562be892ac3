import { show } from '@swapfold/core';

/** A rule as it is read: the column's name and the texts of swaps, in lower case. */
export interface ReadRule {
  readonly column: string;
  /** What the file calls it. */
  readonly theirs: string;
  readonly is: ReadonlySet<string>;
}

/** Why a row with these texts is no swap; `undefined` if it is one. */
export function reasonToPass(
  rules: readonly ReadRule[],
  textOf: (column: string) => string | null,
): string | undefined {
  for (const { column, theirs, is } of rules) {
    const text = textOf(column);
    if (!is.has((text ?? '').trim().toLowerCase()))
      return text === null ? `${theirs} is missing` : `${theirs} is ${show(text)}`;
  }
  return undefined;
}
