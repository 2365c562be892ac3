import { foldedColumn } from '../../filter/fold.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import type { CompiledRule } from '../../refresh/labels.ts';
import { predicateColumns } from '../../search/columns.ts';
import { ofMetrics } from './metrics.ts';

/** How rows of stored positions get columns that are computed when they are asked for. */
export interface Completion {
  /** What is read of the table. */
  readonly stored: readonly string[];
  /** What is computed. */
  readonly computed: ReadonlySet<string>;
}

/** What the computed fields are made of. */
const sources: Readonly<Record<string, readonly string[]>> = {
  position_address: ['wallet_address', 'token_address'],
  'metadata.symbol': ['token'],
  'holding.price': ['token'],
  'holding.price_age': ['holding.price'],
  'holding.value': ['holding.price', 'holding.balance'],
  'holding.unrealized_pnl': ['holding.price', 'lot_amount', 'holding.cost_basis'],
  'holding.unrealized_roi': ['holding.unrealized_pnl'],
  'holding.realized_roi_native': ['holding.realized_pnl_native', 'matched_cost_native'],
  'holding.unrealized_pnl_native': ['holding.price', 'lot_amount', 'lot_amount_native', 'holding.cost_basis_native'],
};

/** What rows with the columns `wanted` take: those, and what they are made of. `rules` are those of labels. */
export function completionOf(
  shape: ProfileShape,
  rules: readonly CompiledRule[],
  wanted: Iterable<string>,
): Completion {
  const textOf = new Map(shape.fields.map(({ path }) => [foldedColumn(path), path]));
  const sourcesOf = (column: string): Iterable<string> => {
    if (column === 'labels' || column === 'matched_labels')
      return ['labels', 'matched_labels', ...rules.flatMap(({ where }) => [...predicateColumns(where)])];
    if (column.startsWith('metrics.')) return ofMetrics;
    return sources[column] ?? [textOf.get(column)!];
  };
  const stored = new Set(['id']);
  const computed = new Set<string>();
  const left = [...wanted];
  for (let column = left.pop(); column !== undefined; column = left.pop()) {
    if (column in shape.table.columns) stored.add(column);
    else if (!computed.has(column)) {
      computed.add(column);
      left.push(...sourcesOf(column));
    }
  }
  return { stored: [...stored], computed };
}
