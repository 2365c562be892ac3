import type { ApplyContext } from '../ingest/context.ts';
import { tablesBySeq } from '../ingest/derive.ts';
import { readAllReferencePrices } from '../ingest/reference-prices.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { isAscending } from '../records/row-order.ts';
import { balancesTable, dirtyTable, lotsTable, swapsTable, tradesTable, valueCountsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import { CHUNK, Derivation } from './derivation.ts';

const derivedTables = [...tablesBySeq, tradesTable, lotsTable, balancesTable, valueCountsTable, dirtyTable] as const;

/** Derives everything from the stored swaps again, from the first to the last, inside one transaction. Gives the number of swaps. */
export async function rederive(
  writer: Writer,
  { config, roles, dictionary }: ApplyContext,
  onProgress?: (done: number) => void,
): Promise<number> {
  for (const table of derivedTables) await writer.recreate(table);
  const derivation = new Derivation(writer, {
    config,
    roles,
    references: await readAllReferencePrices(writer, { roles, maxAge: config.reference_max_age }),
    textOf: (id) => dictionary.textOf(id),
    loadTexts: (ids) => dictionary.load(writer, ids),
  });
  let done = 0;
  for (const [from, to] of await chunksOf(writer)) {
    const range = between('seq', from, to);
    const swaps = await writer.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: range,
      order: [{ column: 'seq', direction: 'asc' }],
    });
    const { usd_amount_in: given, usd_amount_out: received, valued_by: valuedBy } = swaps.columns;
    const before = [given.slice(), received.slice(), valuedBy.slice()] as const;
    await derivation.add(swaps);
    // Mostly swaps have the values that they had, and rows of the widest table stay where they are.
    if (!areSame(given, before[0]) || !areSame(received, before[1]) || !areSame(valuedBy, before[2])) {
      await writer.remove(swapsTable, range);
      await writer.append(swapsTable, swaps);
    }
    done += swaps.length;
    onProgress?.(done);
  }
  await derivation.end();
  await derivation.markAllDirty(writer);
  return done;
}

/** Whether two columns have the same numbers; `NaN` is one. */
function areSame<A extends Float64Array | Int32Array>(a: A, b: A): boolean {
  for (let row = 0; row < a.length; row++) if (!Object.is(a[row], b[row])) return false;
  return true;
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
