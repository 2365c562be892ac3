import type { ApplyContext } from '../ingest/apply.ts';
import { derive } from '../ingest/derive.ts';
import { markDirty } from '../ingest/dirty.ts';
import { balanceRows, stepBalances } from '../ingest/fold-balances.ts';
import { foldPositions, lotStarts, pairsOf, sortLots } from '../ingest/fold-positions.ts';
import type { Balance } from '../ledger/balance.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { concatBatches, newBatch, takeRows } from '../records/columns.ts';
import {
  balancesTable,
  dirtyTable,
  legsTable,
  lotsTable,
  nativePricesTable,
  swapsTable,
  tradesTable,
} from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between, compare } from '../storage/predicate.ts';

const CHUNK = 100_000;
const derivedTables = [legsTable, tradesTable, nativePricesTable, lotsTable, balancesTable, dirtyTable] as const;

/** Derives everything from the stored swaps again, from the first to the last, inside one transaction. Gives the number of swaps. */
export async function rederive(
  writer: Writer,
  context: ApplyContext,
  onProgress?: (done: number) => void,
): Promise<number> {
  for (const table of derivedTables) await writer.recreate(table);
  const balances = new Map<number, Balance>();
  const tokens = new Set<number>();
  const wallets = new Set<number>();
  let lots = newBatch(lotsTable, 0);
  let latest: { seq: number; price: number } | undefined;
  let after = -1;
  let done = 0;
  for (;;) {
    const swaps = await nextSwaps(writer, after);
    if (swaps.length === 0) break;
    const c = swaps.columns;
    after = c.seq[swaps.length - 1]!;
    await context.dictionary.load(writer, new Set([...c.token_in, ...c.token_out]));
    const derived = await derive([swaps], {
      roles: context.roles,
      dustUsd: context.config.dust_usd,
      textOf: (id) => context.dictionary.textOf(id),
      nativePrintBefore: async () => latest,
    });
    const prints = derived.nativePrices;
    if (prints.length > 0)
      latest = { seq: prints.columns.seq[prints.length - 1]!, price: prints.columns.price[prints.length - 1]! };
    lots = mergeLots(lots, pairsOf(derived.trades), foldPositions(derived.trades, lots, context.config.dust_usd));
    stepBalances(balances, swaps);
    for (const token of [...c.token_in, ...c.token_out]) tokens.add(token);
    for (const wallet of c.wallet) wallets.add(wallet);
    await writer.remove(swapsTable, between('seq', c.seq[0]!, after));
    await writer.append(swapsTable, swaps);
    await writer.append(legsTable, derived.legs);
    await writer.append(nativePricesTable, prints);
    await writer.append(tradesTable, derived.trades);
    done += swaps.length;
    onProgress?.(done);
  }
  await writer.append(lotsTable, lots);
  await writer.append(balancesTable, balanceRows(balances));
  await markDirty(writer, 'tokens', tokens);
  await markDirty(writer, 'wallets', wallets);
  return done;
}

/** The next swaps in chain order: whole seconds, so that no transaction is cut. */
async function nextSwaps(reader: Reader, after: number): Promise<Swaps> {
  const columns = Object.keys(swapsTable.columns) as (keyof typeof swapsTable.columns)[];
  const order = [{ column: 'seq', direction: 'asc' }] as const;
  const swaps = await reader.read({
    table: swapsTable,
    columns,
    where: compare('seq', 'gt', after),
    order,
    limit: CHUNK,
  });
  if (swaps.length < CHUNK) return swaps;
  const last = swaps.columns.seq[swaps.length - 1]!;
  const rest = await reader.read({
    table: swapsTable,
    columns,
    where: between('seq', last + 1, lastSeqAt(timeOf(last))),
    order,
  });
  return concatBatches(swapsTable, columns, [swaps, rest]);
}

/** Lots of folded pairs take the place of those before. */
function mergeLots(
  before: ReturnType<typeof sortLots>,
  folded: Float64Array,
  after: ReturnType<typeof sortLots>,
): ReturnType<typeof sortLots> {
  const touched = new Set(folded);
  const kept: number[] = [];
  for (const [pair, [from, to]] of lotStarts(before))
    if (!touched.has(pair)) for (let row = from; row < to; row++) kept.push(row);
  const names = Object.keys(lotsTable.columns) as (keyof typeof lotsTable.columns)[];
  return sortLots(concatBatches(lotsTable, names, [takeRows(before, kept), after]));
}
