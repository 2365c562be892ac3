import { lossIn, resultAtMark, type ViewSource } from '@swapfold/core/engine';
import { literal, sql } from './columns.ts';
import { atNativePrice } from './profiles.ts';
import type { View, ViewColumn } from './view.ts';

/** What wallets hold, added up over their positions in other tokens than quote tokens: the rules of docs/reference/metrics.md, "Record". */
export function holdingsView({ quotes }: ViewSource): View {
  const price = atNativePrice('"priced"', 'market.price');
  const held = (name: string): string => `"held"."${name}"`;
  const known = (number: string): string => `coalesce(${number}, 0.0)`;
  const sum = (number: string): string => `cast(sum(${known(number)}) as double)`;
  const unrealized = resultAtMark(sql, held('lot_amount'), price, held('holding.cost_basis'));
  const awayLots = `coalesce(${held('away_lot_amount')}, ${held('holding.away_amount')})`;
  const away = resultAtMark(sql, awayLots, price, held('holding.away_cost'));
  const realized = known(`max("profile"."lifetime.realized_pnl")`);
  const column = (name: string, meaning: string, of: string): ViewColumn => ({
    name,
    type: 'number',
    meaning,
    sql: of,
  });
  const excluded =
    quotes.length === 0
      ? ''
      : `where ${held('token_address')} not in (${quotes.map(({ address }) => literal(address)).join(', ')})\n`;
  return {
    name: 'v_wallet_holdings',
    rows: 'What a wallet holds in tokens that are no quote tokens, as of the last refresh. Wallets without such a position have no row.',
    columns: [
      { name: 'wallet_address', type: 'text', meaning: 'Address.', sql: held('wallet_address') },
      column(
        'value',
        'USD: balances x price, of the tokens that were traded and have a price.',
        sum(sql.times(`case when ${held('holding.balance')} > 0 then ${held('holding.balance')} end`, price)),
      ),
      column('cost_basis', 'USD, of the lots of known cost that are here.', sum(held('holding.cost_basis'))),
      column('unrealized_pnl', 'USD: the same lots at the mark - what they cost.', sum(unrealized)),
      column(
        'open_count',
        'Positions that are open.',
        sum(`case when ${held('metadata.state')} = 'open' then 1.0 end`),
      ),
      column(
        'away_pnl',
        'USD, at most 0: lots that are away at the mark - what they cost, where that is a loss.',
        sum(lossIn(sql, away)),
      ),
      column(
        'floor_pnl',
        'USD: lifetime_realized_pnl + unrealised losses + away_pnl.',
        `(${realized} + ${sum(lossIn(sql, unrealized))} + ${sum(lossIn(sql, away))})`,
      ),
    ],
    from: `from "position_profiles" "held"
left join "token_profiles" "priced" on "priced"."id" = "held"."token"
left join "wallet_profiles" "profile" on "profile"."id" = "held"."wallet"
${excluded}group by ${held('wallet_address')}`,
  };
}
