import { type Swapfold, SwapfoldError, type TokenProfile } from '@swapfold/core';
import { didYouMean, tokenAddress } from '@swapfold/core/host';
import { formatCount, formatUsd } from '../text/numbers.ts';
import { shownText } from '../text/shown-text.ts';

const SHOWN = 10;

/**
 * The address of the token that `text` names: an address, or a symbol that one token has.
 *
 * - Errors: `not-found` for a symbol that no token has, with the nearest; `invalid-input` for one that several have, with their addresses.
 */
export async function findToken(dex: Swapfold, text: string): Promise<string> {
  const { address_format: format, quote_tokens: quotes } = dex.config;
  const address = tokenAddress(dex.config)(text);
  if (address !== undefined && (format !== 'any' || (await countOf(dex, address)) > 0)) return address;
  const { count, tokens } = await withSymbol(dex, text);
  const found = new Map(tokens.map((token) => [token.token_address, token]));
  const addresses = [...found.keys(), ...quotes.filter(({ symbol }) => symbol === text).map((quote) => quote.address)];
  const [first, ...others] = new Set(addresses);
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) throw await unknownSymbol(dex, text);
  const shown = [first, ...others].slice(0, SHOWN).map((one) => `  ${one}  ${describe(found.get(one))}`);
  const more = count > SHOWN ? `\n  and ${formatCount(count - SHOWN)} more` : '';
  throw new SwapfoldError(
    'invalid-input',
    `${formatCount(Math.max(count, others.length + 1))} tokens have the symbol "${text}". Give the address of the one that you mean:\n${shown.join('\n')}${more}\n`,
  );
}

async function countOf(dex: Swapfold, address: string): Promise<number> {
  return (await dex.tokens.search({ filter: { token_address: address }, limit: 1 })).count;
}

/** The tokens of a symbol, those that trade most first. */
async function withSymbol(dex: Swapfold, symbol: string) {
  const { count, data } = await dex.tokens.search({
    filter: { 'metadata.symbol': symbol },
    sort: { field: 'metrics.7d.volume', direction: 'desc' },
    options: { include_metadata: true, include_market: true },
    limit: SHOWN,
  });
  return { count, tokens: data };
}

function describe(token: TokenProfile | undefined): string {
  if (token === undefined) return 'a quote token of the configuration';
  const { metadata, market } = token;
  return [shownText(metadata?.name ?? 'without a name'), `price ${formatUsd(market?.price ?? null)}`].join(', ');
}

async function unknownSymbol(dex: Swapfold, text: string): Promise<SwapfoldError> {
  const { data } = await dex.tokens.search({
    query: { text, fields: ['metadata.symbol'], fuzzy: true },
    options: { include_metadata: true },
    limit: SHOWN,
  });
  const symbols = data.flatMap(({ metadata }) => shownText(metadata?.symbol ?? '') || []);
  const hint = didYouMean(text, [...symbols, ...dex.config.quote_tokens.map(({ symbol }) => symbol)]);
  return new SwapfoldError('not-found', `No token has the address or the symbol "${text}".${hint}`);
}
