// @ts-check
/** @import { Column, ColumnName, Kind, KindName, Kinds, DescribedMetric, MetricName, MoneyUnit, Profile, Request, Window } from '../../types/page.ts' */
/** @import { Counts } from './number.js' */
import { server } from '../api.js';
import { brief } from '../format.js';
import { windowWords } from '../instant.js';
import { html } from '../lib.js';
import { valueAt } from '../model.js';
import { wordOf } from '../words.js';
import { Face, Labels, PositionLink, TokenLink, WalletLink } from './links.js';
import { lacksUsd, Metric, NO_USD, None, Value } from './number.js';

/**
 * What tells profiles of a kind apart, in addresses and in requests of single ones.
 * @type {{ readonly [Name in KindName]: (profile: Profile<Name>) => readonly string[] }}
 */
export const idsOf = {
  wallets: (profile) => [profile.wallet_address],
  tokens: (profile) => [profile.token_address],
  positions: (profile) => [profile.wallet_address, profile.token_address],
};

/** What leaderboards of wallets are sorted by: no price that somebody raises adds to it. There is none in the native token. */
export const FLOOR = 'holding.floor_pnl';
const FLOOR_NATIVE = 'lifetime.realized_pnl_native';

/** @type {{ readonly [Name in KindName]: readonly ColumnName<Name>[] }} */
export const defaultColumns = {
  wallets: ['holding.floor_pnl', 'pnl', 'roi', 'winrate', 'trade_count', 'volume'],
  tokens: ['market.price', 'market.market_cap', 'market.liquidity', 'volume', 'trade_count', 'makers_count'],
  positions: [
    'pnl',
    'roi',
    'volume',
    'holding.realized_pnl',
    'holding.unrealized_pnl',
    'holding.value',
    'metadata.state',
  ],
};

/** @typedef {'pnl' | 'roi' | 'volume' | 'holding.realized_pnl' | 'holding.unrealized_pnl'} InBoth */

/** @type {readonly InBoth[]} */
const natives = ['pnl', 'roi', 'volume', 'holding.realized_pnl', 'holding.unrealized_pnl'];

/**
 * @param {string} name
 * @returns {name is InBoth}
 */
const isInBoth = (name) => natives.some((one) => one === name);

/**
 * What is in USD has the same beside it in the native token, if that is wanted.
 * @template {string} Name
 * @param {Name} name
 * @param {MoneyUnit} unit
 * @returns {Name | Extract<ColumnName, `${InBoth}_native`>}
 */
export const inUnit = (name, unit) =>
  /** @type {Name | Extract<ColumnName, `${InBoth}_native`>} */ (
    unit !== 'native' ? name : name === FLOOR ? FLOOR_NATIVE : isInBoth(name) ? `${name}_native` : name
  );

/**
 * The metric in USD of one that `inUnit` has chosen.
 * @param {string} name
 * @param {MoneyUnit} unit
 */
export const withoutUnit = (name, unit) => {
  if (unit !== 'native') return name;
  const inUsd = name.replace(/_native$/, '');
  return name === FLOOR_NATIVE ? FLOOR : isInBoth(inUsd) ? inUsd : name;
};

/**
 * @param {'wallet' | 'token'} kind
 * @param {string} address
 * @param {unknown} link
 */
const who = (kind, address, link) =>
  html`<span class="who"><${Face} kind=${kind} address=${address} isSmall=${true} />${link}</span>`;

/** @type {(isFirst: boolean) => Column<Profile<'wallets'> | Profile<'positions'>>} */
const walletColumn = (isFirst) => ({
  name: 'wallet',
  title: 'Wallet',
  csv: 'wallet',
  isText: true,
  value: (profile) => profile.wallet_address,
  cell: ({ wallet_address: address, metadata }, at) =>
    html`${isFirst && html`<span class="rank">${at + 1}</span>`}${who('wallet', address, html`<${WalletLink} address=${address} name=${metadata !== undefined && 'name' in metadata ? metadata.name : undefined} />`)}`,
});

