import { type Config, SwapfoldError } from '@swapfold/core';
import { didYouMean, type QuoteToken, tokenAddress } from '@swapfold/core/host';

/**
 * The address of the quote token that `--token` names: by its address or its symbol.
 *
 * - Errors: `invalid-input` for one that no quote token has, and for a symbol that several have.
 */
export function quoteTokenOf(config: Config, text: string): string {
  const { quote_tokens: quotes } = config;
  const found = withSymbol(quotes, text);
  if (found.length > 1)
    throw new SwapfoldError(
      'invalid-input',
      `Several quote tokens have the symbol "${text}". Give the address of the one that you mean: ${listed(found)}.`,
    );
  const address = found[0]?.address ?? tokenAddress(config)(text);
  if (address !== undefined && quotes.some((quote) => quote.address === address)) return address;
  const hint = didYouMean(
    text,
    quotes.map(({ symbol }) => symbol),
  );
  throw new SwapfoldError(
    'invalid-input',
    `No quote token has the address or the symbol "${text}".${hint} The configuration has: ${listed(quotes)}. Only quote tokens have reference prices: name others in "quote_tokens" of the configuration.`,
  );
}

/** What a file says of a token as an address: the symbol of one quote token is one; what is no address either stays what it is. */
export function tokenOfFile(config: Config, text: string): string {
  const [only, ...others] = withSymbol(config.quote_tokens, text);
  return only !== undefined && others.length === 0 ? only.address : (tokenAddress(config)(text) ?? text);
}

/** The error of a file that does not name its token, without `--token`. */
export function withoutToken(file: string, { quote_tokens: quotes }: Config): SwapfoldError {
  const example = quotes.find(({ kind }) => kind !== 'stable') ?? quotes[0];
  return new SwapfoldError(
    'invalid-input',
    `${file} does not say which token its prices are of. Name it with the option token ADDRESS or the option token SYMBOL${example === undefined ? '' : `, such as the option token ${example.symbol}`}; the quote tokens are ${listed(quotes)}.`,
  );
}

/** Those of exactly this symbol, or else of it in any case. */
function withSymbol(quotes: readonly QuoteToken[], text: string): readonly QuoteToken[] {
  const exact = quotes.filter(({ symbol }) => symbol === text);
  return exact.length > 0 ? exact : quotes.filter(({ symbol }) => symbol.toLowerCase() === text.toLowerCase());
}

function listed(quotes: readonly QuoteToken[]): string {
  return quotes.length === 0 ? 'none' : quotes.map(({ symbol, address }) => `${symbol} (${address})`).join(', ');
}
