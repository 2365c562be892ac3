import type { LabelRule } from '../config.ts';
import type { ProfileKind } from '../records/profile-fields.ts';

/** A rule that ships: it says why. */
type DefaultRule = LabelRule & { readonly rationale: string };

const HOUR = 3600;
const DAY = 86_400;

/** Holds unless the registry says that the pool is thin: a price that a few hundred dollars move attracts nobody. */
const notThin = { $nor: [{ 'market.liquidity': { $lt: 10_000 } }] };

/** Rules of wallets that hold only if the configuration asks for them (`labels.optional`). */
export const optionalWalletRules: readonly DefaultRule[] = [
  {
    label: 'wash',
    rule: 'mostly-wash-week',
    filter: { 'metrics.7d.wash_share': { $gt: 0.5 } },
    rationale: 'More than half of what the wallet traded in a week came back at once, for nothing.',
  },
  {
    label: 'explained',
    rule: 'twenty-tokens-a-week',
    filter: {
      'lifetime.unmatched_share': { $lt: 5 },
      'lifetime.suspect_share': { $lt: 5 },
      'lifetime.away_share': { $lt: 5 },
      'lifetime.best_token_share': { $lt: 50 },
      'lifetime.days_active': { $gte: 7 },
      'lifetime.position_count': { $gte: 20 },
    },
    rationale:
      'What it made is known to the trade: nearly all of what it sold was bought, at prices that others paid, in many tokens and over a week.',
  },
];

const tokens: readonly DefaultRule[] = [
  {
    label: 'trending',
    rule: 'crowded-and-rising-hour',
    filter: {
      'metrics.1h.makers_count': { $gte: 150 },
      'metrics.1h.volume': { $gte: 50_000 },
      'metrics.1h.sharpe_ratio': { $gt: 0 },
      ...notThin,
    },
    rationale:
      'One launch team can trade with a dozen wallets, hardly with 150 in an hour; the mean price change of the five-minute periods above 0 tells a run from a sell-off.',
  },
  {
    label: 'trending',
    rule: 'crowded-and-rising-day',
    filter: {
      'metrics.1d.makers_count': { $gte: 1000 },
      'metrics.1d.volume': { $gte: 500_000 },
      'metrics.1d.sharpe_ratio': { $gt: 0 },
      'metrics.1h.makers_count': { $gte: 20 },
      ...notThin,
    },
    rationale:
      'A run that has lasted: a thousand wallets and half a million USD in a day, with the last hour still busy.',
  },
  {
    label: 'hot',
    rule: 'five-minute-burst',
    filter: {
      'metrics.5m.makers_count': { $gte: 60 },
      'metrics.5m.buyers_count': { $gte: 30 },
      'metrics.5m.volume': { $gte: 20_000 },
    },
    rationale:
      'A dozen new wallets a minute; half of them buying leaves out the rush to the exit. Liquidity is not asked for: a token on its bonding curve may well be hot.',
  },
  {
    label: 'hot',
    rule: 'one-minute-burst',
    filter: {
      'metrics.1m.makers_count': { $gte: 30 },
      'metrics.1m.buyers_count': { $gte: 15 },
      'metrics.1m.volume': { $gte: 10_000 },
    },
    rationale: 'The same, sooner and steeper: what five minutes do not show yet.',
  },
  {
    label: 'new',
    rule: 'created-within-a-day',
    filter: { 'metadata.age': { $gte: 0, $lt: DAY }, 'metrics.1d.makers_count': { $gte: 5 } },
    rationale:
      'Most launches live for less than a day, and most of those are traded by nobody but their creator: five wallets say that somebody came.',
  },
  {
    label: 'new',
    rule: 'created-within-an-hour',
    filter: { 'metadata.age': { $gte: 0, $lt: HOUR }, 'metrics.1h.makers_count': { $gte: 2 } },
    rationale: 'In the first hour a second wallet is enough.',
  },
  {
    label: 'popular',
    rule: 'held-by-many',
    filter: { 'market.holders': { $gte: 10_000 }, 'metrics.7d.makers_count': { $gte: 500 } },
    rationale:
      'Holders stay for years in what is long dead, and airdrops make holders who never chose: the week has to show that wallets still trade it.',
  },
  {
    label: 'popular',
    rule: 'traded-by-many',
    filter: {
      'metrics.7d.makers_count': { $gte: 5000 },
      'metrics.7d.volume': { $gte: 2_000_000 },
      'metrics.1d.makers_count': { $gte: 300 },
    },
    rationale: 'Crowds through a whole week, the last day included, where one launch has its crowd in an hour.',
  },
];

