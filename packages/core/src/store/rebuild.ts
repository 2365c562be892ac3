import { BalanceBook } from '../ingest/balances.ts';
import { fromTheStart, markDirty } from '../ingest/changes.ts';
import type { ApplyContext } from '../ingest/context.ts';
import { derive, tablesBySeq, writeDerived } from '../ingest/derive.ts';
import { distinctIds, groupRows, KeyIndex } from '../ingest/key-index.ts';
import { foldPositions, LotBook, pairsOf } from '../ingest/positions.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { isAscending } from '../records/row-order.ts';
import { balancesTable, dirtyTable, lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';

/** Swaps that are derived at once, and the seconds of the last of them whole. */
const CHUNK = 200_000;
const derivedTables = [...tablesBySeq, tradesTable, lotsTable, balancesTable, dirtyTable] as const;

/** Derives everything from the stored swaps again, from the first to the last, inside one transaction. Gives the number of swaps. */
export async function rederive(
  writer: Writer,
  context: ApplyContext,
  onProgress?: (done: number) => void,
): Promise<number> {
  for (const table of derivedTables) await writer.recreate(table);
  const dust = context.config.dust_usd;
  const balances = new BalanceBook();
  const lots = new LotBook();
  const entities = { tokens: new KeyIndex(), wallets: new KeyIndex() };
  let latest: { seq: number; price: number } | undefined;
  let done = 0;
  const pause = yielder();
  for (const [from, to] of await chunksOf(writer)) {
    const range = between('seq', from, to);
    const swaps = await writer.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: range,
      order: [{ column: 'seq', direction: 'asc' }],
    });
    const c = swaps.columns;
    const tokens = distinctIds(c.token_in, c.token_out);
    await context.dictionary.load(writer, tokens);
    const derived = await derive([swaps], {
      roles: context.roles,
      dustUsd: dust,
      textOf: (id) => context.dictionary.textOf(id),
      nativePrintBefore: async () => latest,
    });
    const prints = derived.nativePrices;
    if (prints.length > 0)
      latest = { seq: prints.columns.seq[prints.length - 1]!, price: prints.columns.price[prints.length - 1]! };
    const pairs = groupRows(pairsOf(derived.trades)).index.keys();
    await pause.yieldIfDue();
    lots.replace(pairs, foldPositions(derived.trades, lots.of(pairs), dust));
    await pause.yieldIfDue();
    balances.step(swaps);
    for (const token of tokens) entities.tokens.placeOf(token);
    for (const wallet of distinctIds(c.wallet)) entities.wallets.placeOf(wallet);
    await writer.remove(swapsTable, range);
    await writer.append(swapsTable, swaps);
    await writeDerived(writer, derived);
    await writer.append(tradesTable, derived.trades);
    done += swaps.length;
    onProgress?.(done);
  }
  await writer.append(lotsTable, lots.all());
  await writer.append(balancesTable, await balances.rows());
  await markDirty(writer, 'tokens', fromTheStart(entities.tokens.keys()));
  await markDirty(writer, 'wallets', fromTheStart(entities.wallets.keys()));
  return done;
}

/** The ranges of `seq` of about so many swaps each, oldest first. They end with whole seconds, so that no transaction is cut. */
async function chunksOf(reader: Reader): Promise<(readonly [from: number, to: number])[]> {
  const seqs = new Float64Array(await reader.count(swapsTable));
  let length = 0;
  for await (const rows of reader.stream({ table: swapsTable, columns: ['seq'] })) {
    seqs.set(rows.columns.seq, length);
    length += rows.length;
  }
  if (!isAscending(seqs)) seqs.sort();
  const chunks: (readonly [number, number])[] = [];
  for (let first = 0; first < length; ) {
    const from = firstSeqAt(timeOf(seqs[first]!));
    const to = lastSeqAt(timeOf(seqs[Math.min(first + CHUNK, length) - 1]!));
    chunks.push([from, to]);
    while (first < length && seqs[first]! <= to) first++;
  }
  return chunks;
}
