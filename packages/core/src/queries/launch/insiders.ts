import { findInsiders, type Insider, type Passed, type Roots } from '../../launch/insiders.ts';
import { comparePlaces, type Place } from '../../launch/place.ts';
import { BUY, SELL } from '../../ledger/trade.ts';
import { NO_ID } from '../../records/columns.ts';
import { sortingRows } from '../../records/sorting-rows.ts';
import { poolSwapsTable, tradesTable, transfersTable } from '../../records/tables.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, compare, isIn } from '../../storage/predicate.ts';
import { readTransactions, type TransactionRow } from '../../storage/reads.ts';
import { lastSeq, type QueryContext } from '../context.ts';
import { transfersUntil } from '../transfers.ts';

/** Who may have passed tokens on, and how many tokens there are. */
export interface InsiderScan {
  /** `NO_ID` of a dev that is nowhere in the store. */
  readonly dev: number;
  /** Bundlers by where they first bought. */
  readonly bundlers: ReadonlyMap<number, Place>;
  /** Whole tokens, `NaN` if it is not known. */
  readonly supply: number;
}

/** Transfers of the dev, of bundlers and of those who got enough of them that are gone through. */
const MOST_TRANSFERS = 50_000;

/** Insiders of a launch by their ids: `null` without a supply, in a store without transfers, and of more than 50,000 transfers. */
export async function readInsiders(
  context: QueryContext,
  token: number,
  { dev, bundlers, supply }: InsiderScan,
): Promise<ReadonlyMap<number, Insider> | null> {
  const { reader } = context;
  const { insider_share: share, insider_steps: steps } = context.config.launch;
  if (Number.isNaN(supply)) return null;
  if ((await reader.read({ table: transfersTable, columns: ['transfer'], limit: 1 })).length === 0) return null;
  const roots: Roots = new Map<number, Place | 'ever'>([
    ...bundlers,
    ...(dev === NO_ID ? [] : [[dev, 'ever'] as const]),
  ]);
  if (roots.size === 0) return new Map();
  const least = (supply * share) / 100;
  const excluded = new Set(dev === NO_ID ? [] : [dev]);
  const read: StoredTransfer[] = [];
  const senders = new Set<number>();
  for (let next = new Set(roots.keys()), step = 0; next.size > 0 && step < steps; step++) {
    for (const sender of next) senders.add(sender);
    for (const transfer of await readSent(context, token, next)) read.push(transfer);
    if (read.length > MOST_TRANSFERS) return null;
    const enough = recipientsOf(read, least).filter((wallet) => !senders.has(wallet));
    for (const pool of await poolsAmong(context, enough)) excluded.add(pool);
    next = new Set(enough.filter((wallet) => !excluded.has(wallet)));
  }
  const traded = await readTraded(context, token, new Set([...senders, ...recipientsOf(read, least)]));
  const counted = read.filter(
    ({ includesSwaps, tx_hash, from, to }) =>
      !includesSwaps || !(traded.isIn(tx_hash, to, BUY) || traded.isIn(tx_hash, from, SELL)),
  );
  const transfers = await context.yielder().run(sortingRows(counted, comparePlaces));
  return findInsiders({ roots, transfers, firstSells: traded.firstSells, excluded, least, steps });
}

interface StoredTransfer extends Passed {
  readonly includesSwaps: boolean;
}

/** Transfers of the token from these wallets to others, in an order that does not depend on the engine. */
async function readSent(
  context: QueryContext,
  token: number,
  senders: ReadonlySet<number>,
): Promise<readonly StoredTransfer[]> {
  const { columns: c, length } = await context.reader.read({
    table: transfersTable,
    columns: [
      ...(['tx_hash', 'transfer_index', 'block_time', 'block_slot', 'tx_index'] as const),
      ...(['sender', 'recipient', 'token_amount', 'includes_swaps'] as const),
    ],
    where: and(isIn('sender', Int32Array.from(senders)), compare('token', 'eq', token), transfersUntil(context)),
    order: ascending('block_time', 'block_slot', 'tx_index', 'tx_hash', 'transfer_index'),
    limit: MOST_TRANSFERS + 1,
  });
  return Array.from({ length }, (_, row) => ({
    tx_hash: c.tx_hash[row]!,
    block_time: c.block_time[row]!,
    block_slot: c.block_slot[row]!,
    tx_index: c.tx_index[row]!,
    from: c.sender[row]!,
    to: c.recipient[row]!,
    amount: c.token_amount[row]!,
    includesSwaps: c.includes_swaps[row] === 1,
  })).filter(({ to }) => to !== NO_ID);
}

/** Who got enough, whatever counts of it. */
function recipientsOf(transfers: readonly Passed[], least: number): readonly number[] {
  const sums = new Map<number, number>();
  for (const { to, amount } of transfers) sums.set(to, (sums.get(to) ?? 0) + amount);
  return [...sums].flatMap(([wallet, sum]) => (sum >= least * 0.999 ? [wallet] : []));
}

/** Those of some addresses that are pools. */
async function poolsAmong({ reader }: QueryContext, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { columns } = await reader.latest({
    table: poolSwapsTable,
    columns: ['pool'],
    key: 'pool',
    keys: Int32Array.from(ids),
    by: 'seq',
  });
  return new Set(columns.pool);
}

interface Traded {
  /** Where each wallet that has sold did so first. */
  readonly firstSells: ReadonlyMap<number, TransactionRow>;
  /** Whether a wallet bought, or sold, in a transaction. */
  readonly isIn: (txHash: string, wallet: number, direction: number) => boolean;
}

async function readTraded(context: QueryContext, token: number, wallets: ReadonlySet<number>): Promise<Traded> {
  const { reader } = context;
  const { columns: c, length } = await reader.read({
    table: tradesTable,
    columns: ['tx', 'wallet', 'direction'],
    where: and(
      compare('token', 'eq', token),
      isIn('wallet', Int32Array.from(wallets)),
      compare('seq', 'lte', lastSeq(context)),
    ),
    order: ascending('seq'),
  });
  const transactions = await readTransactions(reader, c.tx);
  const keyOf = (txHash: string, wallet: number, direction: number): string => `${txHash} ${wallet} ${direction}`;
  const firstSells = new Map<number, TransactionRow>();
  const trades = new Set<string>();
  for (let row = 0; row < length; row++) {
    const [transaction, wallet, direction] = [transactions.get(c.tx[row]!)!, c.wallet[row]!, c.direction[row]!];
    trades.add(keyOf(transaction.tx_hash, wallet, direction));
    if (direction === SELL && !firstSells.has(wallet)) firstSells.set(wallet, transaction);
  }
  return { firstSells, isIn: (...of) => trades.has(keyOf(...of)) };
}
