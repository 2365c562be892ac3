import { wrapping } from '../addresses/token-address.ts';
import { isOddHash } from '../addresses/transaction-hash.ts';
import type { Config } from '../config.ts';
import type { Reject } from '../ingest-result.ts';
import { MAX_QUANTITY } from '../ledger/value.ts';
import { type Batch, takeRows } from '../records/columns.ts';
import { fractionOf, momentOf } from '../records/moment.ts';
import { fieldsOfSwaps, type SwapFieldName, swapField, swapFieldNames } from '../records/swap-fields.ts';
import type { swapsTable } from '../records/tables.ts';
import { formatTime } from '../time.ts';
import { type ChainKeys, takeKeys } from './chain-keys.ts';
import type { SwapColumns } from './columns.ts';
import { textAt } from './field-rules.ts';
import { RowChecks, type RowErrors } from './row-checks.ts';

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
  const checks = new RowChecks(fieldsOfSwaps, input, { config, objects });
  const { length } = input;
  const values: Partial<Record<SwapFieldName, Int32Array | Float64Array>> = {};
  const txHash = await checks.hashes('tx_hash');
  for (const name of checkOrder) {
    values[name] = await checks.check(name);
    if (name === 'token_price_in' || name === 'token_price_out') checkProduct(checks.errors, name, values);
  }
  checkPoolAmounts(checks.errors, values);
  const columns: Record<string, Int32Array | Float64Array> = {
    seq: new Float64Array(length),
    tx: new Int32Array(length),
    usd_amount_in: new Float64Array(length),
    usd_amount_out: new Float64Array(length),
  };
  for (const name of checkOrder) {
    const { column } = swapField(name);
    if (column !== undefined) columns[column] = values[name]!;
  }
  const rows = new Float64Array(length);
  for (let i = 0; i < rows.length; i++) rows[i] = firstRow + i;
  const swaps = { length, columns: columns as unknown as ValidSwaps['swaps']['columns'] };
  const keys = {
    length,
    ...momentsOf(values as Readonly<Record<SwapFieldName, Float64Array>>),
    slot: values.block_slot as Float64Array,
    index: values.tx_index as Float64Array,
    filePlace: new Float64Array(length),
    txHash,
    swapIndex: swaps.columns.swap_index,
  };
  const all = { swaps, keys, rows, texts: checks.texts, wraps: wrapsOf(swaps, input, config, firstRow) };
  if (checks.errors.count === 0) return all;
  checks.errors.report(firstRow, reject);
  return takeValid(all, checks.errors.passed());
}

/** The rows of a token for itself under another name, by their numbers in the input. */
function wrapsOf(
  { columns }: ValidSwaps['swaps'],
  input: SwapColumns,
  config: Config,
  firstRow: number,
): ReadonlySet<number> {
  const isWrap = wrapping(config);
  const wraps = new Set<number>();
  const { token_in: given, token_out: received } = input.columns;
  for (let row = 0; row < input.length; row++) {
    if (columns.token_in[row] !== columns.token_out[row]) continue;
    if (isWrap(textAt(given, row) ?? '', textAt(received, row) ?? '')) wraps.add(firstRow + row);
  }
  return wraps;
}

/** A value that follows from the price has the bound of a given one. */
function checkProduct(
  errors: RowErrors<SwapFieldName>,
  name: 'token_price_in' | 'token_price_out',
  values: Partial<Record<SwapFieldName, Int32Array | Float64Array>>,
): void {
  const prices = values[name]!;
  const amounts = values[name === 'token_price_in' ? 'token_amount_in' : 'token_amount_out']!;
  const check = errors.add(
    name,
    (row) => `times the amount must be at most ${MAX_QUANTITY}: ${prices[row]} x ${amounts[row]} is more`,
  );
  for (let row = 0; row < prices.length; row++)
    if (prices[row]! * amounts[row]! > MAX_QUANTITY) errors.mark(row, check);
}

/** What a pool received says nothing without what it gave. */
function checkPoolAmounts(
  errors: RowErrors<SwapFieldName>,
  values: Partial<Record<SwapFieldName, Int32Array | Float64Array>>,
): void {
  const [given, received] = [values.pool_amount_in!, values.pool_amount_out!];
  const noted = (field: 'pool_amount_in' | 'pool_amount_out', other: string): number =>
    errors.add(field, () => `is missing, and the row has ${other}: give both, or neither`);
  const [noIn, noOut] = [noted('pool_amount_in', 'pool_amount_out'), noted('pool_amount_out', 'pool_amount_in')];
  for (let row = 0; row < given.length; row++) {
    if (Number.isNaN(given[row]) === Number.isNaN(received[row])) continue;
    errors.mark(row, Number.isNaN(given[row]) ? noIn : noOut);
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
  return rejectTimes(validSwaps, reject, (time) => (time <= latest ? undefined : aheadReason(time, latest)));
}

/** Why a row of a time is not stored that is later than the clock allows. */
export const aheadReason = (time: number, latest: number): string =>
  `must be at most ${formatTime(latest)}, the time of now and what may be ahead of it, not ${formatTime(time)}`;

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
