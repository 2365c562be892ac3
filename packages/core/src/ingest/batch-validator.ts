import { normalAddress } from '../address.ts';
import type { Config } from '../config.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { show } from '../nearest.ts';
import { MAX_SWAP_INDEX } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { isRequiredField, type SwapFieldName, swapField, swapFieldNames } from '../records/swap-fields.ts';
import { MAX_TIME } from '../time.ts';
import { type Yielder, yielder } from '../yielder.ts';
import type { NumberColumn, SwapColumns, TextColumn } from './columns.ts';
import { CHECKED, LocalTexts, MISSING, REFUSED, type TextUse, textAt } from './local-texts.ts';
import type { RowErrors } from './row-errors.ts';
import type { ValidSwaps } from './valid-swaps.ts';

const HASH_LENGTH = 256;
const NAME_LENGTH = 256;
// No engine stores and gives back NUL and lone surrogates unchanged.
const unstorable = /[\0\p{Cs}]/u;
const unfitForHash = /[\p{Cc}\p{Cs}\s]/u;

/** A row's first error is told: that of its hash, else in this order. Fields that are not named come last. */
const checkedFirst: readonly SwapFieldName[] = [
  ...(['wallet', 'token_in', 'token_out', 'protocol', 'token_symbol_in', 'token_symbol_out'] as const),
  ...(['swap_index', 'block_time', 'block_slot', 'tx_index'] as const),
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

/** Columns of a batch as they are stored, checked one after the other: the order decides which error of a row is told. */
export class BatchValidator {
  readonly #length: number;
  readonly #columns: Readonly<Partial<Record<SwapFieldName, TextColumn | NumberColumn>>>;
  readonly #format: Config['address_format'];
  readonly #errors: RowErrors;
  readonly #objects: readonly unknown[] | undefined;
  readonly #texts = new LocalTexts();
  readonly #addressTexts = this.#texts.use((text) => normalAddress(text, this.#format));
  readonly #names = this.#texts.use((text) => (text.length > NAME_LENGTH || unstorable.test(text) ? undefined : text));
  readonly #identifiers = this.#texts.use((text) => {
    const identifier = normalAddress(text, 'any');
    return this.#format === 'evm' ? identifier?.toLowerCase() : identifier;
  });
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

  /** The columns as they are stored, and those of the transactions. */
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
    return {
      swaps: { length: this.#length, columns: columns as unknown as ValidSwaps['swaps']['columns'] },
      rows,
      txHash,
      blockTime: values.block_time as Float64Array,
      blockSlot: values.block_slot as Float64Array,
      txIndex: values.tx_index as Float64Array,
      texts: this.#texts.texts,
    };
  }

  async #check(name: SwapFieldName): Promise<Int32Array | Float64Array> {
    const { type } = swapField(name);
    switch (type) {
      case 'address':
        return this.#addresses(name);
      case 'name':
        return this.#optionalTexts(
          name,
          this.#names,
          `at most ${NAME_LENGTH} characters without NUL and lone surrogates`,
        );
      case 'identifier':
        return this.#optionalTexts(name, this.#identifiers, '1 to 128 printable ASCII characters without spaces');
      case 'index':
        return this.#wholeNumbers(name, MAX_SWAP_INDEX, 'a whole number');
      case 'time':
        return this.#wholeNumbers(name, MAX_TIME, 'whole Unix seconds', timeHint);
      case 'whole':
        return this.#wholeNumbers(name, Number.MAX_SAFE_INTEGER, 'a whole number');
      case 'quantity':
        return this.#quantities(name);
      case 'hash':
        throw new Error(`Field "${name}": only "tx_hash" is a hash.`);
    }
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

  async #addresses(name: SwapFieldName): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn;
    const ids = await this.#addressTexts.ids(column, this.#length, this.#pause);
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

  async #optionalTexts(name: SwapFieldName, use: TextUse, what: string): Promise<Int32Array> {
    const column = this.#columns[name] as TextColumn | undefined;
    const ids = await use.ids(column, this.#length, this.#pause);
    const refused = this.#errors.add(
      name,
      (row) => `must be a text of ${what}, not ${this.#shown(name, row, textAt(column!, row))}`,
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
    const isNeeded = isRequiredField(name);
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
    const isNeeded = isRequiredField(name);
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
