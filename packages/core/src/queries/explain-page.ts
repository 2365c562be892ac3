import type { WindowSpec } from '../bag/windows.ts';
import { resultOf } from '../ledger/position.ts';
import { QUOTE_QUOTE } from '../ledger/trade.ts';
import type { Metric } from '../metrics/metric.ts';
import { compareText, lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { tradesTable } from '../records/tables.ts';
import { readTokenFacts } from '../refresh/read.ts';
import { TradeLog, tradeColumns } from '../refresh/trade-log.ts';
import { and, compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import type { ExplainedTrade } from './explain-schema.ts';
import type { Subject, SubjectFold } from './explain-subject.ts';
import { partOfTrade } from './explain-terms.ts';
import { type ListPlace, seqOfPlace, type Tuple } from './list-place.ts';
import { listedTrades, servedTrades } from './trades.ts';

/** Which trades are listed: those after a place, newest first, and what is said of each. */
export interface TradesPage {
  readonly metric: Metric;
  readonly window: WindowSpec;
  readonly limit: number;
  /** Where the page before ends. */
  readonly place: Tuple | undefined;
  /** The counterparty that made the most, if that is asked. */
  readonly best: number;
}

/** A page of the trades that enter a metric, newest first, with what each adds to it; `next` is where the next page begins. */
export async function readTradesPage(
  context: QueryContext,
  { trades: own, counterparty, asOf }: Subject,
  { metric, window, limit, place, best }: TradesPage,
): Promise<{ readonly trades: readonly ExplainedTrade[]; readonly next?: ListPlace }> {
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
  const { data, placeOf } = await servedTrades(context, rows, shown);
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
      entryDelay: t.entryDelay[i]!,
      native: t.native[i]!,
      pnlNative: t.pnlNative[i]!,
      feeNative: t.feeNative[i]!,
      feeUsd: t.feeUsd[i]!,
      isOfBest: counterparties[i] === best,
    }),
  }));
  return rows.length <= limit ? { trades } : { trades, next: placeOf(shown - 1) };
}

/** The counterparty whose realised sells in the window made the most; of equal ones the first by address. */
export async function bestCounterparty(
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
