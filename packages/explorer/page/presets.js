// @ts-check
/** @import { Kind, KindName, MoneyUnit, Preset } from '../types/page.ts' */

/**
 * Questions that people come with. Each is a filter, a sort and a window; a question that needs a label is there if the store's rules give it.
 * @type {{ readonly [Name in KindName]: readonly Preset<Name>[] }}
 */
const all = {
  wallets: [
    {
      title: 'Worth following',
      window: '30d',
      sort: 'holding.floor_pnl',
      filter: { 'lifetime.trade_count': { $gte: 10 }, 'lifetime.unmatched_share': { $lt: 5 } },
      says: 'Who is ahead by what was realised, less every loss on paper, and sold what it had bought',
    },
    {
      title: 'Best this week',
      window: '7d',
      sort: 'pnl',
      filter: { 'metrics.7d.trade_count': { $gte: 10 } },
      says: 'Who earned most in a week, by ten trades and more',
    },
    {
      title: 'Consistent',
      window: '30d',
      sort: 'consistency_score',
      filter: {
        'metrics.30d.trade_count': { $gte: 20 },
        'metrics.30d.pnl': { $gt: 0 },
        'metrics.30d.best_token_share': { $lt: 0.5 },
        'metrics.30d.days_active': { $gte: 10 },
      },
      says: 'Who earns day by day, and not by one token alone',
    },
    {
      title: 'Snipers',
      window: '7d',
      sort: 'holding.floor_pnl',
      label: 'sniper',
      filter: { labels: 'sniper' },
      says: 'Who buys in the first minute of a token',
    },
    {
      title: 'Whales',
      window: '30d',
      sort: 'volume',
      label: 'whale',
      filter: { labels: 'whale' },
      says: 'Who moves most money',
    },
    { title: 'Everyone', window: '30d', sort: 'holding.floor_pnl', filter: null, says: 'All wallets' },
  ],
  tokens: [
    { title: 'Most traded', window: '1d', sort: 'makers_count', filter: null, says: 'Traded by most wallets in a day' },
    {
      title: 'Hot',
      window: '1h',
      sort: 'makers_count',
      label: 'hot',
      filter: { labels: 'hot' },
      says: 'A rush right now',
    },
    {
      title: 'Trending',
      window: '1d',
      sort: 'volume',
      label: 'trending',
      filter: { labels: 'trending' },
      says: 'Crowded and rising',
    },
    {
      title: 'New',
      window: '1d',
      sort: 'makers_count',
      label: 'new',
      filter: { labels: 'new' },
      says: 'Created within a day',
    },
  ],
  positions: [
    { title: 'Best this week', window: '7d', sort: 'pnl', filter: null, says: 'What earned most in a week' },
    {
      title: 'Still open',
      window: '7d',
      sort: 'pnl',
      filter: { 'metadata.state': 'open' },
      says: 'What earned most in a week, and is held still',
    },
  ],
};

/**
 * The presets of a kind of profiles: `{ title, window, sort, filter, says }`.
 * @type {<Name extends KindName>(kind: Kind<Name>) => readonly Preset<Name>[]}
 */
export const presetsOf = (kind) =>
  all[kind.kind].filter(
    ({ label, window }) => (label === undefined || kind.labels.includes(label)) && kind.windows.includes(window),
  );

/**
 * The preset that opens a leaderboard.
 * @type {<Name extends KindName>(kind: Kind<Name>) => Preset<Name> | undefined}
 */
export const firstPreset = (kind) => presetsOf(kind)[0];

/**
 * The fields of the address of a preset.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {Preset<Name>} preset
 * @param {MoneyUnit} unit
 */
export const queryOf = (kind, preset, unit) => {
  const isFirst = preset === firstPreset(kind);
  return {
    window: isFirst ? undefined : preset.window,
    sort: isFirst ? undefined : preset.sort,
    filter: isFirst && preset.filter !== null ? undefined : JSON.stringify(preset.filter),
    unit: unit === 'native' ? unit : undefined,
  };
};
