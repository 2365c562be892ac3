import type { Config } from '../config.ts';
import { storedVotes, voteScope, votesBefore } from '../ingest/native-price.ts';
import { readReferencePrices } from '../ingest/reference-prices.ts';
import type { Roles } from '../ledger/roles.ts';
import { ReferencePrices } from '../ledger/value.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Reader } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';

/** What says what the native token is worth. */
export interface NativeScope {
  readonly reader: Reader;
  readonly config: Config;
  readonly roles: Roles;
  /** Where the store begins, Unix seconds. */
  readonly horizon: number;
  readonly hasReferencePrices: boolean;
}

/** The reference prices that hold at any of some times. */
export async function referencesOf(
  { reader, config, roles, hasReferencePrices }: NativeScope,
  from: number,
  to: number,
): Promise<ReferencePrices> {
  if (!hasReferencePrices) return ReferencePrices.none;
  return readReferencePrices(reader, { roles, maxAge: config.reference_max_age }, { from, to });
}

/** USD per native token at instants, Unix seconds, ascending: `NaN` if it is unknown. */
export async function nativePricesAt(scope: NativeScope, times: ArrayLike<number>): Promise<Float64Array> {
  const { reader, roles } = scope;
  const prices = new Float64Array(times.length).fill(Number.NaN);
  if (roles.native < 0 || times.length === 0) return prices;
  if (times.length === 1) return Float64Array.of(await nativePriceAt(scope, times[0]!));
  const settings = voteScope(scope, scope.horizon);
  const [from, to] = [times[0]!, times[times.length - 1]!];
  const references = await referencesOf(scope, from, to);
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

/** The native price at an instant: USD for one native token, `NaN` if it is unknown (docs/reference/metrics.md, "Valuation"). */
export async function nativePriceAt(scope: NativeScope, time: number): Promise<number> {
  const { reader, roles } = scope;
  if (roles.native < 0) return Number.NaN;
  const references = await referencesOf(scope, time, time);
  const votes = await votesBefore(reader, voteScope(scope, scope.horizon), lastSeqAt(time) + 1, time);
  return votes.priceAt(time, references.holding(roles.native, time)).usd;
}
