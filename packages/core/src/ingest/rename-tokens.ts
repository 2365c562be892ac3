import { aliasesOf } from '../addresses/token-address.ts';
import type { Config } from '../config.ts';
import type { Swaps } from '../ledger/value.ts';
import { columnsOf, filterRows, NO_ID, newBatch } from '../records/columns.ts';
import { referencePricesTable, tokenRegistryTable, transfersTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import type { Dictionary } from './dictionary.ts';

/** The ids of quote tokens by those of their aliases, as far as the store has tokens of such addresses. */
export type Renamed = ReadonlyMap<number, number>;

/**
 * What a store was given before its configuration had aliases may name them: gives registry rows and reference prices to their quote tokens,
 * whose own come first, and says which tokens of swaps are others now.
 */
export async function renameTokens(
  writer: Writer,
  { config, dictionary }: { readonly config: Config; readonly dictionary: Dictionary },
): Promise<Renamed> {
  const aliases = [...aliasesOf(config)];
  const ids = await dictionary.find(
    writer,
    aliases.map(([alias]) => alias),
  );
  const stored = aliases.flatMap(([, address], i) => (ids[i] === NO_ID ? [] : [[ids[i]!, address] as const]));
  if (stored.length === 0) return new Map();
  const quotes = await dictionary.intern(
    writer,
    stored.map(([, address]) => address),
  );
  const renamed = new Map(stored.map(([id], i) => [id, quotes[i]!]));
  await renameRegistered(writer, renamed, new Map(stored.map(([, address], i) => [quotes[i]!, address])));
  await renamePrices(writer, renamed);
  await renameTransfers(writer, renamed);
  return renamed;
}

/** Renames the tokens of swaps in place. Whether one was. */
export function renameSwaps({ columns }: Swaps, renamed: Renamed): boolean {
  if (renamed.size === 0) return false;
  let isRenamed = false;
  for (const column of [columns.token_in, columns.token_out]) {
    for (const [row, id] of column.entries()) {
      const other = renamed.get(id);
      if (other === undefined) continue;
      column[row] = other;
      isRenamed = true;
    }
  }
  return isRenamed;
}

async function renameRegistered(
  writer: Writer,
  renamed: Renamed,
  addresses: ReadonlyMap<number, string>,
): Promise<void> {
  const table = tokenRegistryTable;
  const names = columnsOf(table);
  const ids = Int32Array.from(new Set([...renamed.keys(), ...renamed.values()]));
  const rows = await writer.read({ table, columns: names, where: isIn('id', ids) });
  const rowOf = new Map(Array.from(rows.columns.id, (id, row) => [id, row]));
  for (const [quote, address] of addresses) {
    const given = [quote, ...[...renamed].flatMap(([alias, of]) => (of === quote ? [alias] : []))];
    const known = given.flatMap((id) => rowOf.get(id) ?? []);
    if (known.length === 0) continue;
    const merged = newBatch(table, 1);
    for (const name of names) {
      const column = rows.columns[name] as ArrayLike<string | number | null>;
      const row = known.find((one) => column[one] !== null && !Number.isNaN(column[one])) ?? known[0]!;
      (merged.columns[name] as (string | number | null)[])[0] = column[row]!;
    }
    merged.columns.id[0] = quote;
    merged.columns.address[0] = address;
    await writer.replace(table, merged);
  }
  await writer.remove(table, isIn('id', Int32Array.from(renamed.keys())));
}

async function renamePrices(writer: Writer, renamed: Renamed): Promise<void> {
  const table = referencePricesTable;
  const ids = Int32Array.from(new Set([...renamed.keys(), ...renamed.values()]));
  const rows = await writer.read({ table, columns: columnsOf(table), where: isIn('token', ids) });
  const { token, time } = rows.columns;
  const keyOf = (id: number, row: number): string => `${id} ${time[row]}`;
  const known = new Set<string>();
  for (const [row, id] of token.entries()) if (!renamed.has(id)) known.add(keyOf(id, row));
  const moved = filterRows(rows, (row) => {
    const quote = renamed.get(token[row]!);
    if (quote === undefined || known.has(keyOf(quote, row))) return false;
    known.add(keyOf(quote, row));
    return true;
  });
  for (const [row, id] of moved.columns.token.entries()) moved.columns.token[row] = renamed.get(id)!;
  await writer.remove(table, isIn('token', Int32Array.from(renamed.keys())));
  if (moved.length > 0) await writer.append(table, moved);
}

async function renameTransfers(writer: Writer, renamed: Renamed): Promise<void> {
  const table = transfersTable;
  const where = isIn('token', Int32Array.from(renamed.keys()));
  const rows = await writer.read({ table, columns: columnsOf(table), where });
  const { token } = rows.columns;
  for (const [row, id] of token.entries()) token[row] = renamed.get(id)!;
  await writer.replace(table, rows);
}
