import { smallMarket } from '../../../../test/support/market.ts';
import { cases } from '../../../../test/support/whole.ts';

/** What the parts are fed. Without USD amounts every value hangs on the native price, which each part derives for itself. */
export const fed = smallMarket({
  seed: 23,
  swaps: cases(1200, 600),
  wallets: cases(40, 20),
  tokens: cases(12, 8),
  withUsd: false,
  withBalances: false,
});
