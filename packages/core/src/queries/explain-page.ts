import type { WindowSpec } from '../bag/windows.ts';
import type { Metric } from '../metrics/metric.ts';
import type { EntityKind } from '../profiles/fields.ts';
import { compareText, lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { tradesTable } from '../records/tables.ts';
import type { EntityFold } from '../refresh/entity-fold.ts';
import { TradeLog, tradeColumns } from '../refresh/trade-log.ts';
import { countedTrades } from '../refresh/trades.ts';
import { and, compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import type { ExplainedTrade } from './explain-schema.ts';
import { partOfTrade } from './explain-terms.ts';
import { seqOfCursor, writeListCursor } from './list-place.ts';
import { listedTrades, servedTrades } from './trades.ts';

/** What an explanation is asked for; the entity has the name of its kind. */
export interface ExplainRequest {
  readonly metric: string;
  readonly window: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Whose trades, and into which metric of which window they enter. */
export interface PageScope {
  readonly kind: EntityKind;
  readonly id: number;
  readonly asOf: number;
  readonly metric: Metric;
  readonly window: WindowSpec;
}

/** A page of the trades that enter a metric, newest first, with what each adds to it. `fold`: that of the entity at the instant. */
export async function readTradesPage(
  context: QueryContext,
  { kind, id, asOf, metric, window }: PageScope,
  fold: EntityFold,
  request: ExplainRequest,
): Promise<{ readonly cursor?: string; readonly trades: readonly ExplainedTrade[] }> {
  const { reader } = context;
  const { limit, cursor } = request;
  const before = lastSeqAt(asOf - window.seconds);
  const until = lastSeqAt(asOf) + 1;
  const end = cursor === undefined ? until : Math.min(until, await seqOfCursor(reader, 'trades', request, cursor));
  const rows = await reader.read({
    table: tradesTable,
    columns: [...new Set([...listedTrades, ...tradeColumns])],
    where: and(
      compare(kind === 'wallets' ? 'wallet' : 'token', 'eq', id),
      compare('seq', 'gt', before),
      compare('seq', 'lt', end),
      countedTrades(kind),
    ),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: limit + 1,
  });
  const shown = Math.min(rows.length, limit);
  const { data, placeOf } = await servedTrades(context, rows, shown);
  const counterparties = kind === 'wallets' ? rows.columns.token : rows.columns.wallet;
  const best = metric.isSum ? await bestCounterparty(context, kind, fold, before) : NO_ID;
  const log = new TradeLog(Math.max(1, shown));
  log.add(rows, 0, shown, counterparties, fold.facts);
  const t = log.trades;
  const trades = data.map((trade, i) => ({
    ...trade,
    part: partOfTrade(metric, {
      isBuy: t.isBuy[i] === 1,
      usd: t.usd[i]!,
      pnl: t.pnl[i]!,
      entryDelay: t.entryDelay[i]!,
      isOfBest: counterparties[i] === best,
    }),
  }));
  return rows.length <= limit ? { trades } : { cursor: writeListCursor('trades', request, placeOf(shown - 1)), trades };
}

/** The counterparty whose realised sells after `before` made the most; of equal ones the first by address. */
async function bestCounterparty(
  { reader, dictionary }: QueryContext,
  kind: EntityKind,
  { rows }: EntityFold,
  before: number,
): Promise<number> {
  const pnls = new Map<number, number>();
  // As the fold adds them up: from the newest on.
  for (const { columns, length } of [...rows].reverse()) {
    const ids = kind === 'wallets' ? columns.token : columns.wallet;
    for (let row = length - 1; row >= 0; row--) {
      const pnl = columns.pnl[row]!;
      if (columns.seq[row]! > before && !Number.isNaN(pnl)) pnls.set(ids[row]!, (pnls.get(ids[row]!) ?? 0) + pnl);
    }
  }
  let most = Number.NEGATIVE_INFINITY;
  for (const pnl of pnls.values()) most = Math.max(most, pnl);
  const best = [...pnls].flatMap(([id, pnl]) => (pnl === most ? [id] : []));
  if (best.length < 2) return best[0] ?? NO_ID;
  await dictionary.load(reader, best);
  return best.reduce((a, b) => (compareText(dictionary.textOf(a), dictionary.textOf(b)) <= 0 ? a : b));
}
