import type { Field } from '../files/fields.ts';
import type { FoundColumns } from './found-columns.ts';
import { type Columns, choices } from './preset.ts';

/** What is read of a file for a preset: each column once for each way in which it is read. */
export class Reads {
  readonly fields: Record<string, Field> = {};
  readonly byField = new Map<string, string>();
  readonly later = new Map<string, string>();
  /** Columns that the file must have and has not. */
  readonly missing: Columns[] = [];
  private readonly known = new Map<string, string>();

  constructor(readonly found: FoundColumns) {}

  /**
   * Reads a column, and gives the name that it is read under; `undefined` if the file must have it and has not.
   *
   * - `name`: what faults of its values name.
   */
  add(name: string, columns: Columns, field: Field): string | undefined {
    const column = this.found.find(columns);
    if (column === undefined && field.isNeeded) {
      this.missing.push(columns);
      return undefined;
    }
    const theirs = column ?? choices(columns)[0]!;
    const { kind, isHex = false, isWritten = false } = field;
    const key = [kind, isHex, isWritten, theirs].join(' ');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const free = Object.hasOwn(this.fields, name) ? `${name} of ${theirs}` : name;
    this.known.set(key, free);
    this.fields[free] = field;
    (column === undefined ? this.later : this.byField).set(free, theirs);
    return free;
  }
}
