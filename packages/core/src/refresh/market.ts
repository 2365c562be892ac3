import { settledBalance } from '../ledger/lot-rows.ts';
import { finiteOrNaN, knownSupply } from '../ledger/value.ts';
import { readHoldings } from '../market-data/holdings.ts';
import { latestMarks } from '../market-data/marks.ts';
import { numbers } from '../records/arithmetic.ts';
import { lastSeqAt, pairToken, pairWallet } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { balancesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import type { RefreshCache } from './refresh-cache.ts';
import type { EntityScan } from './trades.ts';

const TOP = 10;

/** Writes the `market` section of token profiles: price, caps and who holds them. Registry figures must be there already. */
export async function fillMarket(
  context: FoldContext,
  rows: Batch,
  { ids, stored, cached }: EntityScan,
): Promise<void> {
  const { reader, dictionary } = context;
  const creators = rows.columns['metadata.creator_address'] as (string | null)[];
  const named = creators.filter((creator) => creator !== null);
  const creatorIds = await dictionary.find(reader, named);
  const creatorId = new Map(named.map((creator, i) => [creator, creatorIds[i]!]));
  const creatorOf = new Map(
    Array.from(ids, (id, row) => [id, creators[row] === null ? undefined : creatorId.get(creators[row]!)]),
  );
  const holders = await readHolders(context, ids, (token) => creatorOf.get(token), stored && cached);
  const marks = await latestMarks(context, ids, lastSeqAt(context.asOf));
  const column = (name: string): Float64Array => rows.columns[`market.${name}`] as Float64Array;
  const native = (name: string): Float64Array => rows.columns[`native_${name}`] as Float64Array;
  const nobody: Holders = { holders: 0, top: 0, creator: 0 };
  for (const [row, id] of ids.entries()) {
    const { price, nativePrice } = marks.get(id) ?? unmarked;
    const total = column('total_supply')[row]!;
    const circulating = column('circulating_supply')[row]!;
    const held = holders.get(id) ?? nobody;
    for (const [of, at] of [
      [column, price],
      [native, nativePrice],
    ] as const) {
      of('price')[row] = at;
      of('fdv')[row] = finiteOrNaN(at * knownSupply(numbers, Number.NaN, total));
      of('market_cap')[row] = finiteOrNaN(at * knownSupply(numbers, circulating, total));
    }
    if (Number.isNaN(column('holders')[row]!)) column('holders')[row] = held.holders;
    column('top_holdings')[row] = finiteOrNaN((held.top / total) * 100);
    column('dev_holdings')[row] = creators[row] === null ? Number.NaN : finiteOrNaN((held.creator / total) * 100);
  }
}

const unmarked = { price: Number.NaN, nativePrice: Number.NaN };

/** Who holds a token: how many wallets, how much the ten largest hold together, how much its creator. */
interface Holders {
  readonly holders: number;
  readonly top: number;
  readonly creator: number;
}

/** Positive balances of a token by wallet. */
type Balances = Map<number, number>;

/**
 * Holders of tokens at the as-of time; tokens that nobody holds are absent. `creatorOf` gives the id of a token's creator, or undefined.
 * Balances that are cached are read again where they may have changed alone.
 */
async function readHolders(
  context: FoldContext,
  tokens: Int32Array,
  creatorOf: (token: number) => number | undefined,
  cached: RefreshCache | undefined,
): Promise<ReadonlyMap<number, Holders>> {
  const balances =
    context.asOf < (context.lastTime ?? 0)
      ? await pastBalances(context, tokens)
      : await currentBalances(context.reader, tokens, cached);
  const found = new Map<number, Holders>();
  const pause = yielder();
  for (const [token, held] of balances) {
    if (held.size === 0) continue;
    if (pause.isDue()) await pause.take();
    found.set(token, { holders: held.size, top: topOf(held.values()), creator: held.get(creatorOf(token) ?? -1) ?? 0 });
  }
  return found;
}

/** The sum of the ten largest, from the largest on: it does not depend on the order of the balances. */
function topOf(balances: Iterable<number>): number {
  const largest: number[] = [];
  for (const balance of balances) {
    if (largest.length === TOP && balance <= largest[TOP - 1]!) continue;
    const at = largest.findIndex((other) => other < balance);
    largest.splice(at < 0 ? largest.length : at, 0, balance);
    if (largest.length > TOP) largest.pop();
  }
  return largest.reduce((sum, balance) => sum + balance, 0);
}

async function pastBalances(context: FoldContext, tokens: Int32Array): Promise<Map<number, Balances>> {
  const found = new Map<number, Balances>();
  const pause = yielder();
  for (const [i, { wallet, token, balance }] of (await readHoldings(context.reader, { tokens }, context)).entries()) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    balancesIn(found, token).set(wallet, balance);
  }
  return found;
}

async function currentBalances(
  reader: Reader,
  tokens: Int32Array,
  cached: RefreshCache | undefined,
): Promise<Map<number, Balances>> {
  const found = new Map<number, Balances>();
  const changed = cached?.changedBalances;
  const unknown: number[] = [];
  for (const token of tokens) {
    const balances = changed === undefined ? undefined : cached?.balancesOf(token);
    if (balances === undefined) {
      unknown.push(token);
      continue;
    }
    for (const wallet of changed!.wallets) balances.delete(wallet);
    found.set(token, balances);
  }
  if (changed !== undefined && found.size > 0) {
    const pairs = changed.pairs.filter((pair) => found.has(pairToken(pair)));
    for (const pair of pairs) found.get(pairToken(pair))!.delete(pairWallet(pair));
    await eachBalance(reader, 'wallet', changed.wallets, (token, wallet, balance) =>
      found.get(token)?.set(wallet, balance),
    );
    const { columns: c, length } = await changed.balances.of(pairs);
    for (let i = 0; i < length; i++) {
      const balance = settledBalance(c.balance[i]!, c.received[i]!, c.flags[i]!);
      if (balance > 0) found.get(pairToken(c.pair[i]!))!.set(pairWallet(c.pair[i]!), balance);
    }
  }
  await eachBalance(reader, 'token', Int32Array.from(unknown), (token, wallet, balance) =>
    balancesIn(found, token).set(wallet, balance),
  );
  for (const [token, balances] of found) cached?.putBalances(token, balances);
  return found;
}

async function eachBalance(
  reader: Reader,
  key: 'wallet' | 'token',
  of: Int32Array,
  take: (token: number, wallet: number, balance: number) => void,
): Promise<void> {
  if (of.length === 0) return;
  const columns = ['wallet', 'token', 'balance', 'received', 'flags'] as const;
  for await (const { columns: c, length } of reader.stream({ table: balancesTable, columns, where: isIn(key, of) })) {
    for (let i = 0; i < length; i++) {
      const balance = settledBalance(c.balance[i]!, c.received[i]!, c.flags[i]!);
      if (balance > 0) take(c.token[i]!, c.wallet[i]!, balance);
    }
  }
}

function balancesIn(found: Map<number, Balances>, token: number): Balances {
  const balances = found.get(token) ?? new Map();
  found.set(token, balances);
  return balances;
}
