import { timeOf } from '../records/chain-order.ts';
import type { RecentLegs } from './recent-legs.ts';
import { Region } from './region.ts';

/** What a token costs beside its legs, in legs. */
const OVERHEAD = 16;

/** The part of the region that one token may take: what is more is cheaper to read again than to cache. */
const SHARE = 8;

/** Legs of one token that are cached at most, of `most` of all. */
export function mostLegsOfOne(most: number): number {
  return Math.floor(most / SHARE) - OVERHEAD;
}

/** Legs of tokens as far back as their windows reach. `most`: of all tokens together. */
export function newLegRegion(most: number): Region<number, RecentLegs> {
  const sizeOf = ({ room }: RecentLegs): number => room + OVERHEAD;
  return new Region({ most, sizeOf }, (region, { appended, touched }) => {
    for (const token of touched.tokens) region.delete(token);
    for (const { legs } of appended) {
      const { token, seq, price, usd_amount: usd } = legs.columns;
      const grown = new Map<number, RecentLegs>();
      for (let i = 0; i < legs.length; i++) {
        const recent = region.peek(token[i]!);
        if (recent === undefined) continue;
        const { room } = recent;
        recent.add(timeOf(seq[i]!), price[i]!, usd[i]!);
        if (recent.room > room) grown.set(token[i]!, recent);
      }
      for (const [id, recent] of grown) {
        if (recent.room > mostLegsOfOne(most)) region.delete(id);
        else region.put(id, recent);
      }
    }
  });
}
