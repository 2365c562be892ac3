import { type Columns, choices } from './preset.ts';

/** The columns of a file, to be found in any case: exports of one source differ in it. */
export class FoundColumns {
  private readonly exact: ReadonlySet<string>;
  private readonly byLower = new Map<string, string>();

  constructor(readonly names: readonly string[]) {
    this.exact = new Set(names);
    for (const name of names) if (!this.byLower.has(name.toLowerCase())) this.byLower.set(name.toLowerCase(), name);
  }

  /** The first of the columns that the file has, as it writes it. */
  find(columns: Columns): string | undefined {
    for (const name of choices(columns)) {
      const found = this.exact.has(name) ? name : this.byLower.get(name.toLowerCase());
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
