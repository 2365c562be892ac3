import { BUY } from '../../ledger/trade.ts';
import { firstSeqAt } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { tradesTable } from '../../records/tables.ts';
import { type CursorValue, readCursor, requestKey, writeCursor } from '../../search/cursor.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, compare, isIn, not } from '../../storage/predicate.ts';
import { readTransactions } from '../../storage/reads.ts';
import { lastSeq, orNull, type QueryContext } from '../context.ts';
import type { LaunchBundle, LaunchInsider, TokenBuyer, TokenBuyers } from './buyers-schema.ts';
import { evidenceOf, type Names, placeOf } from './evidence.ts';
import { readRegistered } from './find.ts';
import { type LaunchRoles, readRoles, rolesOf } from './roles.ts';
import { readStandings, type Standing } from './standings.ts';

export interface BuyersRequest {
  readonly token: string;
  /** Unix seconds: only wallets that bought first before it. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The most buyers that are ranked. */
export const MOST_BUYERS = 1000;

const LIST = 'buyers';
const rankValue: CursorValue = { type: 'number', isNullable: false, greatest: MOST_BUYERS };

/** The first buyers of a token in chain order, with their roles at its launch. Nobody of an unknown token. */
export async function tokenBuyers(context: QueryContext, request: BuyersRequest): Promise<TokenBuyers> {
  const { reader, dictionary } = context;
  const shown =
    request.cursor === undefined
      ? 0
      : (readCursor(request.cursor, requestKey(LIST, request), [rankValue])[0] as number);
  const token = await dictionary.findOne(reader, request.token);
  if (token === NO_ID) return { count: 0, data: [], has_more: false, launch: null, bundles: null, insiders: null };
  const roles = await readRoles(context, token);
  const { supply } = roles ?? (await readRegistered(context, token));
  const all = await firstBuyers(context, token, request.before);
  const page = all.slice(0, MOST_BUYERS).slice(shown, shown + request.limit);
  const insiders = roles?.insiders === null || roles === null ? null : [...roles.insiders.keys()];
  const wallets = new Set([...page.map(({ wallet }) => wallet), ...(insiders ?? [])]);
  const standings = await readStandings(context, token, wallets);
  const names = await namesOf(context, roles, page, wallets);
  const standing = (wallet: number) => served(standings.get(wallet)!, roles, wallet, names);
  const data = page.map(({ wallet, tx, amount }, i): TokenBuyer => {
    const place = names.transactionOf(tx);
    return {
      rank: roles === null ? null : shown + i + 1,
      wallet: names.textOf(wallet),
      seconds_after: roles === null ? null : place.block_time - roles.launch.block_time,
      slots_after: roles === null ? null : orNull(place.block_slot - roles.launch.block_slot),
      ...placeOf(place),
      token_amount: amount,
      supply_share: orNull((amount * 100) / supply),
      ...standing(wallet),
    };
  });
  const count = Math.min(all.length, MOST_BUYERS);
  const next = shown + page.length;
  return {
    count,
    ...(next < count ? { cursor: writeCursor(requestKey(LIST, request), [next]) } : {}),
    data,
    has_more: all.length > MOST_BUYERS,
    launch: roles === null ? null : { source: roles.launch.source, ...placeOf(roles.launch), dev: roles.creator },
    bundles: roles?.bundles?.map((bundle) => servedBundle(bundle, names)) ?? null,
    insiders: insiders?.map((wallet): LaunchInsider => ({ wallet: names.textOf(wallet), ...standing(wallet) })) ?? null,
  };
}

interface FirstBuy {
  readonly wallet: number;
  readonly tx: number;
  readonly amount: number;
}

/** Buys that are read at once. */
const CHUNK = 4096;

/** Wallets by their first buys, in chain order: one more than are ranked, if there are more. */
async function firstBuyers(
  context: QueryContext,
  token: number,
  before: number | undefined,
): Promise<readonly FirstBuy[]> {
  const found = new Map<number, FirstBuy>();
  const until = before === undefined ? lastSeq(context) : Math.min(lastSeq(context), firstSeqAt(Math.ceil(before)) - 1);
  for (let after = -1; ; ) {
    const { length, columns: c } = await context.reader.read({
      table: tradesTable,
      columns: ['seq', 'tx', 'wallet', 'token_amount'],
      where: and(
        compare('token', 'eq', token),
        compare('direction', 'eq', BUY),
        compare('seq', 'gt', after),
        compare('seq', 'lte', until),
        not(isIn('wallet', Int32Array.from(found.keys()))),
      ),
      order: ascending('seq'),
      limit: CHUNK,
    });
    for (let row = 0; row < length; row++) {
      const wallet = c.wallet[row]!;
      if (found.has(wallet)) continue;
      found.set(wallet, { wallet, tx: c.tx[row]!, amount: c.token_amount[row]! });
      if (found.size > MOST_BUYERS) return [...found.values()];
    }
    if (length < CHUNK) return [...found.values()];
    after = c.seq[length - 1]!;
  }
}

async function namesOf(
  { reader, dictionary, config }: QueryContext,
  roles: LaunchRoles | null,
  page: readonly FirstBuy[],
  wallets: ReadonlySet<number>,
): Promise<Names> {
  const bundled = roles?.bundles?.flatMap(({ trades }) => trades) ?? [];
  const passed = [...(roles?.insiders?.values() ?? [])].flatMap(({ transfers }) => transfers);
  const sniped = [...wallets].flatMap((wallet) => roles?.snipers.get(wallet) ?? []);
  await dictionary.load(reader, [
    ...wallets,
    ...bundled.map(({ wallet }) => wallet),
    ...passed.map(({ from }) => from),
  ]);
  const transactions = await readTransactions(
    reader,
    [...page, ...bundled, ...sniped].map(({ tx }) => tx),
  );
  return {
    textOf: (wallet) => dictionary.textOf(wallet),
    transactionOf: (tx) => transactions.get(tx)!,
    rules: config.launch,
  };
}

function served(standing: Standing, roles: LaunchRoles | null, wallet: number, names: Names) {
  const sells = standing.trades.filter(({ isBuy }) => !isBuy);
  return {
    held: orNull(standing.held),
    sold: sells.reduce((sum, { amount }) => sum + amount, 0),
    made: orNull(standing.made),
    roles: roles === null ? [] : rolesOf(roles, wallet),
    evidence: roles === null ? [] : evidenceOf(roles, wallet, names),
  };
}

function servedBundle(
  { rule, trades }: NonNullable<LaunchRoles['bundles']>[number],
  { textOf, transactionOf }: Names,
): LaunchBundle {
  return {
    rule,
    wallets: [...new Set(trades.map(({ wallet }) => wallet))].map(textOf),
    transactions: [...new Set(trades.map(({ tx }) => tx))].map((tx) => placeOf(transactionOf(tx))),
  };
}
