import { normalAddress } from '../address.ts';
import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { didYouMean, show } from '../nearest.ts';
import { MAX_SWAP_INDEX } from '../records/chain-order.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import { MAX_TIME } from '../time.ts';
import { type Yielder, yielder } from '../yielder.ts';
import {
  type NumberColumn,
  requiredNumberColumns,
  requiredTextColumns,
  type SwapColumns,
  type SwapFieldName,
  swapFieldNames,
  type TextColumn,
} from './columns.ts';
import { CHECKED, LocalTexts, MISSING, REFUSED, type TextUse, textAt } from './local-texts.ts';
import type { Reject } from './result.ts';
import { RowErrors } from './row-errors.ts';

/**
 * Swaps that passed the checks, in the shape of the swaps table. Text ids are local: places in `texts`.
 * `seq` and `tx` are not set yet; `rows` says which input row each came from.
 */
export interface ValidSwaps {
  readonly swaps: Batch<typeof swapsTable>;
  readonly rows: Float64Array;
  readonly txHash: readonly string[];
  readonly blockTime: Float64Array;
  readonly blockSlot: Float64Array;
  readonly txIndex: Float64Array;
  readonly texts: readonly string[];
}

const HASH_LENGTH = 256;
const SYMBOL_LENGTH = 256;
// No engine stores and gives back NUL and lone surrogates unchanged.
const unstorable = /[\0\p{Cs}]/u;
const unfitForHash = /[\p{Cc}\p{Cs}\s]/u;

/**
 * Checks the rows of a column batch (docs/metrics.md, "Swaps"): which may be stored, and why the others may not. Other work of the
 * process has its turn meanwhile.
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
  return pickRows(all, errors.passed());
}

/** Columns of a batch as they are stored, checked one after the other: the order decides which error of a row is told. */
class BatchValidator {
  readonly #length: number;
  readonly #columns: Readonly<Partial<Record<SwapFieldName, TextColumn | NumberColumn>>>;
  readonly #format: Config['address_format'];
  readonly #errors: RowErrors;
  readonly #objects: readonly unknown[] | undefined;
  readonly #texts = new LocalTexts();
  readonly #pause: Yielder = yielder();

  constructor(
    input: SwapColumns,
    config: Config,
    { errors, objects }: { readonly errors: RowErrors; readonly objects: readonly unknown[] | undefined },
  ) {
    this.#length = input.length;
    this.#columns = input.columns;
    this.#format = config.address_format;
    this.#errors = errors;
    this.#objects = objects;
  }