/** @type {(isFirst: boolean) => Column<Profile<'tokens'> | Profile<'positions'>>} */
const tokenColumn = (isFirst) => ({
  name: 'token',
  title: 'Token',
  csv: 'token',
  isText: true,
  value: (profile) => profile.token_address,
  cell: ({ token_address: address, metadata }, at) =>
    html`${isFirst && html`<span class="rank">${at + 1}</span>`}${who('token', address, html`<${TokenLink} address=${address} symbol=${metadata?.symbol} />`)}`,
});

/** @type {Column<Profile<'positions'>>} */
const positionColumn = {
  name: 'position',
  title: 'Position',
  csv: 'position',
  value: (profile) => profile.position_address,
  cell: (profile) =>
    html`<${PositionLink} wallet=${profile.wallet_address} token=${profile.token_address} text="look" />`,
};

/** @type {{ readonly [Name in KindName]: readonly Column<Profile<Name>>[] }} */
const leading = {
  wallets: [walletColumn(true)],
  tokens: [tokenColumn(true)],
  positions: [walletColumn(true), tokenColumn(false)],
};

/**
 * Where the sort of a search finds a column: a metric in the window that is shown.
 * @template {KindName} Name
 * @param {ColumnName<Name>} name
 * @param {Kind<Name>} kind
 * @param {Window<Name>} window
 */
export const pathOf = (name, kind, window) =>
  /** @type {Kinds[Name]['field']} */ (name in kind.metrics ? `metrics.${window}.${name}` : name);

/**
 * @template {KindName} Name
 * @param {ColumnName<Name>} name
 * @param {Kind<Name>} kind
 * @param {Window<Name>} window
 * @param {DescribedMetric} metric
 * @param {number | undefined} count
 * @returns {Column<Profile<Name>>}
 */
function metricColumn(name, kind, window, metric, count) {
  const path = pathOf(name, kind, window);
  const isRate = name === 'winrate';
  return {
    name,
    title: wordOf(name),
    csv: `${name} ${window}`,
    canSort: kind.sortable.has(path) && isWithin(kind, path, count),
    group: windowTitle(window),
    meaning: `${name}: ${metric.description}`,
    value: (profile) => valueAt(profile, path),
    cell: (profile) => {
      const value = valueAt(profile, path);
      return html`<${Metric} kind=${kind.kind} ids=${idsOf[kind.kind](profile)} name=${name} window=${window} value=${value} metric=${metric} metrics=${metricsOf(profile, window)} />${isRate && html`<span class="meter" aria-hidden="true"><i style=${{ width: `${value ?? 0}%` }}></i></span>`}`;
    },
  };
}

/**
 * @param {Profile} profile
 * @param {string} window
 */
const metricsOf = (profile, window) =>
  /** @type {Counts | undefined} */ (valueAt(profile, `metrics.${window}`) ?? undefined);

/**
 * How many profiles may be left to sort by a path; `undefined` if any number.
 * @param {{ readonly kind: KindName }} kind
 * @param {string} path
 */
export const mostOf = (kind, path) => (kind.kind === 'positions' ? server.model.computed.get(path) : undefined);

/**
 * Whether the server sorts so many profiles by a path: what is computed when it is asked for has a bound.
 * @param {{ readonly kind: KindName }} kind
 * @param {string} path
 * @param {number | undefined} count
 */
export function isWithin(kind, path, count) {
  const most = mostOf(kind, path);
  return most === undefined || (count !== undefined && count <= most);
}

/** @param {string} window */
const windowTitle = (window) => `Last ${windowWords(window)}`;

/**
 * What a field of a section is of, above the columns.
 * @param {string} name
 */
