import { CarriedEntities } from '../../ingest/carried.ts';
import { type EarlyTrade, spanRuleOf } from '../../launch/early-trades.ts';
import type { Place } from '../../launch/place.ts';
import { BUY } from '../../ledger/trade.ts';
import { isExchanged } from '../../market-data/latest-prints.ts';
import type { launchSources } from '../../profiles/sections/launch.ts';
import { lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { legsTable, swapsTable, tokenRegistryTable, tradesTable } from '../../records/tables.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, compare } from '../../storage/predicate.ts';
import { readTransactions } from '../../storage/reads.ts';
import { lastSeq, type QueryContext } from '../context.ts';

type LaunchSource = (typeof launchSources)[number];

/** The swap with which a token was launched. */
export interface Launch extends Place {
  readonly source: LaunchSource;
  readonly seq: number;
  readonly tx_hash: string;
}

/** What the registry says of a token. `dev`: the id of its creator, `NO_ID` of one that is nowhere in the store. */
export interface Registered {
  readonly createdAt: number;
  /** Whole tokens, `NaN` if it is not known. */
  readonly supply: number;
  readonly creator: string | null;
  readonly dev: number;
}

export async function readRegistered({ reader, dictionary }: QueryContext, token: number): Promise<Registered> {
  const { length, columns: c } = await reader.read({
    table: tokenRegistryTable,
    columns: ['created_at', 'total_supply', 'creator_address'],
    where: compare('id', 'eq', token),
  });
  if (length === 0) return { createdAt: Number.NaN, supply: Number.NaN, creator: null, dev: NO_ID };
  const creator = c.creator_address[0]!;
  const supply = c.total_supply[0]!;
  return {
    createdAt: c.created_at[0]!,
    supply: supply > 0 ? supply : Number.NaN,
    creator,
    dev: creator === null ? NO_ID : await dictionary.findOne(reader, creator),
  };
}

/** The launch of a token at the as-of time, `null` if none is known. */
export async function findLaunch(
  context: QueryContext,
  token: number,
  { createdAt }: Pick<Registered, 'createdAt'>,
): Promise<Launch | null> {
  const { reader, roles, horizon } = context;
  if (roles.rankOf(token) >= 0) return null;
  if ((await CarriedEntities.read(reader, horizon, 'tokens', [token])).has(token)) return null;
  const first = await reader.read({
    table: legsTable,
    columns: ['seq'],
    where: and(compare('token', 'eq', token), isExchanged, compare('seq', 'lte', lastSeq(context))),
    order: ascending('seq'),
    limit: 1,
  });
  const seq = first.columns.seq[0];
  if (seq === undefined) return null;
  const source = await sourceOf(context, token, seq, createdAt);
  if (source === undefined) return null;
  const { columns } = await reader.read({ table: swapsTable, columns: ['tx'], where: compare('seq', 'eq', seq) });
  const transaction = (await readTransactions(reader, columns.tx)).get(columns.tx[0]!)!;
  return { ...transaction, source, seq };
}

async function sourceOf(
  context: QueryContext,
  token: number,
  seq: number,
  createdAt: number,
): Promise<LaunchSource | undefined> {
  const time = timeOf(seq);
  if (!Number.isNaN(createdAt)) return createdAt <= time ? 'created_at' : 'first_swap';
  const { activity_seconds: seconds, activity_wallets: wallets } = context.config.launch;
  if ((await beginningOf(context)) > time - seconds) return undefined;
  const buyers = new Set<number>();
  const trades = context.reader.stream({
    table: tradesTable,
    columns: ['wallet'],
    where: and(
      compare('token', 'eq', token),
      compare('direction', 'eq', BUY),
      between('seq', seq, Math.min(lastSeqAt(time + seconds), lastSeq(context))),
    ),
  });
  for await (const { columns } of trades)
    for (const wallet of columns.wallet) if (buyers.add(wallet).size >= wallets) return 'activity';
  return undefined;
}

/** Since when the store has swaps. */
async function beginningOf({ reader, horizon }: QueryContext): Promise<number> {
  if (horizon > 0) return horizon;
  const { columns } = await reader.read({ table: swapsTable, columns: ['seq'], order: ascending('seq'), limit: 1 });
  return timeOf(columns.seq[0]!);
}

/** Trades that are read at once: most spans have fewer. */
const CHUNK = 512;

/** The trades of the token within the span of its launch, in chain order. */
export async function readSpan(context: QueryContext, token: number, launch: Launch): Promise<readonly EarlyTrade[]> {
  const { reader, config } = context;
  const trades: EarlyTrade[] = [];
  for (let after = launch.seq - 1; ; ) {
    const { length, columns: c } = await reader.read({
      table: tradesTable,
      columns: ['seq', 'tx', 'wallet', 'direction'],
      where: and(compare('token', 'eq', token), compare('seq', 'gt', after), compare('seq', 'lte', lastSeq(context))),
      order: ascending('seq'),
      limit: CHUNK,
    });
    const places = await readTransactions(reader, c.tx);
    for (let row = 0; row < length; row++) {
      const { block_time, block_slot, tx_index } = places.get(c.tx[row]!)!;
      const place = { block_time, block_slot, tx_index };
      if (spanRuleOf(launch, place, config.launch) === undefined) return trades;
      trades.push({ ...place, tx: c.tx[row]!, wallet: c.wallet[row]!, isBuy: c.direction[row] === BUY });
    }
    if (length < CHUNK) return trades;
    after = c.seq[length - 1]!;
  }
}