  async validSwaps(firstRow: number): Promise<ValidSwaps> {
    const txHash = await this.#hashes();
    const addresses = this.#texts.use((text) => normalAddress(text, this.#format));
    const names = this.#texts.use((text) => (text.length > SYMBOL_LENGTH || unstorable.test(text) ? undefined : text));
    const texts = {
      wallet: await this.#addresses('wallet', addresses),
      token_in: await this.#addresses('token_in', addresses),
      token_out: await this.#addresses('token_out', addresses),
      protocol: await this.#names('protocol', names),
      token_symbol_in: await this.#names('token_symbol_in', names),
      token_symbol_out: await this.#names('token_symbol_out', names),
    };
    const swapIndex = this.#wholeNumbers('swap_index', MAX_SWAP_INDEX, 'a whole number');
    const blockTime = this.#wholeNumbers('block_time', MAX_TIME, 'whole Unix seconds', timeHint);
    const [blockSlot, txIndex] = (['block_slot', 'tx_index'] as const).map((name) =>
      this.#wholeNumbers(name, Number.MAX_SAFE_INTEGER, 'a whole number'),
    );
    await this.#pause.yieldIfDue();
    const sideIn = this.#side('in');
    await this.#pause.yieldIfDue();
    const columns = {
      seq: new Float64Array(this.#length),
      tx: new Int32Array(this.#length),
      swap_index: swapIndex,
      ...texts,
      ...sideIn,
      ...this.#side('out'),
      usd_amount_in: new Float64Array(this.#length),
      usd_amount_out: new Float64Array(this.#length),
    };
    const rows = new Float64Array(this.#length);
    for (let i = 0; i < rows.length; i++) rows[i] = firstRow + i;
    return {
      swaps: { length: this.#length, columns },
      rows,
      txHash,
      blockTime,
      blockSlot: blockSlot!,
      txIndex: txIndex!,
      texts: this.#texts.texts,
    };
  }

  /** A hash is not checked for its rows' sake alone: its text goes into the store as it is. */
  async #hashes(): Promise<readonly string[]> {
    const column = this.#columns.tx_hash as TextColumn;
    const given = 'ids' in column ? Array.from(column.ids, (_, row) => textAt(column, row)) : column;
    const hashes = this.#format === 'evm' ? given.map((hash) => (hash == null ? hash : evmHash(hash))) : given;
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
      if (row % CHECKED === 0) await this.#pause.yieldIfDue();
      const hash = hashes[row] ?? '';
      if (hash === '') this.#errors.mark(row, missing);
      else if (hash.length > HASH_LENGTH || unfitForHash.test(hash)) this.#errors.mark(row, unfit);
    }
    return hashes as readonly string[];
  }

  async #addresses(name: SwapFieldName, use: TextUse): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn;
    const ids = await use.ids(column, this.#length, this.#pause);
    const missing = this.#errors.add(name, () => 'is missing');
    const refused = this.#errors.add(
      name,
      (row) => `is not an address of format "${this.#format}": ${this.#shown(name, row, textAt(column, row))}`,
    );
    for (let row = 0; row < ids.length; row++) {
      if (ids[row]! >= 0) continue;
      this.#errors.mark(row, ids[row] === MISSING ? missing : refused);
    }
    return ids;
  }

  async #names(name: SwapFieldName, use: TextUse): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn | undefined;
    const ids = await use.ids(column, this.#length, this.#pause);
    const refused = this.#errors.add(
      name,
      (row) =>
        `must be a text of at most ${SYMBOL_LENGTH} characters without NUL and lone surrogates, not ${this.#shown(name, row, textAt(column!, row))}`,
    );
    for (let row = 0; row < ids.length; row++) {
      if (ids[row]! >= 0) continue;
      if (ids[row] === REFUSED) this.#errors.mark(row, refused);
      ids[row] = NO_ID;
    }
    return ids;
  }

  #wholeNumbers(name: SwapFieldName, most: number, what: string, hint = noHint): Float64Array {
    const values = this.#numbers(name);
    const isNeeded = isRequired(name);
    const check = this.#errors.add(name, (row) =>
      Number.isNaN(values[row])
        ? 'is missing'
        : `must be ${what} from 0 to ${most}, not ${this.#shown(name, row, values[row])}${hint(values[row]!)}`,
    );
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      if (value >= 0 && value <= most && Math.floor(value) === value) continue;
      if (isNeeded || !Number.isNaN(value)) this.#errors.mark(row, check);
    }
    return values;
  }

  #quantities(name: SwapFieldName): Float64Array {
    const values = this.#numbers(name);
    const isNeeded = isRequired(name);
    const check = this.#errors.add(name, (row) =>
      Number.isNaN(values[row])
        ? 'is missing'
        : `must be a number that is at most ${MAX_QUANTITY}, finite and not negative, not ${this.#shown(name, row, values[row])}`,
    );
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      if (value >= 0 && value <= MAX_QUANTITY) continue;
      if (isNeeded || !Number.isNaN(value)) this.#errors.mark(row, check);
    }
    return values;
  }

  #side<S extends 'in' | 'out'>(side: S): SideColumns<S> {
    const amounts = this.#quantities(`token_amount_${side}`);
    const usd = this.#quantities(`usd_amount_${side}`);
    const prices = this.#quantities(`token_price_${side}`);
    const check = this.#errors.add(
      `token_price_${side}`,
      (row) => `times the amount must be at most ${MAX_QUANTITY}: ${prices[row]} x ${amounts[row]} is more`,
    );
    for (let row = 0; row < prices.length; row++)
      if (prices[row]! * amounts[row]! > MAX_QUANTITY) this.#errors.mark(row, check);
    return {
      [`token_amount_${side}`]: amounts,
      [`given_usd_${side}`]: usd,
      [`given_price_${side}`]: prices,
      [`pre_token_balance_${side}`]: this.#quantities(`pre_token_balance_${side}`),
      [`post_token_balance_${side}`]: this.#quantities(`post_token_balance_${side}`),
    } as SideColumns<S>;
  }

  /** The value of a row as it was given: a column has lost what is of another type than its own. */
  #shown(name: SwapFieldName, row: number, value: unknown): string {
    const object = this.#objects?.[row];
    const given: unknown =
      object === undefined ? value : (object as Partial<Record<SwapFieldName, unknown>> | null)?.[name];
    return typeof given === 'bigint' ? `${given}n` : show(given);
  }

  /** A copy of a number column, with 0 for -0; all `NaN` where there is none. */
  #numbers(name: SwapFieldName): Float64Array {
    const column = this.#columns[name] as NumberColumn | undefined;
    const values = new Float64Array(this.#length);
    if (column === undefined) return values.fill(Number.NaN);
    for (let row = 0; row < values.length; row++) values[row] = column[row]! + 0;
    return values;
  }
}

