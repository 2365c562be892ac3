import { zeroAddress } from '../../addresses/address.ts';
import { isOddHash } from '../../addresses/transaction-hash.ts';
import type { Config } from '../../config.ts';
import type { Reject } from '../../ingest-result.ts';
import { type Batch, NO_ID, newBatch, takeRows } from '../../records/columns.ts';
import { transfersTable } from '../../records/tables.ts';
import { fieldsOfTransfers, type TransferFieldName } from '../../records/transfer-fields.ts';
import { aheadReason } from '../batch-validator.ts';
import type { TransferColumns } from '../columns.ts';
import { RowChecks, type RowErrors } from '../row-checks.ts';

/** Transfers as rows of their table. */
export type Transfers = Batch<typeof transfersTable>;

/** Rows that the store gets, and rows that it loses: both of one that becomes another. */
export interface TransferChange {
  readonly added: Transfers;
  readonly removed: Transfers;
  /** Rows that stay, of transactions that get swaps. */
  readonly beside?: Transfers;
}

/**
 * Transfers that passed the checks. Text ids are local: places in `texts`.
 *
 * - `transfer` and `tx_key` are not set yet; `transfer_index` is `NaN` in rows that give none.
 * - `rows` says which input row each came from.
 * - `passedOver`: rows that move nothing. `oddHashes`: rows whose hash has not the form of the chain's.
 */
export interface ValidTransfers {
  readonly transfers: Transfers;
  readonly rows: Float64Array;
  readonly texts: readonly string[];
  readonly passedOver: number;
  readonly oddHashes: number;
}

/** A row is rejected with its first error: the error of its hash, else the first in this order. */
const checkOrder = fieldsOfTransfers.names.filter((name) => name !== 'tx_hash');

/**
 * Checks the rows of a column batch (docs/reference/transfer-fields.md): which may be stored, and why the others may not. Passes over
 * amounts of 0, and over the native token as it is wrapped. Yields to other work.
 *
 * - `firstRow`: number of the batch's first row in the whole input.
 * - `objects`: what the rows were before they became columns, for messages.
 * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
 */
export async function checkTransfers(
  input: TransferColumns,
  config: Config,
  firstRow: number,
  reject: (reject: Reject) => void,
  objects?: readonly unknown[],
): Promise<ValidTransfers> {
  const checks = new RowChecks(fieldsOfTransfers, input, { config, objects });
  const values: Partial<Record<TransferFieldName, Int32Array | Float64Array>> = {};
  const txHash = await checks.hashes('tx_hash');
  for (const name of checkOrder) values[name] = await checks.check(name);
  const { length } = input;
  const transfers = newBatch(transfersTable, length);
  const c = transfers.columns;
  for (const name of checkOrder) {
    const { column = name } = fieldsOfTransfers.field(name);
    (c[column as keyof typeof c] as Float64Array).set(values[name]!);
  }
  for (let row = 0; row < length; row++) {
    c.tx_hash[row] = txHash[row]!;
    c.block_time[row] = Math.floor(c.block_time[row]!);
    c.includes_swaps[row] = Number(values.includes_swaps![row] === 1);
  }
  const { address_format: format } = config;
  const zero = checks.texts.indexOf(zeroAddress(format));
  const wraps = wrapsIn(transfers, { texts: checks.texts, zero, config });
  leaveOutNobody(transfers, checks.errors, zero);
  checks.errors.report(firstRow, reject);
  const sound = checks.errors.passed();
  const taken = sound.filter((row) => c.token_amount[row]! > 0 && !wraps.has(row));
  return {
    transfers: takeRows(transfers, taken),
    rows: Float64Array.from(taken, (row) => firstRow + row),
    texts: checks.texts,
    passedOver: sound.length - taken.length,
    oddHashes: format === 'evm' ? taken.filter((row) => isOddHash(txHash[row]!, format)).length : 0,
  };
}

/** The zero address is nobody. A transfer has somebody on one side at least. */
function leaveOutNobody({ length, columns: c }: Transfers, errors: RowErrors<TransferFieldName>, zero: number): void {
  const nobody = errors.add('from', () => 'is nobody, as "to" is: one of them must be an address other than zero');
  for (let row = 0; row < length; row++) {
    for (const side of [c.sender, c.recipient]) if (side[row] === zero) side[row] = NO_ID;
    if (c.sender[row] === NO_ID && c.recipient[row] === NO_ID) errors.mark(row, nobody);
  }
}

/**
 * The rows of the native token as it is wrapped or unwrapped, which is a transfer between a wallet and the contract of the wrapped form, or
 * the zero address where chains note it as minted and burnt. One that names no other side is none.
 */
function wrapsIn(
  { length, columns: c }: Transfers,
  o: { readonly texts: readonly string[]; readonly zero: number; readonly config: Config },
): ReadonlySet<number> {
  const wraps = new Set<number>();
  const native = o.config.quote_tokens.find(({ kind }) => kind === 'native');
  const token = native === undefined ? -1 : o.texts.indexOf(native.address);
  if (token < 0) return wraps;
  const own = new Set([o.zero, token, ...(native?.aliases ?? []).map((alias) => o.texts.indexOf(alias))]);
  own.delete(NO_ID);
  for (let row = 0; row < length; row++)
    if (c.token[row] === token && (own.has(c.sender[row]!) || own.has(c.recipient[row]!))) wraps.add(row);
  return wraps;
}

/** The transfers at `rows`. */
export function takeTransfers(valid: ValidTransfers, rows: ArrayLike<number>): ValidTransfers {
  const inputs = Float64Array.from(rows, (row) => valid.rows[row]!);
  return { ...valid, transfers: takeRows(valid.transfers, rows), rows: inputs };
}

/** Leaves out, and rejects, the transfers that are later than `latest`. */
export function rejectAhead(valid: ValidTransfers, latest: number, reject: (reject: Reject) => void): ValidTransfers {
  const { block_time: time } = valid.transfers.columns;
  const taken: number[] = [];
  for (const [row, at] of time.entries()) {
    if (at <= latest) taken.push(row);
    else reject({ row: valid.rows[row]!, field: 'block_time', reason: aheadReason(at, latest) });
  }
  return taken.length === time.length ? valid : takeTransfers(valid, taken);
}

/**
 * Checks a column batch as `transfers.ingest` does, without a store, as `inspectSwaps` one of swaps.
 *
 * - Returns how many rows could be stored. Rows that move nothing are passed over.
 */
export async function inspectTransfers(
  batch: TransferColumns,
  config: Config,
  onReject: (reject: Reject) => void = () => undefined,
): Promise<number> {
  return (await checkTransfers(batch, config, 0, onReject)).rows.length;
}
