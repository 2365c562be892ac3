import { storedHash } from '../addresses/transaction-hash.ts';
import type { Config } from '../config.ts';
import { invalidInput } from '../errors.ts';
import type { Reject } from '../ingest-result.ts';
import { didYouMean, show } from '../nearest.ts';
import { NO_ID } from '../records/columns.ts';
import type { RowFields } from '../records/fields.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import type { NumberColumn, TextColumn } from './columns.ts';
import {
  HASH_LENGTH,
  LocalTexts,
  type NumberRule,
  numberRuleOf,
  REFUSED,
  type TextUse,
  textAt,
  textKindOf,
} from './field-rules.ts';

const unfitForHash = /[\p{Cc}\p{Cs}\s]/u;

/** Rows as columns of equal length, by the names of their fields. */
export interface RowColumns {
  readonly length: number;
  readonly columns: Readonly<Record<string, TextColumn | NumberColumn | undefined>>;
}

/** Checks columns of rows of one kind as they are stored, one after the other: the order decides which error of a row is reported. */
export class RowChecks<Name extends string> {
  readonly errors: RowErrors<Name>;
  readonly #fields: RowFields<Name>;
  readonly #length: number;
  readonly #columns: Readonly<Record<string, TextColumn | NumberColumn | undefined>>;
  readonly #format: Config['address_format'];
  readonly #objects: readonly unknown[] | undefined;
  readonly #texts: LocalTexts;
  readonly #pause: Yielder = yielder();

  /**
   * - `objects`: what the rows were before they became columns, for messages.
   * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
   */
  constructor(
    fields: RowFields<Name>,
    input: RowColumns,
    { config, objects }: { readonly config: Config; readonly objects: readonly unknown[] | undefined },
  ) {
    checkColumns(fields, input);
    this.#fields = fields;
    this.#length = input.length;
    this.#columns = input.columns;
    this.#format = config.address_format;
    this.#texts = new LocalTexts(config);
    this.errors = new RowErrors(input.length);
    this.#objects = objects;
  }

  /** The distinct texts of the columns that were checked: ids are places in them. */
  get texts(): readonly string[] {
    return this.#texts.texts;
  }

  /** The ids or numbers of a field, a copy; marks the rows at fault. Others may have their turn. */
  async check(name: Name): Promise<Int32Array | Float64Array> {
    const field = this.#fields.field(name);
    await this.#pause.yieldIfDue();
    switch (field.type) {
      case 'address':
      case 'name':
      case 'identifier':
        return this.#textIds(name, this.#texts.uses[textKindOf(field)!]);
      case 'index':
      case 'time':
      case 'whole':
      case 'quantity':
      case 'flag':
        return this.#numbers(name, numberRuleOf(field.type, this.#format));
      case 'hash':
        throw new Error(`Field "${name}": a hash has no id.`);
    }
  }

