import { noCache } from '../../cache/process-memory.ts';
import type { MarkPrint } from '../../cache/regions.ts';
import { fillSearchColumns, foldedColumn } from '../../filter/words.ts';
import { requireWindow } from '../../ingest/carried.ts';
import { labelRulesOf } from '../../labels/rules.ts';
import { type PositionRule, positionRules } from '../../profiles/position-rules.ts';
import type { PositionPath } from '../../profiles/sections/sections.ts';
import type { PositionColumn, ProfileShape } from '../../profiles/shape.ts';
import { numbers } from '../../records/arithmetic.ts';
import { type Batch, type ColumnData, unknownColumn } from '../../records/columns.ts';
import { type CompiledRule, compileRules, writeLabels } from '../../refresh/labels.ts';
import { finite } from '../../refresh/position-rows.ts';
import { predicateColumns } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import { pricesInNative } from '../native-price.ts';
import { swapSymbols } from '../per-token.ts';
import { latestMarksOf } from '../prices.ts';
import { positionId } from '../trades.ts';
import { fillMetrics, ofMetrics } from './metrics.ts';

export interface Completer {
  readonly rules: readonly CompiledRule[];
  completionOf(wanted: Iterable<string>): Completion;
  /** Rows that have what is stored of a completion, with what is computed. */
  complete(rows: Batch, completion: Completion): Promise<Batch>;
}

/** How rows of stored positions get columns that are computed when they are asked for. */
interface Completion {
  readonly stored: readonly string[];
  /** The columns that each computation writes; what it reads is written before. */
  readonly computed: ReadonlyMap<Computation, ReadonlySet<string>>;
}

/** How columns are computed: what of, and what writes those `names` that a batch has to get. */
interface Computation<Of extends string = string> {
  readonly of: readonly Of[];
  readonly fill: (job: Job, names: ReadonlySet<string>) => void | Promise<void>;
}

/** Rows that are completed: their computed columns are there, still empty. */
interface Job {
  readonly context: QueryContext;
  readonly rows: Batch;
  /** Their tokens, and what values these. */
  readonly tokens: Int32Array;
  readonly marks: () => ReturnType<typeof latestMarksOf>;
}

/**
 * What is computed is of the state that the context reads, and as if nothing later than `asOf` had been ingested: prices, labels and
 * symbols as of that time, metrics as of the last instant up to it that the row holds for.
 */
export function positionCompleter(given: QueryContext, asOf: number): Completer {
  requireWindow({ asOf, horizon: given.horizon }, 0, 'A stored position');
  // What is cached is of the newest state.
  const context = asOf === given.asOf ? given : { ...given, asOf, cache: noCache };
  const shape = context.shapes.positions;
  const rules = compileRules('positions', labelRulesOf(context.config).positions, context);
  const computationOf = computationsOf(shape, rules);
  return {
    rules,
    completionOf: (wanted) => completionOf(shape, computationOf, wanted),
    async complete(rows, { computed }) {
      if (computed.size === 0) return rows;
      const columns: Record<string, ColumnData> = { ...rows.columns };
      for (const name of [...computed.values()].flatMap((names) => [...names]))
        columns[name] = unknownColumn(shape.whole.columns[name]!, rows.length);
      const whole: Batch = { length: rows.length, columns };
      const tokens = Int32Array.from(new Set(columns.token as Int32Array | undefined));
      let marks: ReturnType<Job['marks']> | undefined;
      const job: Job = { context, rows: whole, tokens, marks: () => (marks ??= latestMarksOf(context, tokens)) };
      for (const [{ fill }, names] of computed) await fill(job, names);
      return whole;
    },
  };
}

/** What rows with the columns `wanted` take: these columns, and what they are made of. */
function completionOf(
  { table }: ProfileShape,
  computationOf: (column: string) => Computation,
  wanted: Iterable<string>,
): Completion {
  const stored = new Set(['id']);
  const computed = new Map<Computation, Set<string>>();
  const begun = new Map<Computation, Set<string>>();
  function compute(column: string): void {
    const computation = computationOf(column);
    const names = begun.get(computation);
    if (names !== undefined) names.add(column);
    else {
      begun.set(computation, new Set([column]));
      for (const source of computation.of) add(source);
      computed.set(computation, begun.get(computation)!);
    }
  }
  const add = (column: string) => (column in table.columns ? stored.add(column) : compute(column));
  for (const column of wanted) add(column);
  return { stored: [...stored], computed };
}

