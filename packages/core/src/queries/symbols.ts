import type { SymbolId } from '../cache/regions.ts';
import { newestSymbols } from '../market-data/latest-prints.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { QueryContext } from './context.ts';
import { perToken, registeredTokens, type TokenQuestion } from './per-token.ts';

/** A column of tokens, and the symbols that their rows give them. */
interface NamedTokens {
  readonly tokens: Int32Array;
  readonly symbols: Int32Array;
}

/** Symbols for tokens that a row names none of: the registry's, else the configured quote token's, else `null`. */
export async function readSymbols(
  context: QueryContext,
  columns: readonly NamedTokens[],
): Promise<(token: number) => string | null> {
  const unnamed = columns.flatMap(({ tokens, symbols }) => [...tokens.filter((_, row) => symbols[row] === NO_ID)]);
  const registered = await registeredTokens(context, unnamed);
  return (token) =>
    registered(token).symbol ?? context.config.quote_tokens[context.roles.rankOf(token)]?.symbol ?? null;
}

/** Symbols of tokens: the registry's, else the symbol in the newest swap that names one, else `null`. */
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
