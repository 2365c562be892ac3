import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { type Batch, takeRows } from '../records/columns.ts';
import { isRequiredField, swapFieldNames } from '../records/swap-fields.ts';
import type { swapsTable } from '../records/tables.ts';
import { BatchValidator } from './batch-validator.ts';
import type { NumberColumn, SwapColumns, TextColumn } from './columns.ts';
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
  for (const name of swapFieldNames) {
    if (isRequiredField(name) && columns[name] === undefined)
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
