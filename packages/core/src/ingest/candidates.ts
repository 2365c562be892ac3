import { normalAddress } from '../address.ts';
import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { didYouMean, show } from '../nearest.ts';
import { type Batch, NO_ID, newBatch } from '../records/columns.ts';
import { swapsTable } from '../records/tables.ts';
import { MAX_TIME } from '../time.ts';
import {
  type NumberColumn,
  requiredNumberColumns,
  requiredTextColumns,
  type SwapColumns,
  type SwapFieldName,
  swapFieldNames,
  type TextColumn,
} from './columns.ts';
import type { Reject } from './result.ts';

/**
 * Swaps that passed the checks, in the shape of the swaps table. Text ids are local: places in `texts`.
 * `seq` and `tx` are not set yet; `rows` says which input row each came from.
 */
export interface Candidates {
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
const MAX_INDEX = 2 ** 31;
// No engine stores and gives back NUL and lone surrogates unchanged.
const unstorable = /[\0\p{Cs}]/u;
const unfitForHash = /[\p{Cc}\p{Cs}\s]/u;

/** Local ids of distinct texts, each checked once; `NO_ID` for those that the check refuses. */
function localIds(
  texts: string[],
  known: Map<string, number>,
  check: (text: string) => string | undefined,
): (text: string) => number {
  const checked = new Map<string, number>();
  return (text) => {
    let id = checked.get(text);
    if (id === undefined) {
      const normal = check(text);
      id = normal === undefined ? NO_ID : known.get(normal);
      if (id === undefined) {
        id = texts.length;
        texts.push(normal!);
        known.set(normal!, id);
      }
      checked.set(text, id);
    }
    return id;
  };
}

/** Reads text number `row` of a column, `null` where it is missing. */
function textReader(column: TextColumn | undefined): (row: number) => string | null {
  if (column === undefined) return () => null;
  if ('ids' in column) return (row) => (column.ids[row]! < 0 ? null : (column.dictionary[column.ids[row]!] ?? null));
  return (row) => column[row] ?? null;
}

function numberReader(column: NumberColumn | undefined): (row: number) => number {
  return column === undefined ? () => Number.NaN : (row) => column[row]!;
}

/**
 * Checks the rows of a column batch (docs/metrics.md, "Swaps"): which may be stored, and why the others may not.
 *
 * - `firstRow`: number of the batch's first row in the whole input.
 * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
 */
export function checkSwaps(
  input: SwapColumns,
  config: Config,
  firstRow: number,
  reject: (reject: Reject) => void,
): Candidates {
  checkColumns(input);
  const c = input.columns;
  const texts: string[] = [];
  const known = new Map<string, number>();
  const addressId = localIds(texts, known, (text) => normalAddress(text, config.address_format));
  const nameId = localIds(texts, known, (text) =>
    text.length > SYMBOL_LENGTH || unstorable.test(text) ? undefined : text,
  );
  const text = (name: SwapFieldName): ((row: number) => string | null) => textReader(c[name] as TextColumn | undefined);
  const number = (name: SwapFieldName): ((row: number) => number) => numberReader(c[name] as NumberColumn | undefined);
  const read = {
    tx_hash: text('tx_hash'),
    wallet: text('wallet'),
    token_in: text('token_in'),
    token_out: text('token_out'),
    protocol: text('protocol'),
    token_symbol_in: text('token_symbol_in'),
    token_symbol_out: text('token_symbol_out'),
    swap_index: number('swap_index'),
    block_time: number('block_time'),
    block_slot: number('block_slot'),
    tx_index: number('tx_index'),
    in: sideReaders(number, 'in'),
    out: sideReaders(number, 'out'),
  };
  const kept = newBatch(swapsTable, input.length);
  const out = kept.columns;
  const rows = new Float64Array(input.length);
  const txHash: string[] = [];
  const blockTime = new Float64Array(input.length);
  const blockSlot = new Float64Array(input.length);
  const txIndex = new Float64Array(input.length);
  let length = 0;

  const faultOf = (row: number): readonly [field: string, reason: string] | undefined => {
    const hash = read.tx_hash(row);
    if (hash === null || hash === '') return ['tx_hash', 'is missing'];
    if (hash.length > HASH_LENGTH || unfitForHash.test(hash))
      return ['tx_hash', `must be 1 to ${HASH_LENGTH} characters without spaces and control characters`];
    for (const name of ['wallet', 'token_in', 'token_out'] as const) {
      const address = read[name](row);
      if (address === null || address === '') return [name, 'is missing'];
      const id = addressId(address);
      if (id === NO_ID) return [name, `is not an address of format "${config.address_format}": ${show(address)}`];
      out[name][length] = id;
    }
    for (const name of ['protocol', 'token_symbol_in', 'token_symbol_out'] as const) {
      const value = read[name](row);
      const id = value === null || value === '' ? NO_ID : nameId(value);
      if (id === NO_ID && value !== null && value !== '')
        return [name, `must be at most ${SYMBOL_LENGTH} characters without NUL and lone surrogates`];
      out[name][length] = id;
    }
    const index = read.swap_index(row);
    if (Number.isNaN(index)) return ['swap_index', 'is missing'];
    if (!Number.isInteger(index) || index < 0 || index >= MAX_INDEX)
      return ['swap_index', `must be a whole number from 0, not ${index}`];
    const time = read.block_time(row);
    if (Number.isNaN(time)) return ['block_time', 'is missing'];
    if (!Number.isInteger(time) || time < 0 || time > MAX_TIME)
      return ['block_time', `must be whole Unix seconds from 0 to ${MAX_TIME}, not ${time}`];
    for (const name of ['block_slot', 'tx_index'] as const) {
      const value = read[name](row);
      if (!Number.isNaN(value) && (!Number.isSafeInteger(value) || value < 0))
        return [name, `must be a whole number from 0, not ${value}`];
    }
    for (const side of ['in', 'out'] as const) {
      const amount = read[side].amount(row);
      if (Number.isNaN(amount)) return [`token_amount_${side}`, 'is missing'];
      if (!isQuantity(amount)) return [`token_amount_${side}`, `must be finite and not negative, not ${amount}`];
      const usd = read[side].usd(row);
      if (!Number.isNaN(usd) && !isQuantity(usd))
        return [`usd_amount_${side}`, `must be finite and not negative, not ${usd}`];
      const price = read[side].price(row);
      if (!Number.isNaN(price) && !isQuantity(price))
        return [`token_price_${side}`, `must be finite and not negative, not ${price}`];
      if (!Number.isNaN(price) && !Number.isFinite(price * amount))
        return [`token_price_${side}`, `times the amount must be finite: ${price} x ${amount} is not`];
      for (const when of ['pre', 'post'] as const) {
        const balance = read[side][when](row);
        if (!Number.isNaN(balance) && !isQuantity(balance))
          return [`${when}_token_balance_${side}`, `must be finite and not negative, not ${balance}`];
        out[`${when}_token_balance_${side}`][length] = balance + 0;
      }
      out[`token_amount_${side}`][length] = amount + 0;
      out[`given_usd_${side}`][length] = usd + 0;
      out[`given_price_${side}`][length] = price + 0;
    }
    out.swap_index[length] = index;
    return undefined;
  };

  for (let row = 0; row < input.length; row++) {
    const fault = faultOf(row);
    if (fault !== undefined) {
      reject({ row: firstRow + row, field: fault[0], reason: fault[1] });
      continue;
    }
    rows[length] = firstRow + row;
    txHash.push(read.tx_hash(row)!);
    blockTime[length] = read.block_time(row);
    blockSlot[length] = read.block_slot(row);
    txIndex[length] = read.tx_index(row);
    length++;
  }
  return { swaps: { length, columns: out }, rows, txHash, blockTime, blockSlot, txIndex, texts };
}

function isQuantity(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY;
}

function sideReaders(number: (name: SwapFieldName) => (row: number) => number, side: 'in' | 'out') {
  return {
    amount: number(`token_amount_${side}`),
    usd: number(`usd_amount_${side}`),
    price: number(`token_price_${side}`),
    pre: number(`pre_token_balance_${side}`),
    post: number(`post_token_balance_${side}`),
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
