import { wrapping } from '../addresses/token-address.ts';
import { isOddHash, storedHash } from '../addresses/transaction-hash.ts';
import type { Config } from '../config.ts';
import { invalidInput } from '../errors.ts';
import type { Reject } from '../ingest-result.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { didYouMean, show } from '../nearest.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import { fractionOf, momentOf } from '../records/moment.ts';
import { isRequiredField, type SwapFieldName, swapField, swapFieldNames } from '../records/swap-fields.ts';
import type { swapsTable } from '../records/tables.ts';
import { formatTime } from '../time.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import { type ChainKeys, takeKeys } from './chain-keys.ts';
import type { NumberColumn, SwapColumns, TextColumn } from './columns.ts';
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

/**
 * Swaps that passed the checks, in the shape of the swaps table. Text ids are local: places in `texts`.
 *
 * - `seq` and `tx` of the swaps are not set yet; `keys` say where each belongs in chain order.
 * - `rows` says which input row each came from.
 * - `wraps`: rows of a token for itself under another name, by their numbers in the input.
 */
export interface ValidSwaps {
  readonly swaps: Batch<typeof swapsTable>;
  readonly keys: ChainKeys;
  readonly rows: Float64Array;
  readonly texts: readonly string[];
  readonly wraps: ReadonlySet<number>;
}

const unfitForHash = /[\p{Cc}\p{Cs}\s]/u;

/** A row is rejected with its first error: the error of its hash, else the first in this order. Fields that are not named come last. */
const checkedFirst: readonly SwapFieldName[] = [
  ...(['wallet', 'token_in', 'token_out', 'protocol', 'token_symbol_in', 'token_symbol_out'] as const),
  ...(['swap_index', 'block_time', 'block_slot', 'tx_index', 'log_index'] as const),
  ...(['in', 'out'] as const).flatMap((side): SwapFieldName[] => [
    `token_amount_${side}`,
    `usd_amount_${side}`,
    `token_price_${side}`,
    `pre_token_balance_${side}`,
    `post_token_balance_${side}`,
  ]),
];
const checkOrder = [
  ...checkedFirst,
  ...swapFieldNames.filter((name) => name !== 'tx_hash' && !checkedFirst.includes(name)),
];

/**
 * Checks the rows of a column batch (docs/reference/metrics.md, "Swaps"): which may be stored, and why the others may not. Yields to other
 * work.
 *
 * - `firstRow`: number of the batch's first row in the whole input.
 * - `objects`: what the rows were before they became columns, for messages.
 * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
 */
export async function checkSwaps(
  input: SwapColumns,
  config: Config,
  firstRow: number,
  reject: (reject: Reject) => void,
  objects?: readonly unknown[],
): Promise<ValidSwaps> {
  checkColumns(input);
  const errors = new RowErrors(input.length);
  const all = await new BatchValidator(input, config, { errors, objects }).validSwaps(firstRow);
  if (errors.count === 0) return all;
  for (let row = 0; row < input.length; row++) {
    const error = errors.of(row);
    if (error !== undefined) reject({ row: firstRow + row, field: error[0], reason: error[1] });
  }
  return takeValid(all, errors.passed());
}

/** Columns of a batch as they are stored, checked one after the other: the order decides which error of a row is reported. */
class BatchValidator {
  readonly #length: number;
  readonly #columns: Readonly<Partial<Record<SwapFieldName, TextColumn | NumberColumn>>>;
  readonly #format: Config['address_format'];
  readonly #errors: RowErrors;
  readonly #objects: readonly unknown[] | undefined;
  readonly #texts: LocalTexts;
  readonly #isWrap: (given: string, received: string) => boolean;
  readonly #pause: Yielder = yielder();

  constructor(
    input: SwapColumns,
    config: Config,
    { errors, objects }: { readonly errors: RowErrors; readonly objects: readonly unknown[] | undefined },
  ) {
    this.#length = input.length;
    this.#columns = input.columns;
    this.#format = config.address_format;
    this.#texts = new LocalTexts(config);
    this.#isWrap = wrapping(config);
    this.#errors = errors;
    this.#objects = objects;
  }

