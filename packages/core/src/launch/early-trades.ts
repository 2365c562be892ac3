import type { LaunchRules } from '../launch-rules.ts';
import { addTo } from '../records/key-index.ts';
import { comparePlaces, type Place } from './place.ts';

/** A trade of the token by one wallet, in its transaction. */
export interface EarlyTrade extends Place {
  readonly tx: number;
  readonly wallet: number;
  readonly isBuy: boolean;
}

/** Why a trade lies within the span of a launch. */
export type SpanRule = 'seconds' | 'block';

/** Why a place lies within the span of a launch; `undefined` of one that does not. */
export function spanRuleOf(launch: Place, place: Place, rules: LaunchRules): SpanRule | undefined {
  if (place.block_time <= launch.block_time + rules.sniper_seconds) return 'seconds';
  return place.block_slot <= launch.block_slot + rules.sniper_blocks ? 'block' : undefined;
}

/** The snipers, each with its first trade: `trades` are those of the span, in chain order. */
export function findSnipers(trades: readonly EarlyTrade[], dev: number | undefined): ReadonlyMap<number, EarlyTrade> {
  const first = new Map<number, EarlyTrade>();
  for (const trade of trades) if (trade.wallet !== dev && !first.has(trade.wallet)) first.set(trade.wallet, trade);
  return new Map([...first].filter(([, { isBuy }]) => isBuy));
}

/**
 * Wallets that bought together.
 *
 * - `rule`: in one transaction, in neighbours of the launch block, or somewhere in the launch block.
 * - `trades`: their buys, of each wallet and transaction one, in chain order. The dev has none.
 */
export interface Bundle {
  readonly rule: 'transaction' | 'neighbours' | 'block';
  readonly trades: readonly EarlyTrade[];
}

/** The bundles of a launch: `null` if nobody can know all. `trades` are those of the span, in chain order. */
export function findBundles(
  launch: Place,
  trades: readonly EarlyTrade[],
  dev: number | undefined,
  rules: LaunchRules,
): readonly Bundle[] | null {
  if (Number.isNaN(launch.block_slot)) return null;
  const buys = trades.filter(({ isBuy }) => isBuy);
  const first = buys.filter((trade) => trade.block_slot === launch.block_slot);
  const isIndexed = first.every((trade) => !Number.isNaN(trade.tx_index));
  if (!isIndexed && !(rules.block_seconds !== null && rules.block_seconds < 1)) return null;
  const large = (isIndexed ? neighbours(first) : [first]).flatMap((group): Bundle[] => {
    const own = withoutDev(group, dev);
    return walletsOf(own).size < rules.bundle_wallets
      ? []
      : [{ rule: isIndexed ? 'neighbours' : 'block', trades: own }];
  });
  const taken = new Set(large.flatMap((bundle) => bundle.trades.map(({ tx }) => tx)));
  const byTransaction = new Map<number, EarlyTrade[]>();
  for (const trade of buys) addTo(byTransaction, trade.tx, trade);
  const small = [...byTransaction].flatMap(([tx, group]): Bundle[] =>
    taken.has(tx) || walletsOf(group).size < 2 ? [] : [{ rule: 'transaction', trades: withoutDev(group, dev) }],
  );
  return [...large, ...small].sort((a, b) => comparePlaces(a.trades[0]!, b.trades[0]!));
}

const walletsOf = (trades: readonly EarlyTrade[]): ReadonlySet<number> => new Set(trades.map(({ wallet }) => wallet));

/** Of each wallet and transaction one. */
function withoutDev(trades: readonly EarlyTrade[], dev: number | undefined): readonly EarlyTrade[] {
  const own = trades.filter(({ wallet }) => wallet !== dev);
  return [...new Map(own.map((trade) => [`${trade.wallet} ${trade.tx}`, trade])).values()];
}

/** Trades of a block in runs whose indexes follow each other without a gap. */
function neighbours(trades: readonly EarlyTrade[]): readonly (readonly EarlyTrade[])[] {
  const runs: EarlyTrade[][] = [];
  let last = Number.NaN;
  for (const trade of [...trades].sort((a, b) => a.tx_index - b.tx_index)) {
    if (trade.tx_index - last <= 1) runs.at(-1)!.push(trade);
    else runs.push([trade]);
    last = trade.tx_index;
  }
  return runs;
}
