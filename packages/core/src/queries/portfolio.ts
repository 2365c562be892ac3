import * as v from 'valibot';
import { arrivedOf } from '../ledger/here.ts';
import { readHoldings, readOpenLots } from '../market-data/holdings.ts';
import { compareText } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { type Answer, described, listOf, named, number, numberOrNull, text, textOrNull } from '../response.ts';
import { orNull, type QueryContext } from './context.ts';
import { swapSymbols } from './per-token.ts';
import { latestMarksOf } from './prices.ts';

export const portfolioTokenSchema = named(
  'PortfolioToken',
  v.strictObject({
    token: text('Address.'),
    symbol: textOrNull('Symbol.'),
    balance: number('Whole tokens.'),
    price: numberOrNull('USD per token.'),
    value: numberOrNull('USD.'),
    cost_basis: numberOrNull('USD, of the lots of known cost that are here.'),
    unrealized_pnl: numberOrNull('USD, of the same lots.'),
    unmatched_amount: number(
      'Whole tokens of the balance that no lot of known cost covers: no profit figure has them.',
    ),
  }),
);

/** A token that a wallet holds: `balance` in tokens, `price` USD per token, `value`, `cost_basis` and `unrealized_pnl` USD; `null` is unknown. */
export interface PortfolioToken extends Answer<typeof portfolioTokenSchema> {}

export const portfolioSchema = named(
  'Portfolio',
  v.strictObject({
    value: number('USD, of the tokens with a known value.'),
    tokens: described(
      listOf<PortfolioToken>(portfolioTokenSchema),
      'By value, the largest first, unknown ones last, then by address.',
    ),
  }),
);

/** What a wallet holds, and what it is worth. */
export interface Portfolio extends Answer<typeof portfolioSchema> {}

/** What a wallet holds at the as-of time; a wallet that is not in the store holds nothing. */
export async function portfolio(context: QueryContext, request: { readonly wallet: string }): Promise<Portfolio> {
  const { reader, dictionary } = context;
  const wallet = await dictionary.findOne(reader, request.wallet);
  if (wallet === NO_ID) return { value: 0, tokens: [] };
  const holdings = await readHoldings(reader, { wallet }, context);
  const ids = Int32Array.from(holdings, ({ token }) => token);
  const lots = await readOpenLots(reader, wallet, context);
  const prices = await latestMarksOf(context, ids);
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
      unmatched_amount: arrivedOf(balance, open?.amount ?? 0),
    };
  });
  tokens.sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || compareText(a.token, b.token));
  const value = tokens.reduce((sum, token) => sum + (token.value ?? 0), 0);
  return { value: Math.min(value, Number.MAX_VALUE), tokens };
}
