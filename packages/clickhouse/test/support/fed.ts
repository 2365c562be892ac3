import { smallMarket } from '../../../../test/support/market.ts';

/** What the parts are fed. Without USD amounts every value hangs on the native price, which each part derives for itself. */
export const fed = smallMarket({ seed: 23, swaps: 1200, wallets: 40, tokens: 12, withUsd: false, withBalances: false });
