import { type Bag, emptyBag } from '../bag/bag.ts';
import { newEntityTrades, noPrints } from '../bag/entity.ts';
import { unmatchedOf } from '../bag/partial-sums.ts';
import type { TermSource } from '../bag/spans.ts';
import { type Term, type TermName, type TradePart, termNameOf, termTable } from '../bag/terms.ts';
import type { WindowSpec } from '../bag/windows.ts';
import { resultOf } from '../ledger/result.ts';
import { QUOTE_QUOTE } from '../ledger/trade.ts';
import { builtInMetrics } from '../metrics/built-in.ts';
import type { Metric } from '../metrics/metric.ts';
import { metricValue } from '../metrics/metric.ts';
import { tradeCount } from '../metrics/shared/activity.ts';
import { compareText, lastSeqAt, pairOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { SINCE_LAST_TRADE, tradesTable } from '../records/tables.ts';
import { readTokenFacts } from '../refresh/read.ts';
import { TradeLog, tradeColumns } from '../refresh/trade-log.ts';
import { and, compare } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import { orNull, type QueryContext } from './context.ts';
import { explainedMoves } from './explain-moves.ts';
import type { ExplainedMove, ExplainedTrade, MetricTerm } from './explain-schema.ts';
import {
  type Asked,
  columnOf,
  isReading,
  type StoredMetrics,
  type Subject,
  type SubjectFold,
} from './explain-subject.ts';
import { type ListPlace, seqOfPlace, type Tuple } from './list-place.ts';
import { hasMovedLots, movesOfTrades } from './moves.ts';
import { listedTrades, servedTrades } from './trades.ts';

interface Head {
  readonly value: number | null;
  readonly terms: readonly MetricTerm[];
  readonly count: number;
  /** The counterparty that made the most, where parts tell it from others. */
  readonly best: number;
}

/** Columns of stored profiles that say what an explanation does. */
interface Wanted {
  readonly value: string;
  readonly count: string;
  /** Those of the terms, if stored profiles have them all. */
  readonly terms: ReadonlyMap<TermName, string> | undefined;
}

export function wantedOf(context: QueryContext, kind: ProfileKind, asked: Asked): Wanted {
  const { metric, window } = asked;
  return {
    value: columnOf(metric, window),
    count: columnOf(tradeCount, window),
    terms: termColumns(context, kind, asked),
  };
}

/** Those of them that are read. */
export function columnsOf({ value, count, terms }: Wanted, { isStoredOnly }: Metric): readonly string[] {
  return [...(isStoredOnly ? [value] : []), ...(terms === undefined ? [] : [count, ...terms.values()])];
}

/** The head of an explanation: what the stored profile says, else what a fold of the trades says. Both say the same, to the bit. */
export async function headOf(context: QueryContext, subject: Subject, asked: Asked, wanted: Wanted): Promise<Head> {
  return storedHead(subject, asked, wanted) ?? foldedHead(context, subject, asked, wanted);
}

/** What a stored profile says that no swap has changed since, if it has all terms. */
function storedHead({ stored, asOf }: Subject, asked: Asked, { count, terms }: Wanted): Head | undefined {
  const { metric, window } = asked;
  if (metric.isStoredOnly || terms === undefined || stored?.isCurrent !== true) return undefined;
  const bag = storedTerms(asked, asOf, terms, stored);
  return {
    value: orNull(metricValue(metric, bag)),
    terms: servedTerms(metric, { ...nothingFolded, bag, window }),
    count: stored.numberOf(count),
    best: NO_ID,
  };
}

const nothingFolded = { trades: newEntityTrades(0), prints: noPrints };

async function foldedHead(
  context: QueryContext,
  subject: Subject,
  { metric, window }: Asked,
  wanted: Wanted,
): Promise<Head> {
  const { stored } = subject;
  const fold = await subject.fold();
  const value = metric.isStoredOnly && stored ? stored.numberOf(wanted.value) : metricValue(metric, fold.bag);
  return {
    value: orNull(value),
    terms: servedTerms(metric, { ...fold, window }),
    count: metricValue(tradeCount, fold.bag),
    best: isReading(metric, 'best') ? await bestCounterparty(context, subject, fold, window) : NO_ID,
  };
}

function servedTerms({ terms = [] }: Metric, source: TermSource): readonly MetricTerm[] {
  return terms.map((name) => {
    const { unit, meaning, span }: Term = termTable[name];
    const value = source.bag[name];
    const [from, to] = (span?.(source) ?? [null, null]).map((time) => (time === null ? null : formatTime(time)));
    return {
      name: termNameOf(name),
      value: typeof value === 'number' ? orNull(value) : Array.from(value, orNull),
      unit,
      meaning,
      from: from!,
      to: to!,
    };
  });
}

/**
 * What a trade adds to a metric that is a sum: its function over the parts that the trade has in its terms. `null` of other metrics, and of a
 * trade that is in none of the terms.
 */
function partOfTrade({ isSum, terms = [], value }: TradesPage['metric'], trade: TradePart): number | null {
  if (isSum !== true) return null;
  const parts = terms.map((name): readonly [TermName, number | null] => {
    const { part }: Term = termTable[name];
    return [name, part?.(trade) ?? null];
  });
  if (parts.every(([, part]) => part === null)) return null;
  return value(Object.fromEntries(parts.map(([name, part]) => [name, part ?? 0])) as unknown as TermSource['bag']);
}

/** Any number that no formula gives back by accident. */
const PROBE = 1 / Math.PI;

const blank = emptyBag();

/** The metrics whose value is the one term that they have: a stored profile has these terms. */
const termMetrics: readonly Metric[] = builtInMetrics.filter(({ terms = [], value }: Metric) => {
  const [name] = terms;
  if (name === undefined || terms.length > 1 || typeof blank[name] !== 'number') return false;
  return value({ [name]: PROBE } as Partial<Bag> as Bag) === PROBE;
});

/** What follows from the window and the instant. */
const ofWindow: Readonly<Partial<Record<TermName, (asked: Asked, asOf: number) => number>>> = {
  seconds: ({ window }) => window.seconds,
  ratioScale: ({ window }) => window.ratioScale,
  asOf: (_, asOf) => asOf,
};

/**
 * The columns of a stored profile in which the terms of a metric are, by term; `undefined` if it does not have them all. One with a span, or
 * with what the registry says of today, takes the trades.
 */
function termColumns(
  { shapes }: QueryContext,
  kind: ProfileKind,
  { metric, window }: Asked,
): ReadonlyMap<TermName, string> | undefined {
  const { columns } = shapes[kind].table;
  // What is computed of positions adds up in another order than what is stored.
  if (metric.terms === undefined || !(columnOf(metric, window) in columns)) return undefined;
  const found = new Map<TermName, string>();
  for (const name of metric.terms) {
    const { span, reads }: Term = termTable[name];
    if (span !== undefined || reads === 'best' || reads === 'registry') return undefined;
    if (name in ofWindow) continue;
    const own = termMetrics.find(({ of, terms }) => of.includes(kind) && terms![0] === name);
    if (own === undefined || !(columnOf(own, window) in columns)) return undefined;
    found.set(name, columnOf(own, window));
  }
  return found;
}

/** A bag that has the terms of a metric, and nothing else. */
function storedTerms(
  asked: Asked,
  asOf: number,
  columns: ReadonlyMap<TermName, string>,
  { numberOf }: StoredMetrics,
): Bag {
  const terms = (asked.metric.terms ?? []).map((name) => [
    name,
    ofWindow[name]?.(asked, asOf) ?? numberOf(columns.get(name)!),
  ]);
  return Object.fromEntries(terms) as Partial<Bag> as Bag;
}

/** Which trades are listed: those after a place, newest first, and what is said of each. */
interface TradesPage {
  readonly metric: Pick<Metric, 'isSum' | 'terms' | 'value'>;
  readonly window: Pick<WindowSpec, 'seconds'>;
  readonly limit: number;
  /** Where the page before ends. */
  readonly place: Tuple | undefined;
  /** The counterparty that made the most, if that is asked. */
  readonly best: number;
  /** The pair of which what moved since its last trade is wanted, too. */
  readonly since?: number | undefined;
}

interface ExplainedPage {
  readonly trades: readonly ExplainedTrade[];
  readonly moves: readonly ExplainedMove[];
  /** Where the next page begins. */
  readonly next?: ListPlace;
}

/** A page of the trades that enter a metric, newest first, with what each adds to it; `next` is where the next page begins. */
export async function readTradesPage(
  context: QueryContext,
  { trades: own, counterparty, asOf }: Pick<Subject, 'trades' | 'counterparty' | 'asOf'>,
  { metric, window, limit, place, best, since }: TradesPage,
): Promise<ExplainedPage> {
  const { reader } = context;
  const until = lastSeqAt(asOf) + 1;
  const end = place === undefined ? until : Math.min(until, await seqOfPlace(reader, 'trades', place));
  const rows = await reader.read({
    table: tradesTable,
    columns: [...new Set([...listedTrades, ...tradeColumns])],
    where: and(own, compare('seq', 'gt', lastSeqAt(asOf - window.seconds)), compare('seq', 'lt', end)),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: limit + 1,
  });
  const shown = Math.min(rows.length, limit);
  const movesOf = await movesOfTrades(context, rows);
  const { data, placeOf } = await servedTrades(context, rows, shown, { moves: movesOf });
  const counterparties = rows.columns[counterparty];
  const log = new TradeLog(Math.max(1, shown));
  log.add(rows, 0, shown, counterparties, await readTokenFacts(reader, Int32Array.from(new Set(rows.columns.token))));
  const t = log.trades;
  const trades = data.map((trade, i) => ({
    ...trade,
    part: partOfTrade(metric, {
      isBuy: t.isBuy[i] === 1,
      usd: t.usd[i]!,
      pnl: t.pnl[i]!,
      isSmall: Number.isNaN(t.holding[i]!),
      entryDelay: t.entryDelay[i]!,
      native: t.native[i]!,
      pnlNative: t.pnlNative[i]!,
      feeNative: t.feeNative[i]!,
      feeUsd: t.feeUsd[i]!,
      unmatched: t.isBuy[i] === 1 ? Number.NaN : unmatchedOf(t.usd[i]!, t.proceeds[i]!) || Number.NaN,
      awayCost: movesOf(i).awayCost,
      returnedCost: movesOf(i).returnedCost,
      isOfBest: counterparties[i] === best,
    }),
  }));
  const moved = Array.from({ length: shown }, (_, i) => i).filter((i) => hasMovedLots(movesOf(i)));
  const seqs = new Set(moved.map((i) => rows.columns.seq[i]!));
  const moves = await explainedMoves(context, {
    pairs: [
      ...moved.map((i) => pairOf(rows.columns.wallet[i]!, rows.columns.token[i]!)),
      ...(since === undefined ? [] : [since]),
    ],
    asOf,
    isWanted: (seq) => seqs.has(seq) || (since !== undefined && seq === SINCE_LAST_TRADE),
  });
  const page = { trades, moves };
  return rows.length <= limit ? page : { ...page, next: placeOf(shown - 1) };
}

/** The counterparty whose realised and small sells in the window made the most; of equal ones the first by address. */
async function bestCounterparty(
  { reader, dictionary }: QueryContext,
  { counterparty, asOf }: Subject,
  { rows }: SubjectFold,
  { seconds }: WindowSpec,
): Promise<number> {
  const pnls = new Map<number, number>();
  const before = lastSeqAt(asOf - seconds);
  // As the fold adds them up: from the newest on.
  for (const { columns: c, length } of [...rows].reverse()) {
    const ids = c[counterparty];
    for (let row = length - 1; row >= 0; row--) {
      const pnl = resultOf(c.cost[row]!, c.proceeds[row]!);
      // A wallet's trades between quote tokens are read, and are not its own.
      if (c.seq[row]! <= before || Number.isNaN(pnl) || c.swap_type[row] === QUOTE_QUOTE) continue;
      pnls.set(ids[row]!, (pnls.get(ids[row]!) ?? 0) + pnl);
    }
  }
  let most = Number.NEGATIVE_INFINITY;
  for (const pnl of pnls.values()) most = Math.max(most, pnl);
  const best = [...pnls].flatMap(([id, pnl]) => (pnl === most ? [id] : []));
  if (best.length < 2) return best[0] ?? NO_ID;
  await dictionary.load(reader, best);
  return best.reduce((a, b) => (compareText(dictionary.textOf(a), dictionary.textOf(b)) <= 0 ? a : b));
}
