import { noCache } from '../../cache/query-cache.ts';
import { foldedColumn } from '../../filter/fold.ts';
import { fillSearchColumns } from '../../filter/search-columns.ts';
import { labelRulesOf } from '../../labels/rules.ts';
import { type Batch, type ColumnData, newColumn } from '../../records/columns.ts';
import { type CompiledRule, compileRules, writeLabels } from '../../refresh/labels.ts';
import type { QueryContext } from '../context.ts';
import { swapSymbols } from '../swap-symbols.ts';
import { positionId } from '../trades.ts';
import { type Completion, completionOf } from './completion.ts';
import { fillMetrics } from './metrics.ts';
import { fillNativeReturns, fillPrices } from './prices.ts';

/** Makes rows of stored positions whole, for one as-of time. */
export interface Completer {
  readonly rules: readonly CompiledRule[];
  completionOf(wanted: Iterable<string>): Completion;
  /** Rows that have what is stored of a completion, with what is computed. */
  complete(rows: Batch, completion: Completion): Promise<Batch>;
}

/**
 * What is computed is of the state that the context reads, and as if nothing later than `asOf` had been ingested: prices, labels and
 * symbols as of that time, metrics as of the last instant up to it that the row holds for.
 */
export function positionCompleter(given: QueryContext, asOf: number): Completer {
  const context = contextAt(given, asOf);
  const shape = context.shapes.positions;
  const rules = compileRules('positions', labelRulesOf(context.config).positions, context);
  return {
    rules,
    completionOf: (wanted) => completionOf(shape, rules, wanted),
    async complete(rows, { computed }) {
      if (computed.size === 0) return rows;
      const columns: Record<string, ColumnData> = { ...rows.columns };
      for (const name of computed) {
        const column: ColumnData = newColumn(shape.whole.columns[name]!, rows.length);
        columns[name] = column instanceof Float64Array ? column.fill(Number.NaN) : column;
      }
      const whole: Batch = { length: rows.length, columns };
      if (computed.has('position_address')) await fillIds(context, whole);
      if (computed.has('metadata.symbol')) await fillSymbols(context, whole);
      if (computed.has('holding.price')) await fillPrices(context, whole);
      if (computed.has('holding.realized_roi_native')) fillNativeReturns(whole);
      await fillMetrics(context, whole, computed);
      fillSearchColumns(
        shape.fields.filter(({ path }) => computed.has(foldedColumn(path))),
        whole,
      );
      if (computed.has('labels')) writeLabels(whole, rules, () => []);
      return whole;
    },
  };
}

/** The context for another as-of time than its own: what is cached is of the newest state. */
function contextAt(context: QueryContext, asOf: number): QueryContext {
  return asOf === context.asOf ? context : { ...context, asOf, cache: noCache };
}

async function fillIds(context: QueryContext, { columns, length }: Batch): Promise<void> {
  const ids = columns.position_address as (string | null)[];
  const pause = context.yielder();
  for (let row = 0; row < length; row++) {
    ids[row] = positionId(columns.wallet_address![row] as string, columns.token_address![row] as string);
    await pause.yieldIfDue();
  }
}

async function fillSymbols(context: QueryContext, { columns }: Batch): Promise<void> {
  const tokens = columns.token as Int32Array;
  const symbolOf = await swapSymbols(context, Int32Array.from(new Set(tokens)));
  const symbols = columns['metadata.symbol'] as (string | null)[];
  for (const [row, token] of tokens.entries()) symbols[row] = symbolOf(token);
}
