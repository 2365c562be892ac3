import { readHoldings, readOpenLots } from '../market-data/holdings.ts';
import { compareText } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { orNull, type QueryContext } from './context.ts';
import { latestPricesOf } from './prices.ts';
import { swapSymbols } from './swap-symbols.ts';

export interface PortfolioRequest {
  readonly wallet: string;
}

/** A token that a wallet holds: `balance` in tokens, `price` USD per token, `value`, `cost_basis` and `unrealized_pnl` USD; `null` is unknown. */
export interface PortfolioToken {
  readonly token: string;
  readonly symbol: string | null;
  readonly balance: number;
  readonly price: number | null;
  readonly value: number | null;
  readonly cost_basis: number | null;
  readonly unrealized_pnl: number | null;
}

export interface Portfolio {
  /** Sum of the known values, USD. */
  readonly value: number;
  /** By value, the largest first, unknown ones last, then by address. */
  readonly tokens: readonly PortfolioToken[];
}

/** What a wallet holds at the as-of time; a wallet that is not in the store holds nothing. */
export async function portfolio(context: QueryContext, request: PortfolioRequest): Promise<Portfolio> {
  const { reader, dictionary } = context;
  const wallet = await dictionary.findOne(reader, request.wallet);
  if (wallet === NO_ID) return { value: 0, tokens: [] };
  const holdings = await readHoldings(reader, { wallet }, context);
  const ids = Int32Array.from(holdings, ({ token }) => token);
  const lots = await readOpenLots(reader, wallet, context.config.dust_usd, context);
  const prices = await latestPricesOf(context, ids);
  const symbolOf = await swapSymbols(context, ids);
  await dictionary.load(reader, ids);
  const tokens = holdings.map(({ token, balance }): PortfolioToken => {
    const price = prices.get(token)?.usd_price ?? Number.NaN;
    const open = lots.get(token);
    return {
      token: dictionary.textOf(token),
      symbol: symbolOf(token),
      balance,
      price: orNull(price),
      value: orNull(balance * price),
      cost_basis: open === undefined ? null : orNull(open.cost),
      unrealized_pnl: open === undefined ? null : orNull(open.amount * price - open.cost),
    };
  });
  tokens.sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || compareText(a.token, b.token));
  return { value: tokens.reduce((sum, token) => sum + (token.value ?? 0), 0), tokens };
}
