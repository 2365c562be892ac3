import { tokenRegistryTable } from '../records/tables.ts';
import { isIn } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';

/** Symbols for tokens that a swap names none of: the registry's, else the configured quote token's, else `null`. */
export async function readSymbols(
  context: QueryContext,
  tokens: readonly number[],
): Promise<(token: number) => string | null> {
  const rows = await context.reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'symbol'],
    where: isIn('id', Int32Array.from(new Set(tokens))),
  });
  const symbols = new Map<number, string>();
  for (let i = 0; i < rows.length; i++) {
    const symbol = rows.columns.symbol[i];
    if (symbol !== null && symbol !== undefined) symbols.set(rows.columns.id[i]!, symbol);
  }
  return (token) => symbols.get(token) ?? context.config.quote_tokens[context.roles.rankOf(token)]?.symbol ?? null;
}
