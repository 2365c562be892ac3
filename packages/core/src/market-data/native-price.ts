import type { Config } from '../config.ts';
import { nativePriceAt as priceAt, storedVotes, voteScope, votesBefore } from '../ingest/native-price.ts';
import { readReferencePrices } from '../ingest/reference-prices.ts';
import type { Roles } from '../ledger/roles.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Reader } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';

/** What says what the native token is worth. */
export interface NativeScope {
  readonly reader: Reader;
  readonly config: Config;
  readonly roles: Roles;
}

/** USD per native token at instants, Unix seconds, ascending: `NaN` if it is unknown. */
export async function nativePricesAt(scope: NativeScope, times: ArrayLike<number>): Promise<Float64Array> {
  const { reader, roles } = scope;
  const prices = new Float64Array(times.length).fill(Number.NaN);
  if (roles.native < 0 || times.length === 0) return prices;
  if (times.length === 1) return Float64Array.of(await nativePriceAt(scope, times[0]!));
  const settings = voteScope(scope);
  const [from, to] = [times[0]!, times[times.length - 1]!];
  const references = await readReferencePrices(reader, settings, { from, to });
  const votes = await votesBefore(reader, settings, lastSeqAt(from) + 1, from);
  const later = await storedVotes(reader, between('seq', lastSeqAt(from) + 1, lastSeqAt(to)));
  let next = 0;
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!;
    for (; next < later.length && timeOf(later[next]!.seq) <= time; next++) votes.addFirm(later[next]!);
    const reference = references.holding(roles.native, time);
    // Without a firm vote that counts, feed votes do, which only a look back from the instant finds.
    const newest = votes.newestFirm?.time ?? Number.NEGATIVE_INFINITY;
    const isKnown = newest + settings.maxAge >= time || !Number.isNaN(reference.usd);
    prices[i] = isKnown ? votes.priceAt(time, reference).usd : await nativePriceAt(scope, time);
  }
  return prices;
}

/** USD per native token at an instant, `NaN` if it is unknown. */
export async function nativePriceAt(scope: NativeScope, time: number): Promise<number> {
  return priceAt(scope.reader, voteScope(scope), time);
}
