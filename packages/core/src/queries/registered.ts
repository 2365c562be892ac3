import type { RegisteredToken } from '../kept/tokens.ts';
import { tokenRegistryTable } from '../records/tables.ts';
import { isIn } from '../storage/predicate.ts';
import { keep, type QueryContext } from './context.ts';

const unregistered: RegisteredToken = { symbol: null, supply: Number.NaN };

/** Symbols and supplies of tokens, from the registry. */
export async function registeredTokens(
  context: QueryContext,
  tokens: Iterable<number>,
): Promise<(token: number) => RegisteredToken> {
  const known = new Map<number, RegisteredToken>();
  const unknown: number[] = [];
  for (const token of new Set(tokens)) {
    const kept = context.kept?.tokens.registered(token);
    if (kept === undefined) unknown.push(token);
    else known.set(token, kept);
  }
  if (unknown.length > 0) {
    const { columns, length } = await context.reader.read({
      table: tokenRegistryTable,
      columns: ['id', 'symbol', 'total_supply', 'circulating_supply'],
      where: isIn('id', Int32Array.from(unknown)),
    });
    for (let i = 0; i < length; i++) {
      const circulating = columns.circulating_supply[i]!;
      const supply = Number.isNaN(circulating) ? columns.total_supply[i]! : circulating;
      known.set(columns.id[i]!, { symbol: columns.symbol[i]!, supply });
    }
    keep(context, (kept) => {
      for (const token of unknown) kept.tokens.setRegistered(token, known.get(token) ?? unregistered);
    });
  }
  return (token) => known.get(token) ?? unregistered;
}
