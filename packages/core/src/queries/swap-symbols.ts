import type { Dictionary } from '../ingest/dictionary.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { legsTable, tokenRegistryTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn, not } from '../storage/predicate.ts';

/** Symbols of tokens: the registry's, else that of the newest swap that names one, else `null`. */
export async function swapSymbols(
  context: { readonly reader: Reader; readonly dictionary: Dictionary; readonly asOf: number },
  tokens: Int32Array,
): Promise<(token: number) => string | null> {
  const { reader, dictionary } = context;
  const named = await reader.latest({
    table: legsTable,
    columns: ['token', 'symbol'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until: lastSeqAt(context.asOf),
    where: not(isIn('symbol', [NO_ID])),
  });
  await dictionary.load(reader, named.columns.symbol);
  const symbols = new Map<number, string>(
    Array.from(named.columns.token, (token, i) => [token, dictionary.textOf(named.columns.symbol[i]!)]),
  );
  const registry = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'symbol'],
    where: isIn('id', tokens),
  });
  for (let i = 0; i < registry.length; i++) {
    const symbol = registry.columns.symbol[i];
    if (symbol !== null && symbol !== undefined) symbols.set(registry.columns.id[i]!, symbol);
  }
  return (token) => symbols.get(token) ?? null;
}