/** How a column is computed that no table has. */
function computationsOf(shape: ProfileShape, rules: readonly CompiledRule[]): (column: string) => Computation {
  const metrics: Computation = {
    of: ofMetrics,
    fill: ({ context, rows }, names) => fillMetrics(context, rows, names),
  };
  const labels: Computation = {
    of: ['labels', 'matched_labels', ...rules.flatMap(({ where }) => [...predicateColumns(where)])],
    fill: ({ rows }) => writeLabels(rows, rules, () => []),
  };
  const named: Readonly<Record<string, Computation>> = { ...computations, labels, matched_labels: labels };
  return (column) => {
    if (column.startsWith('metrics.')) return metrics;
    if (column in named) return named[column]!;
    const field = shape.fields.find(({ path }) => foldedColumn(path) === column);
    if (field === undefined) throw new Error(`Nothing computes the column "${column}" of positions.`);
    return { of: [field.path], fill: ({ rows }) => fillSearchColumns([field], rows) };
  };
}

/** The computed fields that are of no window. */
const computations = {
  position_address: {
    of: ['wallet_address', 'token_address'],
    async fill({ context, rows: { columns, length } }) {
      const ids = columns.position_address as (string | null)[];
      const pause = context.yielder();
      for (let row = 0; row < length; row++) {
        ids[row] = positionId(columns.wallet_address![row] as string, columns.token_address![row] as string);
        await pause.yieldIfDue();
      }
    },
  },
  'metadata.symbol': {
    of: ['token'],
    async fill({ context, rows: { columns }, tokens }) {
      const symbolOf = await swapSymbols(context, tokens);
      const symbols = columns['metadata.symbol'] as (string | null)[];
      for (const [row, token] of (columns.token as Int32Array).entries()) symbols[row] = symbolOf(token);
    },
  },
  'holding.price': ofMark('holding.price', ({ usd_price }) => usd_price),
  'holding.price_age': ofMark('holding.price_age', (print, context) => context.asOf - print.block_time),
  ...byRules(),
  'holding.unrealized_pnl_native': {
    of: ['token', 'lot_amount', 'lot_amount_native', 'holding.cost_basis_native'],
    async fill({ context, rows: { columns, length }, tokens, marks }) {
      const latest = await marks();
      const inNative = await pricesInNative(context, tokens, (token) => latest.get(token));
      const results = columns['holding.unrealized_pnl_native'] as Float64Array;
      for (let row = 0; row < length; row++) {
        const of = (column: PositionColumn): number => columns[column]![row] as number;
        const amount = Number.isNaN(of('lot_amount_native')) ? of('lot_amount') : of('lot_amount_native');
        results[row] = finite(amount * (inNative.get(of('token')) ?? Number.NaN) - of('holding.cost_basis_native'));
      }
    },
  },
} satisfies Readonly<Record<PositionPath<'query'>, Computation<PositionColumn>>>;

function ofMark(name: PositionColumn, value: (print: MarkPrint, context: QueryContext) => number) {
  return {
    of: ['token'],
    async fill({ context, rows: { columns }, marks }) {
      const latest = await marks();
      const values = columns[name] as Float64Array;
      for (const [row, token] of (columns.token as Int32Array).entries()) {
        const print = latest.get(token);
        if (print !== undefined) values[row] = value(print, context);
      }
    },
  } satisfies Computation<PositionColumn>;
}

function byRules() {
  const rules: Readonly<Record<string, PositionRule>> = positionRules;
  const made = Object.entries(rules).map(([name, { of, value }]): [string, Computation<PositionColumn>] => [
    name,
    {
      of,
      fill({ rows: { columns, length } }) {
        const [values, sources] = [columns[name] as Float64Array, of.map((source) => columns[source] as Float64Array)];
        for (let row = 0; row < length; row++)
          values[row] = finite(value(numbers, ...sources.map((source) => source[row]!)));
      },
    },
  ]);
  return Object.fromEntries(made) as Readonly<Record<keyof typeof positionRules, Computation<PositionColumn>>>;
}
