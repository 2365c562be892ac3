import type { QueryContext } from './context.ts';
import { registeredTokens } from './registered.ts';

/** Symbols for tokens that a swap names none of: the registry's, else the configured quote token's, else `null`. */
export async function readSymbols(
  context: QueryContext,
  tokens: readonly number[],
): Promise<(token: number) => string | null> {
  const registered = await registeredTokens(context, tokens);
  return (token) =>
    registered(token).symbol ?? context.config.quote_tokens[context.roles.rankOf(token)]?.symbol ?? null;
}
