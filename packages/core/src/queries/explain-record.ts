import { noCache } from '../cache/process-memory.ts';
import { CarriedEntities } from '../ingest/carried.ts';
import { builtInMetrics } from '../metrics/built-in.ts';
import type { Metric } from '../metrics/metric.ts';
import { walletHolding, walletLifetime } from '../profiles/sections/record.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { sortingRows } from '../records/sorting-rows.ts';
import { tradesTable } from '../records/tables.ts';
import { countedTrades } from '../refresh/trades.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { and, compare } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import { orNull, type QueryContext } from './context.ts';
import { readTradesPage } from './explain-head.ts';
import type { ExplainRequest, MetricExplanation, RecordPart } from './explain-schema.ts';
import { changedSince } from './explain-subject.ts';
import { type readCursorAsOf, writeCursorAsOf } from './list-place.ts';
import { readProfile } from './profiles.ts';
import { heldPositions } from './wallets/positions.ts';
import {
  addingUp,
  factMeanings,
  isRecordPath,
  type RecordPath,
  readsBalances,
  recordFieldOf,
} from './wallets/tally.ts';

/** What the trades of a wallet add to a field of its lifetime, as they add to a metric of a window. */
const sameAs = {
  'lifetime.trade_count': 'trade_count',
  'lifetime.volume': 'volume',
  'lifetime.realized_pnl': 'pnl',
  'lifetime.realized_pnl_native': 'pnl_native',
  'lifetime.win_count': 'win_count',
  'lifetime.loss_count': 'loss_count',
  'lifetime.unmatched_proceeds': 'unmatched_proceeds',
} as const;

/** What follows from other fields of the lifetime. */
const ratios = {
  'lifetime.realized_roi': ['realized_pnl / realized_cost x 100', ['lifetime.realized_pnl', 'lifetime.realized_cost']],
  'lifetime.winrate': ['win_count / (win_count + loss_count) x 100', ['lifetime.win_count', 'lifetime.loss_count']],
} as const satisfies Readonly<Record<string, Ratio>>;

type Ratio = readonly [formula: string, of: readonly string[]];

/** A field of a wallet's record that can be explained. */
export type RecordField = keyof typeof sameAs | keyof typeof ratios | RecordPath;

/** Fields of a wallet's record that can be explained: they have no window. */
export const explainedRecord: readonly string[] = [walletLifetime, walletHolding]
  .flatMap((section) => section.fields([]))
  .map(({ path }) => path)
  .filter((path) => path in sameAs || path in ratios || isRecordPath(path));

export const isOfRecord = (metric: string | undefined): metric is RecordField =>
  metric !== undefined && explainedRecord.includes(metric);

/** Of no trade it can be said what it adds. */
const noSum: Pick<Metric, 'isSum' | 'terms' | 'value'> = { value: () => null };

/**
 * What a field of a wallet's record is made of: the sums that its formula takes, what each token adds, the most first, and a page of the wallet's
 * trades, with what each adds to a sum of its lifetime.
 */
