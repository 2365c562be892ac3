import { noCache } from '../../cache/process-memory.ts';
import { type Batch, type ColumnData, unknownColumn } from '../../records/columns.ts';
import { finite } from '../../refresh/position-rows.ts';
import type { QueryContext } from '../context.ts';
import { heldPositions, MAX_SUSPECT_TRADES, suspectShare } from './positions.ts';
import { factsOf, isRecordPath, readsBalances, recordFieldOf } from './tally.ts';

/** How rows of stored wallets get the columns that are computed when they are asked for. */
export interface WalletCompleter {
  readonly isStored: (column: string) => boolean;
  /** The stored columns that rows take to get the columns `wanted`. */
  readonly storedOf: (wanted: Iterable<string>) => readonly string[];
  /** Rows that have these, with the computed ones of `wanted`. */
  readonly complete: (rows: Batch, wanted: Iterable<string>) => Promise<Batch>;
}

/** What is computed is of the state that the context reads, as of `asOf`, at the marks of that instant. */
export function walletCompleter(given: QueryContext, asOf: number): WalletCompleter {
  // What is cached is of the newest state.
  const context = asOf === given.asOf ? given : { ...given, asOf, cache: noCache };
  const { table, whole } = context.shapes.wallets;
  const isStored = (column: string): boolean => column in table.columns || !(column in whole.columns);
  return {
    isStored,
    storedOf(wanted) {
      const stored = new Set(['id']);
      for (const column of wanted) for (const name of isStored(column) ? [column] : sources) stored.add(name);
      return [...stored];
    },
    async complete(rows, wanted) {
      const names = [...new Set(wanted)].filter((column) => !isStored(column));
      if (names.length === 0) return rows;
      const columns: Record<string, ColumnData> = { ...rows.columns };
      for (const name of names) columns[name] = unknownColumn(whole.columns[name]!, rows.length);
      const completed: Batch = { length: rows.length, columns };
      await fill(context, completed, names);
      return completed;
    },
  };
}

/** What the computed columns are made of beside the positions. */
const sources = ['id', 'lifetime.first_trade_at', 'lifetime.trade_count', 'lifetime.realized_pnl'];

async function fill(context: QueryContext, rows: Batch, names: readonly string[]): Promise<void> {
  const c = rows.columns as Readonly<Record<string, Float64Array>>;
  const ids = rows.columns.id as Int32Array;
  if (rows.length === 0) return;
  const ofPositions = names.filter(isRecordPath);
  if (ofPositions.length > 0) {
    const held = await heldPositions(context, ids, {
      isThinAsked: names.includes('lifetime.thin_share'),
      areBalancesAsked: ofPositions.some(readsBalances),
    });
    const wanted = ofPositions.flatMap((name) => recordFieldOf(name).of);
    for (const [row, id] of ids.entries()) {
      const facts = factsOf(held.get(id) ?? [], c['lifetime.realized_pnl']![row]!, wanted);
      for (const name of ofPositions) c[name]![row] = finite(recordFieldOf(name).value(facts));
    }
  }
  for (const name of names.filter((name) => !isRecordPath(name)))
    for (const [row, id] of ids.entries()) c[name]![row] = finite(await others[name as Other](context, c, row, id));
}

/** What is computed of something else than positions. */
const others = {
  'lifetime.since': ({ horizon }, c, row) => {
    const isKnown = horizon === 0 || !Number.isNaN(c['lifetime.trade_count']![row]!);
    return isKnown ? c['lifetime.first_trade_at']![row]! : horizon;
  },
  'lifetime.suspect_share': async (context, c, row, id) =>
    c['lifetime.trade_count']![row]! <= MAX_SUSPECT_TRADES ? suspectShare(context, id) : Number.NaN,
} satisfies Readonly<Record<string, Computation>>;

type Other = keyof typeof others;
type Computation = (
  context: QueryContext,
  columns: Readonly<Record<string, Float64Array>>,
  row: number,
  id: number,
) => number | Promise<number>;
