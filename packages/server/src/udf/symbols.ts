import { type Config, SwapfoldError, type TokenProfile } from '@swapfold/core';
import { show, tokenAddress } from '@swapfold/core/host';
import type { Asked } from '../plugged.ts';
import { multipliers, resolutions } from './resolution.ts';

/** Most symbols of a search. */
export const MAX_FOUND = 100;

const options = { include_metadata: true, include_market: true };
const byVolume = { field: 'metrics.7d.volume', direction: 'desc' };

/**
 * The token that a symbol names: its address, or its symbol, of which the most traded token counts; the chain may stand before either, as in
 * `SOLANA:WIF`.
 *
 * - Errors: `not-found`.
 */
export async function findSymbol(store: Asked, symbol: string): Promise<TokenProfile> {
  const { chain } = store.config;
  const exchange = `${chain}:`;
  const text = symbol.toLowerCase().startsWith(exchange) ? symbol.slice(exchange.length) : symbol;
  const address = tokenAddress(store.config)(text);
  const filters = [...(address === undefined ? [] : [{ token_address: address }]), { 'metadata.symbol': text }];
  for (const filter of filters) {
    const [found] = await search(store, { filter, sort: byVolume, limit: 1 });
    if (found !== undefined) return found;
  }
  throw new SwapfoldError('not-found', `There is no token with the address or the symbol ${show(symbol)}.`);
}

/** Tokens by the beginnings of words in their names and addresses; without a text those that trade most. */
export function searchSymbols(store: Asked, text: string | undefined, limit: number): Promise<readonly TokenProfile[]> {
  const typed = [...(text ?? '')].slice(0, 200).join('').trim();
  const body = typed === '' ? { sort: byVolume } : { query: { text: typed, autocomplete: true } };
  return search(store, { ...body, limit });
}

async function search(store: Asked, body: object): Promise<readonly TokenProfile[]> {
  const { data } = (await store.call('tokens.search', { ...body, options })) as { data: readonly TokenProfile[] };
  return data;
}

/** A token as the library knows a symbol: it goes by its address from then on. */
export function symbolInfo(token: TokenProfile, { chain }: Config): object {
  const exchange = chain.toUpperCase();
  return {
    name: nameOf(token),
    ticker: token.token_address,
    description: token.metadata?.name ?? token.token_address,
    type: 'crypto',
    session: '24x7',
    timezone: 'Etc/UTC',
    exchange,
    listed_exchange: exchange,
    format: 'price',
    minmov: 1,
    pricescale: 10 ** decimalsOf(token.market?.price ?? null),
    has_seconds: true,
    seconds_multipliers: multipliers.seconds,
    has_intraday: true,
    intraday_multipliers: multipliers.minutes,
    has_daily: true,
    daily_multipliers: multipliers.days,
    has_weekly_and_monthly: false,
    supported_resolutions: resolutions,
    volume_precision: 2,
    data_status: 'streaming',
  };
}

/** A token as a result of a search. */
export function foundSymbol(token: TokenProfile, { chain }: Config): object {
  return {
    symbol: nameOf(token),
    full_name: token.token_address,
    description: token.metadata?.name ?? token.token_address,
    exchange: chain.toUpperCase(),
    ticker: token.token_address,
    type: 'crypto',
  };
}

const nameOf = ({ token_address, metadata }: TokenProfile): string => metadata?.symbol ?? token_address;

/** Decimals that show six digits of a price, at least two; of an unknown price, eight. */
function decimalsOf(price: number | null): number {
  if (price === null || price <= 0) return 8;
  return Math.min(MAX_DECIMALS, Math.max(2, 5 - Math.floor(Math.log10(price))));
}

const MAX_DECIMALS = 16;
