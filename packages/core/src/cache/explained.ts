import { timeOf } from '../records/chain-order.ts';
import { type Advance, Region } from './region.ts';

/** Explanations whose folds are remembered; one takes some kilobytes at most. */
const MOST = 1000;

/** What a fold said of a metric as of an instant, which holds until a swap up to it comes or goes. */
interface Explained {
  readonly asOf: number;
  readonly said: object;
}

/** What folds said of one wallet, with its positions, or of one token, by question. */
export type ExplainedRegion = Region<number, Map<string, Explained>>;

export interface ExplainedRegions {
  readonly explained_wallets: ExplainedRegion;
  readonly explained_tokens: ExplainedRegion;
}

export function newExplainedRegions(): ExplainedRegions {
  return { explained_wallets: newRegion('wallets'), explained_tokens: newRegion('tokens') };
}

function newRegion(by: 'wallets' | 'tokens'): ExplainedRegion {
  const advance: Advance<number, Map<string, Explained>> = (region, { appended, touched, hasRegistryChanged }) => {
    if (hasRegistryChanged) {
      region.clear();
      return;
    }
    for (const { swaps, legs } of appended) {
      const { seq } = by === 'wallets' ? swaps.columns : legs.columns;
      const ids = by === 'wallets' ? swaps.columns.wallet : legs.columns.token;
      for (const [row, id] of ids.entries()) {
        const known = region.peek(id);
        if (known === undefined) continue;
        for (const [question, { asOf }] of known) if (asOf >= timeOf(seq[row]!)) known.delete(question);
      }
    }
    for (const id of touched[by]) region.delete(id);
  };
  return new Region({ most: MOST, sizeOf: ({ size }) => Math.max(1, size) }, advance);
}