function groupOf(name) {
  if (name === FLOOR) return 'Whole history';
  if (/^market\.|^holding\.(?!realized|bought|sold|unmatched|buy_|sell_|spent)/.test(name)) return 'Now';
  return /^(?:holding|lifetime)\./.test(name) ? 'Whole history' : undefined;
}

/** @param {string | undefined} group */
const groupedBy = (group) => (group === undefined ? {} : { group });

/**
 * The columns of a list of profiles: what they are, then the metrics and fields of `names`, then their labels. Of `count` profiles some can't be
 * sorted by.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {readonly ColumnName<Name>[]} names
 * @param {Window<Name>} window
 * @param {{ readonly skip?: readonly string[] | undefined, readonly count?: number | undefined }} [options]
 * @returns {readonly Column<Profile<Name>>[]}
 */
export function profileColumns(kind, names, window, { skip = [], count } = {}) {
  const chosen = names.flatMap((name) => {
    const metric = kind.metrics[name];
    if (metric !== undefined) return [metricColumn(name, kind, window, metric, count)];
    const field = kind.fields[name];
    if (field === undefined) return [];
    /** @type {Column<Profile<Name>>} */
    const column = {
      name,
      title: wordOf(name),
      csv: name.replace(/^.*\./, ''),
      canSort: kind.sortable.has(name) && isWithin(kind, name, count),
      ...groupedBy(groupOf(name)),
      meaning: `${name}: ${field.description}`,
      isText: field.unit === 'text',
      value: (profile) => valueAt(profile, name),
      cell: (profile) =>
        name === FLOOR && lacksUsd('USD', metricsOf(profile, window))
          ? html`<${None} why=${NO_USD} />`
          : html`<${Value} unit=${field.unit} value=${valueAt(profile, name)} meaning=${field.description} name=${name} isBrief=${true} />`,
    };
    return [column];
  });
  /** @type {Column<Profile<Name>>} */
  const labels = {
    name: 'labels',
    title: 'Labels',
    csv: 'labels',
    isText: true,
    isWide: true,
    value: (profile) => profile.labels,
    cell: (profile) => html`<${Labels} kind=${kind.kind} labels=${profile.labels} />`,
  };
  /** @type {{ readonly [Kind in KindName]: readonly Column<Profile<Kind>>[] }} */
  const links = { wallets: [], tokens: [], positions: [positionColumn] };
  return [...leading[kind.kind].filter(({ name }) => !skip.includes(name)), ...chosen, ...links[kind.kind], labels];
}

/**
 * Asks for the sections that the columns show, and no others.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {readonly ColumnName<Name>[]} names
 * @param {Window<Name>} window
 */
export function optionsFor(kind, names, window) {
  /** @type {(section: string) => boolean} */
  const has = (section) => names.some((name) => name.startsWith(`${section}.`));
  const options = {
    include_metadata: true,
    include_labels: true,
    ...(kind.kind === 'tokens' && has('market') ? { include_market: true } : {}),
    ...(kind.kind === 'positions' && has('holding') ? { include_holding: true } : {}),
    ...(kind.kind === 'wallets' && has('lifetime') ? { include_lifetime: true } : {}),
    ...(kind.kind === 'wallets' && has('holding') ? { include_holding: true } : {}),
    ...(kind.kind === 'wallets' && has('identity') ? { include_identity: true } : {}),
    include_metrics: names.some((name) => name in kind.metrics) ? [window] : [],
  };
  return /** @type {Request<`${Name}.search`>['options']} */ (options);
}

/**
 * A value of a filter as it is read: 50 of a percent is "50 %".
 * @param {Kind} kind
 * @param {string} path
 * @param {string} text
 */
export function shownValue(kind, path, text) {
  const metric = kind.metrics[path.replace(/^metrics\.[^.]+\./, '')];
  const unit = metric?.unit ?? kind.fields[path]?.unit;
  const number = Number(text);
  if (unit === 'time' || text.trim() === '' || Number.isNaN(number)) return text;
  return brief(unit === 'count per day' ? 'count' : unit, number);
}