const wallets: readonly DefaultRule[] = [
  {
    label: 'trencher',
    rule: 'tiny-caps',
    filter: { 'metrics.7d.buy_count': { $gte: 20 }, 'metrics.7d.avg_buy_mcap': { $lt: 150_000 } },
    rationale:
      'A launch leaves its bonding curve at some 70,000 USD of market cap: a mean of 20 buys and more below twice that is life on the curves and right behind them. Needs supplies in the token registry.',
  },
  {
    label: 'trencher',
    rule: 'hours-old-tokens',
    filter: { 'metrics.7d.entry_count': { $gte: 15 }, 'metrics.7d.avg_entry_delay': { $lt: 6 * HOUR } },
    rationale:
      'Fifteen entries in a week, on the mean within six hours of creation: but for the odd one, no token is older than a day.',
  },
  {
    label: 'trencher',
    rule: 'many-tokens-briefly',
    filter: {
      'metrics.7d.avg_daily_traded_tokens': { $gte: 15 },
      'metrics.7d.position_count': { $gte: 30 },
      'metrics.7d.avg_holding_duration': { $lt: 2 * HOUR },
    },
    rationale:
      'Fifteen tokens a day through the week, left within two hours on the mean: also where no creation time or supply is known.',
  },
  {
    label: 'conviction',
    rule: 'large-and-patient',
    filter: {
      'metrics.30d.buy_count': { $gte: 3 },
      'metrics.30d.avg_buy_size': { $gte: 1000 },
      'metrics.30d.position_count': { $gte: 3 },
      'metrics.30d.avg_holding_duration': { $gte: 3 * DAY },
      'metrics.30d.avg_daily_traded_tokens': { $lte: 2 },
    },
    rationale:
      'Three days are an age in memecoins, 1,000 USD several times the usual buy, and two tokens a day leave time to choose them.',
  },
  {
    label: 'conviction',
    rule: 'few-tokens-for-a-week',
    filter: {
      'metrics.30d.position_count': { $gte: 2, $lte: 6 },
      'metrics.30d.sell_volume': { $gte: 5000 },
      'metrics.30d.avg_holding_duration': { $gte: 7 * DAY },
    },
    rationale: 'At most six tokens sold in a month, held for a week on the mean, and money that matters in them.',
  },
  {
    label: 'smart',
    rule: 'earns-on-many-tokens',
    filter: {
      'metrics.30d.pnl': { $gte: 5000 },
      'metrics.30d.position_count': { $gte: 15 },
      'metrics.30d.token_hit_ratio': { $gte: 0.5 },
      'metrics.30d.roi': { $gte: 15 },
    },
    rationale:
      'Public definitions ask for 5,000 to 7,500 USD in 90 days (Codex); this asks for it in 30, from at least half of 15 tokens, so that one lucky token does not do. Tokens are counted, not sells: selling in slices multiplies wins.',
  },
  {
    label: 'smart',
    rule: 'wins-outweigh-losses',
    filter: {
      'metrics.30d.pnl': { $gte: 5000 },
      'metrics.30d.position_count': { $gte: 15 },
      'metrics.30d.loss_count': { $gte: 5 },
      'metrics.30d.token_hit_ratio': { $gte: 0.3 },
      'metrics.30d.profit_factor': { $gte: 2 },
    },
    rationale:
      'Fewer hits that pay twice what the misses cost: the way most memecoin profit is made. Five losses make the ratio one of something.',
  },
  {
    label: 'smart',
    rule: 'steady',
    filter: {
      'metrics.30d.pnl': { $gte: 2000 },
      'metrics.30d.position_count': { $gte: 15 },
      'metrics.30d.consistency_score': { $gte: 60 },
    },
    rationale: 'Less profit will do where it came day after day rather than at once.',
  },
  {
    label: 'whale',
    rule: 'large-buys',
    filter: { 'metrics.30d.buy_count': { $gte: 5 }, 'metrics.30d.avg_buy_size': { $gte: 10_000 } },
    rationale: 'One such buy moves the price of most pools noticeably; five of them are a habit.',
  },
  {
    label: 'whale',
    rule: 'large-volume-in-large-trades',
    filter: {
      'metrics.30d.volume': { $gte: 1_000_000 },
      'metrics.30d.buy_count': { $gte: 5 },
      'metrics.30d.avg_buy_size': { $gte: 2500 },
    },
    rationale: 'A million USD in a month; the mean buy leaves out bots, which get there in small change.',
  },
  {
    label: 'degen',
    rule: 'near-ruin',
    filter: {
      'metrics.7d.position_count': { $gte: 10 },
      'metrics.7d.trade_count': { $gte: 30 },
      'metrics.7d.risk_score': { $gte: 75 },
    },
    rationale:
      'The upper quarter of the risk score needs deep falls and probable ruin together; ten tokens in the week make it a style.',
  },
  {
    label: 'degen',
    rule: 'sprays-and-misses',
    filter: {
      'metrics.7d.avg_daily_trade_count': { $gte: 30 },
      'metrics.7d.position_count': { $gte: 20 },
      'metrics.7d.token_hit_ratio': { $lt: 0.35 },
    },
    rationale: 'Thirty trades a day through the week, and two tokens of three bring no profit.',
  },
  {
    label: 'degen',
    rule: 'halved-again-and-again',
    filter: { 'metrics.30d.token_roi_distribution.lt_neg50_0': { $gte: 10 } },
    rationale: 'Ten tokens of a month sold for less than half of what they cost.',
  },
  {
    label: 'sniper',
    rule: 'first-minute',
    filter: { 'metrics.30d.entry_count': { $gte: 10 }, 'metrics.30d.early_entry_ratio': { $gte: 0.5 } },
    rationale: 'Half of ten entries and more within 60 seconds of creation: nobody reads a chart that fast.',
  },
  {
    label: 'sniper',
    rule: 'first-minute-among-others',
    filter: { 'metrics.30d.entry_count': { $gte: 100 }, 'metrics.30d.early_entry_ratio': { $gte: 0.2 } },
    rationale: 'Twenty snipes and more in a month, by a wallet that trades other things as well.',
  },
  {
    label: 'sniper',
    rule: 'earns-in-the-first-hour',
    filter: {
      'metrics.30d.entry_count': { $gte: 5 },
      'metrics.30d.avg_entry_delay': { $lte: HOUR },
      'metrics.30d.pnl': { $gte: 1000 },
    },
    rationale:
      'Codex asks for 3,000 USD of profit in 90 days on tokens launched within the hour: a third of it in a third of the time.',
  },
  {
    label: 'swing',
    rule: 'holds-for-days',
    filter: {
      'metrics.30d.position_count': { $gte: 5 },
      'metrics.30d.avg_holding_duration': { $gte: DAY, $lt: 14 * DAY },
      'metrics.30d.avg_daily_trade_count': { $lte: 10 },
    },
    rationale: 'Overnight and longer, less than two weeks, at a pace that a person keeps.',
  },
  {
    label: 'holder',
    rule: 'sells-after-weeks',
    filter: { 'metrics.30d.position_count': { $gte: 2 }, 'metrics.30d.avg_holding_duration': { $gte: 14 * DAY } },
    rationale: 'What it sold it had held for two weeks on the mean, in more than one token.',
  },
  {
    label: 'holder',
    rule: 'buys-and-keeps',
    filter: {
      'metrics.30d.buy_count': { $gte: 4 },
      'metrics.30d.buy_volume': { $gte: 200 },
      'metrics.30d.avg_trade_delta': { $gte: 2 * DAY },
      'metrics.30d.sell_count': 0,
    },
    rationale: 'Four buys spread over most of a week or more, and not one sell in the month.',
  },
];

const positions: readonly DefaultRule[] = [
  {
    label: 'flip',
    rule: 'closed-in-five-minutes',
    filter: { 'metadata.state': 'closed', 'metadata.held': { $lte: 300 } },
    rationale: 'Opened and sold out within five minutes: a trade on the chart of the minute, not on the token.',
  },
  {
    label: 'diamond',
    rule: 'open-for-a-week',
    filter: { 'metadata.state': 'open', 'metadata.age': { $gte: 7 * DAY } },
    rationale: 'Most tokens of a launch are sold within the hour; who holds for seven days has decided to.',
  },
  {
    label: 'bagholder',
    rule: 'lost-four-fifths',
    filter: { 'metadata.state': 'open', 'holding.unrealized_roi': { $lte: -80 } },
    rationale: 'The price is at most a fifth of the average entry, and the lots are still there.',
  },
];

/** The label rules that ship; docs/reference/labels.md lists them. `kol` comes from the wallet registry alone. */
export const defaultLabelRules: Readonly<Record<ProfileKind, readonly DefaultRule[]>> = { tokens, wallets, positions };