export async function explainRecord(
  given: QueryContext,
  request: ExplainRequest & { readonly metric: RecordField },
  list: string,
  begun: ReturnType<typeof readCursorAsOf> | undefined,
): Promise<MetricExplanation> {
  const { wallet = '', metric, limit } = request;
  const stored = given.isAsOfAsked ? null : await readProfilesAsOf(given.reader);
  const instant = begun?.asOf ?? stored ?? given.asOf;
  const id = await given.dictionary.findOne(given.reader, wallet);
  // What is stored holds, unless a refresh came after the first page, or a swap that is older than the profile.
  const holds =
    stored === null ? begun === undefined : stored === instant && (await changedSince(given, 'wallets', id)) > stored;
  const context = holds ? { ...given, asOf: instant } : { ...given, asOf: instant, isAsOfAsked: true, cache: noCache };
  const ratio = (ratios as Readonly<Record<string, Ratio>>)[metric];
  const own = ratio?.[1] ?? [];
  const rows = await readProfile(context, 'wallets', wallet, [...new Set([metric, 'lifetime.realized_pnl', ...own])]);
  const numberOf = (column: string): number => (rows.columns[column] as Float64Array)[0]!;
  const ofTokens = isRecordPath(metric)
    ? await tokensOf(context, metric, id, numberOf('lifetime.realized_pnl'), limit)
    : undefined;
  const trades = and(compare('wallet', 'eq', id), countedTrades('wallets'));
  const page = await readTradesPage(
    context,
    { trades, counterparty: 'token', asOf: instant },
    {
      metric: builtInMetrics.find(({ name }) => name === (sameAs as Readonly<Record<string, string>>)[metric]) ?? noSum,
      window: { seconds: instant + 1 },
      limit,
      place: begun?.place,
      best: NO_ID,
    },
  );
  const forgotten = await forgottenTrades(context, id);
  const meanings = new Map(
    [...walletLifetime.fields([]), ...walletHolding.fields([])].map((field) => [field.path, field]),
  );
  return {
    as_of: formatTime(instant),
    metric,
    window: null,
    value: orNull(numberOf(metric)),
    unit: ofTokens?.unit ?? unitOf(metric),
    formula: ofTokens?.formula ?? ratio?.[0] ?? 'sum over all trades of the wallet',
    terms:
      ofTokens?.terms ??
      own.map((path) => ({
        name: path.slice(path.indexOf('.') + 1),
        value: orNull(numberOf(path)),
        unit: unitOf(path),
        meaning: meanings.get(path)!.meaning,
        from: null,
        to: null,
      })),
    count: await context.reader.count(tradesTable, and(trades, compare('seq', 'lte', lastSeqAt(instant)))),
    ...(ofTokens === undefined ? {} : { parts: ofTokens.parts }),
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(page.next === undefined ? {} : { cursor: writeCursorAsOf(list, request, instant, page.next) }),
    trades: page.trades,
    moves: page.moves,
  };
}

function unitOf(path: string): string {
  if (path.endsWith('_native')) return 'native';
  if (path.endsWith('_count')) return 'count';
  return path.endsWith('roi') || path.endsWith('winrate') ? 'percent' : 'USD';
}

/** What a field that is made of positions takes, and what each token adds. */
async function tokensOf(context: QueryContext, path: RecordPath, wallet: number, realized: number, limit: number) {
  const { reader, dictionary } = context;
  const { unit, formula, of, part } = recordFieldOf(path);
  const ids = Int32Array.of(wallet);
  const asked = { isThinAsked: of.includes('thin_gains'), areBalancesAsked: readsBalances(path) };
  const held = (await heldPositions(context, ids, asked)).get(wallet) ?? [];
  const pause = context.yielder();
  const facts = await pause.run(addingUp(held, realized, of));
  const added = held
    .filter(({ isQuote }) => !isQuote)
    .map((position) => ({ position, part: part?.(position) ?? null }))
    .filter(({ part }) => part !== 0);
  await pause.yieldIfDue();
  const most = await pause.run(sortingRows(added, (a, b) => Math.abs(b.part ?? 0) - Math.abs(a.part ?? 0)));
  const adding = most.slice(0, limit);
  await dictionary.load(
    reader,
    Int32Array.from(adding, ({ position }) => position.token),
  );
  const parts = adding.map(
    ({ position: p, part }): RecordPart => ({
      token: dictionary.textOf(p.token),
      part,
      realized_pnl: p.realized,
      lot_amount: orNull(p.lots),
      cost_basis: orNull(p.cost),
      away_amount: orNull(p.awayLots),
      away_cost: orNull(p.awayCost),
      price: orNull(p.price),
      price_age: orNull(p.priceAge),
    }),
  );
  const unitOfFact = (meaning: string): string => (meaning.startsWith('USD') ? 'USD' : 'count');
  const terms = of.map((name) => ({
    name,
    value: orNull(facts[name]),
    unit: unitOfFact(factMeanings[name]),
    meaning: factMeanings[name],
    from: null,
    to: null,
  }));
  return { unit, formula, terms, parts };
}

/** The trades of a wallet behind the horizon, if there are any and their number is known. */
async function forgottenTrades(
  { reader, horizon }: QueryContext,
  wallet: number,
): Promise<MetricExplanation['forgotten'] | undefined> {
  if (horizon === 0) return undefined;
  const { trades } = (await CarriedEntities.read(reader, horizon, 'wallets', [wallet])).lifetimeOf(wallet);
  return trades > 0 ? { before: formatTime(horizon), count: trades } : undefined;
}