const noHint = (_value: number): string => '';

/** What to make of a time that is refused: a fraction, or another unit. */
function timeHint(value: number): string {
  if (value >= 0 && value <= MAX_TIME) return `; round it down to ${Math.floor(value)}`;
  const unit = (
    [
      ['milliseconds', 1e3],
      ['microseconds', 1e6],
      ['nanoseconds', 1e9],
    ] as const
  ).find(([, perSecond]) => value > MAX_TIME && value / perSecond <= MAX_TIME);
  return unit === undefined ? '' : `; if these are ${unit[0]}, divide by ${unit[1].toLocaleString('en-US')}`;
}

/** Hex digits name the same transaction in either case. */
function evmHash(hash: string): string {
  return /^0x[\da-f]+$/i.test(hash) ? hash.toLowerCase() : hash;
}

type SideColumn = 'token_amount' | 'given_usd' | 'given_price' | 'pre_token_balance' | 'post_token_balance';
type SideColumns<S extends 'in' | 'out'> = Record<`${SideColumn}_${S}`, Float64Array>;

function isRequired(name: SwapFieldName): boolean {
  return (requiredNumberColumns as readonly SwapFieldName[]).includes(name);
}

function pickRows(all: ValidSwaps, rows: Uint32Array): ValidSwaps {
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]!);
  return {
    swaps: takeRows(all.swaps, rows),
    rows: pick(all.rows),
    txHash: Array.from(rows, (row) => all.txHash[row]!),
    blockTime: pick(all.blockTime),
    blockSlot: pick(all.blockSlot),
    txIndex: pick(all.txIndex),
    texts: all.texts,
  };
}

function checkColumns(input: SwapColumns): void {
  const columns = input.columns as Readonly<Record<string, TextColumn | NumberColumn | undefined>>;
  for (const name of [...requiredTextColumns, ...requiredNumberColumns]) {
    if (columns[name] === undefined)
      throw new SwapfoldError('invalid-input', `The column batch has no column "${name}".`);
  }
  const names: readonly string[] = swapFieldNames;
  for (const [name, column] of Object.entries(columns)) {
    if (!names.includes(name))
      throw new SwapfoldError('invalid-input', `Unknown column "${name}".${didYouMean(name, names)}`);
    if (column === undefined) continue;
    const length = 'ids' in column ? column.ids.length : column.length;
    if (length !== input.length)
      throw new SwapfoldError(
        'invalid-input',
        `Column "${name}" has ${length} rows where the batch has ${input.length}.`,
      );
  }
}
