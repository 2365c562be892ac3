import { noCache } from '../../cache/process-memory.ts';
import { type Batch, type ColumnData, unknownColumn } from '../../records/columns.ts';
import { labelsOf } from '../../records/profile-fields.ts';
import { type CompiledRule, rulesOfQuestions } from '../../refresh/labels.ts';
import { finite } from '../../refresh/position-rows.ts';
import { compilePredicate } from '../../storage/evaluate.ts';
import { leavesOf, type Predicate, predicateColumns } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import { heldPositions, MAX_SUSPECT_TRADES, suspectShare } from './positions.ts';
import { addingUp, isRecordPath, readsBalances, recordFieldOf } from './tally.ts';

/** How rows of stored wallets get the columns that are computed when they are asked for. */
export interface WalletCompleter {
  /** Those that a question decides. */
  readonly rules: readonly CompiledRule[];
  /** Whether what a table has of the column is all: labels are not, if a rule of them is decided here. */
  readonly isStored: (column: string) => boolean;
  /** Whether a condition holds for stored rows wherever it holds for whole ones. */
  readonly isDecided: (where: Predicate) => boolean;
  /** Whether some of the columns take the trades of each wallet. */
  readonly isCostly: (columns: Iterable<string>) => boolean;
  /** The stored columns that rows take to get the columns `wanted`. */
  readonly storedOf: (wanted: Iterable<string>) => readonly string[];
  /** Rows that have these, with the computed ones of `wanted`. */
  readonly complete: (rows: Batch, wanted: Iterable<string>) => Promise<Batch>;
}

/** What is computed is of the state that the context reads, as of `asOf`, at the marks of that instant. */
export function walletCompleter(given: QueryContext, asOf: number): WalletCompleter {
  // What is cached is of the newest state.
  const context = asOf === given.asOf ? given : { ...given, asOf, cache: noCache };
  const { whole, computed: computedColumns } = context.shapes.wallets;
  const rules = rulesOfQuestions(context);
  const isOfTable = (column: string): boolean => !computedColumns.has(column);
  const isStored = (column: string): boolean => isOfTable(column) && !(rules.length > 0 && isLabels(column));
  /** With what the rules read, if labels are among them. */
  const withRead = (wanted: Iterable<string>): ReadonlySet<string> => {
    const names = new Set(wanted);
    if (rules.length > 0 && [...names].some(isLabels))
      for (const name of ['labels', 'matched_labels', ...rules.flatMap(({ where }) => [...predicateColumns(where)])])
        names.add(name);
    return names;
  };
  return {
    rules,
    isStored,
    isCostly: (columns) => withRead(columns).has(SUSPECT_SHARE),
    isDecided: (where) => {
      const asked = rules.map(({ label }) => label);
      return leavesOf(where).every((leaf) =>
        leaf.kind === 'has' ? !asked.includes(leaf.label) : isStored(leaf.column),
      );
    },
    storedOf(wanted) {
      const stored = new Set(['id']);
      for (const column of withRead(wanted))
        for (const name of isOfTable(column) ? [column] : sources) stored.add(name);
      return [...stored];
    },
    async complete(rows, wanted) {
      const names = withRead(wanted);
      const computed = [...names].filter((column) => !isOfTable(column));
      const hasLabels = rules.length > 0 && names.has('labels');
      if (computed.length === 0 && !hasLabels) return rows;
      const columns: Record<string, ColumnData> = { ...rows.columns };
      for (const name of computed) columns[name] = unknownColumn(whole.columns[name]!, rows.length);
      const completed: Batch = { length: rows.length, columns };
      await fill(context, completed, computed);
      if (hasLabels) addLabels(completed, rules);
      return completed;
    },
  };
}

const isLabels = (column: string): boolean => column === 'labels' || column === 'matched_labels';

/** Adds the labels of rules to those that are stored. The columns of labels are the batch's own from then on. */
function addLabels(batch: Batch, rules: readonly CompiledRule[]): void {
  const columns = batch.columns as Record<string, ColumnData>;
  const [labels, matched] = ['labels', 'matched_labels'].map((name) => [...(columns[name] as (string | null)[])]);
  for (const { label, rule, where } of rules) {
    const holds = compilePredicate(where, batch);
    for (let row = 0; row < batch.length; row++) {
      if (!holds(row)) continue;
      const names = new Set([...labelsOf(labels![row]!), label]);
      const by: Readonly<Record<string, readonly string[]>> = JSON.parse(matched![row] ?? '{}');
      labels![row] = `|${[...names].sort().join('|')}|`;
      const all = { ...by, [label]: [...(by[label] ?? []), rule] };
      matched![row] = JSON.stringify(Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))));
    }
  }
  Object.assign(columns, { labels, matched_labels: matched });
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
    const pause = context.yielder();
    for (const [row, id] of ids.entries()) {
      const facts = await pause.run(addingUp(held.get(id) ?? [], c['lifetime.realized_pnl']![row]!, wanted));
      for (const name of ofPositions) c[name]![row] = finite(recordFieldOf(name).value(facts));
    }
  }
  for (const name of names.filter((name) => !isRecordPath(name)))
    for (const [row, id] of ids.entries()) c[name]![row] = finite(await others[name as Other](context, c, row, id));
}

const SUSPECT_SHARE = 'lifetime.suspect_share';

/** What is computed of something else than positions. */
const others = {
  'lifetime.since': ({ horizon }, c, row) => {
    const isKnown = horizon === 0 || !Number.isNaN(c['lifetime.trade_count']![row]!);
    return isKnown ? c['lifetime.first_trade_at']![row]! : horizon;
  },
  [SUSPECT_SHARE]: async (context, c, row, id) =>
    c['lifetime.trade_count']![row]! <= MAX_SUSPECT_TRADES ? suspectShare(context, id) : Number.NaN,
} satisfies Readonly<Record<string, Computation>>;

type Other = keyof typeof others;
type Computation = (
  context: QueryContext,
  columns: Readonly<Record<string, Float64Array>>,
  row: number,
  id: number,
) => number | Promise<number>;