  /** The hashes as they are stored. They have no ids: each row has its text. */
  async hashes(name: Name): Promise<readonly string[]> {
    const column = this.#columns[name] as TextColumn;
    const given = 'ids' in column ? Array.from(column.ids, (_, row) => textAt(column, row)) : column;
    const hashes =
      this.#format === 'evm'
        ? given.map((hash) => (typeof hash === 'string' ? storedHash(hash, this.#format) : hash))
        : given;
    const missing = this.errors.add(name, (row) => {
      const object = this.#objects?.[row];
      return object === undefined || Object(object) === object
        ? 'is missing'
        : `is missing: the row is ${show(object)}, not an object`;
    });
    const unfit = this.errors.add(
      name,
      (row) =>
        `must be a text of 1 to ${HASH_LENGTH} characters without spaces and control characters, not ${this.#shown(name, row, hashes[row])}`,
    );
    for (let row = 0; row < this.#length; row++) {
      if (row % ROWS_PER_CHECK === 0) await this.#pause.yieldIfDue();
      const hash = hashes[row] ?? '';
      if (hash === '') this.errors.mark(row, missing);
      else if (hash.length > HASH_LENGTH || unfitForHash.test(hash)) this.errors.mark(row, unfit);
    }
    return hashes as readonly string[];
  }

  async #textIds(name: Name, use: TextUse): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn | undefined;
    const ids = await use.ids(column, this.#length, this.#pause);
    const isNeeded = this.#fields.field(name).isRequired === true;
    const missing = this.errors.add(name, () => 'is missing');
    const refused = this.errors.add(name, (row) => use.messageOf(this.#shown(name, row, textAt(column!, row))));
    for (let row = 0; row < ids.length; row++) {
      if (ids[row]! >= 0) continue;
      if (ids[row] === REFUSED) this.errors.mark(row, refused);
      else if (isNeeded) this.errors.mark(row, missing);
      ids[row] = NO_ID;
    }
    return ids;
  }

  /** A copy of a number column, with 0 for -0; all `NaN` if the column is absent. */
  #numbers(name: Name, { least, most, isWhole, wanted, hint }: NumberRule): Float64Array {
    const column = this.#columns[name] as NumberColumn | undefined;
    const values = new Float64Array(this.#length);
    const isNeeded = this.#fields.field(name).isRequired === true;
    const check = this.errors.add(name, (row) =>
      Number.isNaN(values[row])
        ? 'is missing'
        : `must be ${wanted}, not ${this.#shown(name, row, values[row])}${hint?.(values[row]!) ?? ''}`,
    );
    for (let row = 0; row < values.length; row++) {
      const value = column === undefined ? Number.NaN : column[row]! + 0;
      values[row] = value;
      if (value >= least && value <= most && (!isWhole || Math.floor(value) === value)) continue;
      if (isNeeded || !Number.isNaN(value)) this.errors.mark(row, check);
    }
    return values;
  }

  /** The value of a row as it was given: a column has lost what is of another type than its own. */
  #shown(name: Name, row: number, value: unknown): string {
    const object = this.#objects?.[row];
    const given: unknown = object === undefined ? value : (object as Partial<Record<Name, unknown>> | null)?.[name];
    return typeof given === 'bigint' ? `${given}n` : show(given);
  }
}

type RowError<Name extends string> = readonly [field: Name, reason: string];

/** The first error of each row of a batch. A batch is checked column by column, in the order in which errors count. */
export class RowErrors<Name extends string> {
  count = 0;
  /** By row: the number of the check that the row failed first, from 1; 0 for a row without an error. */
  readonly #failed: Uint8Array;
  readonly #checks: (readonly [field: Name, reasonOf: (row: number) => string])[] = [];

  constructor(rows: number) {
    this.#failed = new Uint8Array(rows);
  }

  /** The number of a new check. `reasonOf` says why a row fails it; it is called for failing rows only. */
  add(field: Name, reasonOf: (row: number) => string): number {
    return this.#checks.push([field, reasonOf]);
  }

  mark(row: number, check: number): void {
    if (this.#failed[row] !== 0) return;
    this.#failed[row] = check;
    this.count++;
  }

  #of(row: number): RowError<Name> | undefined {
    const check = this.#checks[this.#failed[row]! - 1];
    return check && [check[0], check[1](row)];
  }

  /** Reports the rows at fault, in order: row 0 is number `firstRow` of the input. */
  report(firstRow: number, reject: (reject: Reject) => void): void {
    for (let row = 0; row < this.#failed.length; row++) {
      const error = this.#of(row);
      if (error !== undefined) reject({ row: firstRow + row, field: error[0], reason: error[1] });
    }
  }

  passed(): Uint32Array {
    const rows = new Uint32Array(this.#failed.length - this.count);
    let at = 0;
    for (let row = 0; row < this.#failed.length; row++) if (this.#failed[row] === 0) rows[at++] = row;
    return rows;
  }
}

function checkColumns<Name extends string>({ names, field }: RowFields<Name>, input: RowColumns): void {
  const { columns } = input;
  for (const name of names)
    if (field(name).isRequired && columns[name] === undefined)
      throw invalidInput(`The column batch has no column "${name}".`);
  for (const [name, column] of Object.entries(columns)) {
    if (!(names as readonly string[]).includes(name))
      throw invalidInput(`Unknown column "${name}".${didYouMean(name, names)}`);
    if (column === undefined) continue;
    const length = 'ids' in column ? column.ids.length : column.length;
    if (length !== input.length)
      throw invalidInput(`Column "${name}" has ${length} rows where the batch has ${input.length}.`);
  }
}
