import { NO_ID } from '../records/columns.ts';
import type { QueryContext } from './context.ts';
import { registeredTokens } from './registered.ts';

/** A column of tokens, and the symbols that their rows give them. */
export interface NamedTokens {
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
