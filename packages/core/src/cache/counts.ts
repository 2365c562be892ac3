import type { Appended } from '../ingest/changes.ts';
import { Region } from './region.ts';

const MOST = 200_000;

/** How many rows the list of one wallet, token or pool holds. */
export type CountRegion = Region<number, { readonly count: number }>;

/** Lists whose rows are counted, by wallet, token or pool. */
export interface CountRegions {
  readonly swaps_of_wallet: CountRegion;
  readonly swaps_of_token: CountRegion;
  readonly swaps_of_pool: CountRegion;
  readonly trades_of_wallet: CountRegion;
  readonly trades_of_token: CountRegion;
}

export function newCountRegions(): CountRegions {
  return {
    swaps_of_wallet: newRegion('wallets', ({ swaps }) => swaps.columns.wallet),
    swaps_of_token: newRegion('tokens', ({ legs }) => legs.columns.token),
    swaps_of_pool: newRegion('pools', ({ swaps }) => swaps.columns.pool),
    trades_of_wallet: newRegion('wallets', ({ trades }) => trades.columns.wallet),
    trades_of_token: newRegion('tokens', ({ trades }) => trades.columns.token),
  };
}

/** `idsOf`: of each appended row the wallet, token or pool in whose list it is. */
function newRegion(by: 'wallets' | 'tokens' | 'pools', idsOf: (rows: Appended) => Int32Array): CountRegion {
  return new Region({ most: MOST }, (region, { appended, touched }) => {
    for (const rows of appended)
      for (const id of idsOf(rows)) {
        const known = region.peek(id);
        if (known !== undefined) region.put(id, { count: known.count + 1 });
      }
    for (const id of touched[by]) region.delete(id);
  });
}
