import type { RegisteredToken } from '../cache/tokens.ts';
import { tokenRegistryTable } from '../records/tables.ts';
import { isIn } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import { perToken, type TokenQuestion } from './per-token.ts';

const unregistered: RegisteredToken = { symbol: null, supply: Number.NaN };

/** Symbols and supplies of tokens, from the registry. */
export async function registeredTokens(
  context: QueryContext,
  tokens: Iterable<number>,
): Promise<(token: number) => RegisteredToken> {
  const known = await perToken(context, registeredToken, Int32Array.from(new Set(tokens)));
  return (token) => known.get(token) ?? unregistered;
}

const registeredToken: TokenQuestion<RegisteredToken> = {
  region: 'registered',
  async ask(context, tokens) {
    const { columns, length } = await context.reader.read({
      table: tokenRegistryTable,
      columns: ['id', 'symbol', 'total_supply', 'circulating_supply'],
      where: isIn('id', tokens),
    });
    const supplyOf = (row: number): number => {
      const circulating = columns.circulating_supply[row]!;
      return Number.isNaN(circulating) ? columns.total_supply[row]! : circulating;
    };
    const rows = Array.from({ length }, (_, row) => ({ symbol: columns.symbol[row]!, supply: supplyOf(row) }));
    return new Map(rows.map((value, row) => [columns.id[row]!, { value }]));
  },
};
