import type { SymbolId } from '../cache/tokens.ts';
import { newestSymbols } from '../market-data/newest-symbols.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import type { QueryContext } from './context.ts';
import { perToken, type TokenQuestion } from './per-token.ts';
import { registeredTokens } from './registered.ts';

/** Symbols of tokens: the registry's, else that of the newest swap that names one, else `null`. */
export async function swapSymbols(
  context: QueryContext,
  tokens: Int32Array,
): Promise<(token: number) => string | null> {
  const registered = await registeredTokens(context, tokens);
  const unnamed = tokens.filter((token) => registered(token).symbol === null);
  const named = await perToken(context, swapSymbol, unnamed);
  const ids = Array.from(named.values(), ({ id }) => id);
  await context.dictionary.load(context.reader, ids);
  return (token) => {
    const symbol = named.get(token);
    return registered(token).symbol ?? (symbol === undefined ? null : context.dictionary.textOf(symbol.id));
  };
}

const swapSymbol: TokenQuestion<SymbolId> = {
  region: 'symbols',
  async ask({ reader, asOf }, tokens) {
    const named = await newestSymbols(reader, tokens, lastSeqAt(asOf));
    return new Map(Array.from(named, ([token, id]) => [token, { value: { id } }]));
  },
};