  async validSwaps(firstRow: number): Promise<ValidSwaps> {
    const values: Partial<Record<SwapFieldName, Int32Array | Float64Array>> = {};
    const txHash = await this.#hashes();
    for (const name of checkOrder) {
      values[name] = await this.#check(name);
      if (name === 'token_price_in' || name === 'token_price_out') this.#checkProduct(name, values);
      await this.#pause.yieldIfDue();
    }
    const columns: Record<string, Int32Array | Float64Array> = {
      seq: new Float64Array(this.#length),
      tx: new Int32Array(this.#length),
      usd_amount_in: new Float64Array(this.#length),
      usd_amount_out: new Float64Array(this.#length),
    };
    for (const name of checkOrder) {
      const { column } = swapField(name);
      if (column !== undefined) columns[column] = values[name]!;
    }
    const rows = new Float64Array(this.#length);
    for (let i = 0; i < rows.length; i++) rows[i] = firstRow + i;
    const swaps = { length: this.#length, columns: columns as unknown as ValidSwaps['swaps']['columns'] };
    const keys = {
      length: this.#length,
      ...momentsOf(values as Readonly<Record<SwapFieldName, Float64Array>>),
      slot: values.block_slot as Float64Array,
      index: values.tx_index as Float64Array,
      filePlace: new Float64Array(this.#length),
      txHash,
      swapIndex: swaps.columns.swap_index,
    };
    return { swaps, keys, rows, texts: this.#texts.texts, wraps: this.#wraps(swaps, firstRow) };
  }

  #wraps({ columns }: ValidSwaps['swaps'], firstRow: number): ReadonlySet<number> {
    const wraps = new Set<number>();
    const [given, received] = [this.#columns.token_in as TextColumn, this.#columns.token_out as TextColumn];
    for (let row = 0; row < this.#length; row++) {
      if (columns.token_in[row] !== columns.token_out[row]) continue;
      if (this.#isWrap(textAt(given, row) ?? '', textAt(received, row) ?? '')) wraps.add(firstRow + row);
    }
    return wraps;
  }

  async #check(name: SwapFieldName): Promise<Int32Array | Float64Array> {
    const field = swapField(name);
    switch (field.type) {
      case 'address':
      case 'name':
      case 'identifier':
        return this.#textIds(name, this.#texts.uses[textKindOf(field)!]);
      case 'index':
      case 'time':
      case 'whole':
      case 'quantity':
        return this.#numbers(name, numberRuleOf(field.type, this.#format));
      case 'hash':
        throw new Error(`Field "${name}": only "tx_hash" is a hash.`);
    }
  }

  /** The hashes as they are stored. They have no ids: each row has its text. */
  async #hashes(): Promise<readonly string[]> {
    const column = this.#columns.tx_hash as TextColumn;
    const given = 'ids' in column ? Array.from(column.ids, (_, row) => textAt(column, row)) : column;
    const hashes =
      this.#format === 'evm'
        ? given.map((hash) => (typeof hash === 'string' ? storedHash(hash, this.#format) : hash))
        : given;
    const missing = this.#errors.add('tx_hash', (row) => {
      const object = this.#objects?.[row];
      return object === undefined || Object(object) === object
        ? 'is missing'
        : `is missing: the row is ${show(object)}, not an object`;
    });
    const unfit = this.#errors.add(
      'tx_hash',
      (row) =>
        `must be a text of 1 to ${HASH_LENGTH} characters without spaces and control characters, not ${this.#shown('tx_hash', row, hashes[row])}`,
    );
    for (let row = 0; row < this.#length; row++) {
      if (row % ROWS_PER_CHECK === 0) await this.#pause.yieldIfDue();
      const hash = hashes[row] ?? '';
      if (hash === '') this.#errors.mark(row, missing);
      else if (hash.length > HASH_LENGTH || unfitForHash.test(hash)) this.#errors.mark(row, unfit);
    }
    return hashes as readonly string[];
  }

  async #textIds(name: SwapFieldName, use: TextUse): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn | undefined;
    const ids = await use.ids(column, this.#length, this.#pause);
    const isNeeded = isRequiredField(name);
    const missing = this.#errors.add(name, () => 'is missing');
    const refused = this.#errors.add(name, (row) => use.messageOf(this.#shown(name, row, textAt(column!, row))));
    for (let row = 0; row < ids.length; row++) {
      if (ids[row]! >= 0) continue;
      if (ids[row] === REFUSED) this.#errors.mark(row, refused);
      else if (isNeeded) this.#errors.mark(row, missing);
      ids[row] = NO_ID;
    }
    return ids;
  }

  /** A copy of a number column, with 0 for -0; all `NaN` if the column is absent. */
  #numbers(name: SwapFieldName, { least, most, isWhole, wanted, hint }: NumberRule): Float64Array {
    const column = this.#columns[name] as NumberColumn | undefined;
    const values = new Float64Array(this.#length);
    const isNeeded = isRequiredField(name);
    const check = this.#errors.add(name, (row) =>
      Number.isNaN(values[row])
        ? 'is missing'
        : `must be ${wanted}, not ${this.#shown(name, row, values[row])}${hint?.(values[row]!) ?? ''}`,
    );
    for (let row = 0; row < values.length; row++) {
      const value = column === undefined ? Number.NaN : column[row]! + 0;
      values[row] = value;
      if (value >= least && value <= most && (!isWhole || Math.floor(value) === value)) continue;
      if (isNeeded || !Number.isNaN(value)) this.#errors.mark(row, check);
    }
    return values;
  }

  /** A value that follows from the price has the bound of a given one. */
  #checkProduct(
    name: 'token_price_in' | 'token_price_out',
    values: Partial<Record<SwapFieldName, Int32Array | Float64Array>>,
  ): void {
    const prices = values[name]!;
    const amounts = values[name === 'token_price_in' ? 'token_amount_in' : 'token_amount_out']!;
    const check = this.#errors.add(
      name,
      (row) => `times the amount must be at most ${MAX_QUANTITY}: ${prices[row]} x ${amounts[row]} is more`,
    );
    for (let row = 0; row < prices.length; row++)
      if (prices[row]! * amounts[row]! > MAX_QUANTITY) this.#errors.mark(row, check);
  }

  /** The value of a row as it was given: a column has lost what is of another type than its own. */
  #shown(name: SwapFieldName, row: number, value: unknown): string {
    const object = this.#objects?.[row];
    const given: unknown =
      object === undefined ? value : (object as Partial<Record<SwapFieldName, unknown>> | null)?.[name];
    return typeof given === 'bigint' ? `${given}n` : show(given);
  }
}

type RowError = readonly [field: SwapFieldName, reason: string];

/** The first error of each row of a batch. A batch is checked column by column, in the order in which errors count. */
class RowErrors {
  count = 0;
  /** By row: the number of the check that the row failed first, from 1; 0 for a row without an error. */
  readonly #failed: Uint8Array;
  readonly #checks: (readonly [field: SwapFieldName, reasonOf: (row: number) => string])[] = [];

  constructor(rows: number) {
    this.#failed = new Uint8Array(rows);
  }

  /** The number of a new check. `reasonOf` says why a row fails it; it is called for failing rows only. */
  add(field: SwapFieldName, reasonOf: (row: number) => string): number {
    return this.#checks.push([field, reasonOf]);
  }

  mark(row: number, check: number): void {
    if (this.#failed[row] !== 0) return;
    this.#failed[row] = check;
    this.count++;
  }

  of(row: number): RowError | undefined {
    const check = this.#checks[this.#failed[row]! - 1];
    return check && [check[0], check[1](row)];
  }

  passed(): Uint32Array {
    const rows = new Uint32Array(this.#failed.length - this.count);
    let at = 0;
    for (let row = 0; row < this.#failed.length; row++) if (this.#failed[row] === 0) rows[at++] = row;
    return rows;
  }
}

function checkColumns(input: SwapColumns): void {
  const columns = input.columns as Readonly<Record<string, TextColumn | NumberColumn | undefined>>;
  for (const name of swapFieldNames) {
    if (isRequiredField(name) && columns[name] === undefined)
      throw invalidInput(`The column batch has no column "${name}".`);
  }
  const names: readonly string[] = swapFieldNames;
  for (const [name, column] of Object.entries(columns)) {
    if (!names.includes(name)) throw invalidInput(`Unknown column "${name}".${didYouMean(name, names)}`);
    if (column === undefined) continue;
    const length = 'ids' in column ? column.ids.length : column.length;
    if (length !== input.length)
      throw invalidInput(`Column "${name}" has ${length} rows where the batch has ${input.length}.`);
  }
}

/** Swaps that were checked, and what else the result says of the input. */
export interface LookedThrough {
  readonly swaps: ValidSwaps;
  /** Rows of a token for itself under another name. */
  readonly passedOver: number;
  /** Rows whose hash has not the form of the chain's. */
  readonly oddHashes: number;
}

/** Passes over the wraps, which exchange nothing, and counts them and odd hashes. */
export function lookThrough(valid: ValidSwaps, { address_format: format }: Config): LookedThrough {
  const { wraps, rows } = valid;
  const swaps =
    wraps.size === 0
      ? valid
      : takeValid(
          valid,
          Array.from(rows.keys()).filter((at) => !wraps.has(rows[at]!)),
        );
  const passedOver = rows.length - swaps.rows.length;
  let oddHashes = 0;
  if (format === 'evm') for (const hash of valid.keys.txHash) if (isOddHash(hash, format)) oddHashes++;
  return { swaps, passedOver, oddHashes };
}

/** The whole second of each row, and what orders it within its slot: a log index counts only beside a slot. */
function momentsOf(values: Readonly<Record<'block_time' | 'block_slot' | 'log_index', Float64Array>>): {
  readonly time: Float64Array;
  readonly moment: Float64Array;
} {
  const { block_time: given, block_slot: slot, log_index: index } = values;
  const time = new Float64Array(given.length);
  const moment = new Float64Array(given.length);
  for (let row = 0; row < given.length; row++) {
    const whole = Math.floor(given[row]!);
    time[row] = whole;
    const fraction = whole === given[row] ? 0 : fractionOf(given[row]!);
    moment[row] = momentOf(Number.isNaN(slot[row]) ? Number.NaN : index[row]!, fraction);
  }
  return { time, moment };
}

/** The valid swaps at `rows`. */
export function takeValid(valid: ValidSwaps, rows: ArrayLike<number>): ValidSwaps {
  const { swaps, keys, rows: inputRows } = valid;
  const inputs = Float64Array.from(rows, (row) => inputRows[row]!);
  return { ...valid, swaps: takeRows(swaps, rows), keys: takeKeys(keys, rows), rows: inputs };
}

/** Leaves out, and rejects, the swaps that are later than `latest`: a single one would move the windows of every profile. */
export function rejectAhead(validSwaps: ValidSwaps, latest: number, reject: (reject: Reject) => void): ValidSwaps {
  return rejectTimes(validSwaps, reject, (time) =>
    time <= latest
      ? undefined
      : `must be at most ${formatTime(latest)}, the time of now and what may be ahead of it, not ${formatTime(time)}`,
  );
}

/** Leaves out, and rejects, swaps by their time. `reasonOf`: why one of a time is rejected, if it is. */
export function rejectTimes(
  validSwaps: ValidSwaps,
  reject: (reject: Reject) => void,
  reasonOf: (time: number) => string | undefined,
): ValidSwaps {
  const { time } = validSwaps.keys;
  const taken: number[] = [];
  for (let row = 0; row < time.length; row++) {
    const reason = reasonOf(time[row]!);
    if (reason === undefined) taken.push(row);
    else reject({ row: validSwaps.rows[row]!, field: 'block_time', reason });
  }
  return taken.length === time.length ? validSwaps : takeValid(validSwaps, taken);
}

/**
 * Checks a column batch as `ingest` does, without a store.
 *
 * - Returns how many rows could be stored. Whether a swap is stored already only a store can say. Wraps are passed over.
 * - `config`: a complete configuration (`parseConfig`), for its address format and aliases.
 * - `onReject`: takes the rows that could not, in order; `row` counts from 0.
 * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
 */
export async function inspectSwaps(
  batch: SwapColumns,
  config: Config,
  onReject: (reject: Reject) => void = () => undefined,
): Promise<number> {
  const { swaps } = lookThrough(await checkSwaps(batch, config, 0, onReject), config);
  return swaps.keys.length;
}
