import { html } from '../lib.js';
import { valueAt } from '../model.js';
import { Labels, PositionLink, TokenLink, WalletLink } from './links.js';
import { Metric, Value } from './number.js';

/** What tells profiles of a kind apart, in addresses and in requests of single ones. */
export const idsOf = {
  wallets: (profile) => [profile.wallet_address],
  tokens: (profile) => [profile.token_address],
  positions: (profile) => [profile.wallet_address, profile.token_address],
};

export const defaultColumns = {
  wallets: ['pnl', 'roi', 'winrate', 'trade_count', 'volume', 'max_drawdown', 'metadata.last_trade_at'],
  tokens: ['market.price', 'market.market_cap', 'market.liquidity', 'volume', 'trade_count', 'makers_count', 'pnl'],
  positions: [
    'metadata.state',
    'pnl',
    'roi',
    'volume',
    'holding.realized_pnl',
    'holding.unrealized_pnl',
    'holding.value',
  ],
};

const leading = {
  wallets: [
    {
      name: 'wallet',
      isText: true,
      value: (profile) => profile.wallet_address,
      cell: (profile) => html`<${WalletLink} address=${profile.wallet_address} name=${profile.metadata?.name} />`,
    },
  ],
  tokens: [
    {
      name: 'token',
      isText: true,
      value: (profile) => profile.token_address,
      cell: (profile) => html`<${TokenLink} address=${profile.token_address} symbol=${profile.metadata?.symbol} />`,
    },
  ],
  positions: [
    {
      name: 'wallet',
      isText: true,
      value: (profile) => profile.wallet_address,
      cell: (profile) => html`<${WalletLink} address=${profile.wallet_address} />`,
    },
    {
      name: 'token',
      isText: true,
      value: (profile) => profile.token_address,
      cell: (profile) => html`<${TokenLink} address=${profile.token_address} symbol=${profile.metadata?.symbol} />`,
    },
    {
      name: 'position',
      isText: true,
      value: (profile) => profile.position_address,
      cell: (profile) =>
        html`<${PositionLink} wallet=${profile.wallet_address} token=${profile.token_address} text="look" />`,
    },
  ],
};

/** Where the sort of a search finds a column: a metric in the window that is shown. */
export const pathOf = (name, kind, window) => (name in kind.metrics ? `metrics.${window}.${name}` : name);

/** The columns of a list of profiles: what they are, then the metrics and fields of `names`, then their labels. */
export function profileColumns(kind, names, window) {
  const chosen = names.flatMap((name) => {
    const path = pathOf(name, kind, window);
    const canSort = kind.sortable.has(path);
    const metric = kind.metrics[name];
    if (metric !== undefined)
      return {
        name,
        title: `${name} ${window}`,
        canSort,
        meaning: metric.description,
        value: (profile) => valueAt(profile, path),
        cell: (profile) =>
          html`<${Metric} kind=${kind.kind} ids=${idsOf[kind.kind](profile)} name=${name} window=${window} value=${valueAt(profile, path)} metric=${metric} />`,
      };
    const field = kind.fields[name];
    if (field === undefined) return [];
    return {
      name,
      title: name.split('.').pop(),
      canSort,
      meaning: field.description,
      isText: field.unit === 'text',
      value: (profile) => valueAt(profile, name),
      cell: (profile) =>
        html`<${Value} unit=${field.unit} value=${valueAt(profile, name)} meaning=${field.description} />`,
    };
  });
  const labels = {
    name: 'labels',
    isText: true,
    value: (profile) => profile.labels,
    cell: (profile) => html`<${Labels} kind=${kind.kind} labels=${profile.labels} />`,
  };
  return [...leading[kind.kind], ...chosen, labels];
}

/** Asks for the sections that the columns show, and no others. */
export function optionsFor(kind, names, window) {
  const has = (section) => names.some((name) => name.startsWith(`${section}.`));
  return {
    include_metadata: true,
    include_labels: true,
    ...(kind.kind === 'tokens' && has('market') ? { include_market: true } : {}),
    ...(kind.kind === 'positions' && has('holding') ? { include_holding: true } : {}),
    ...(kind.kind === 'wallets' && has('identity') ? { include_identity: true } : {}),
    include_metrics: names.some((name) => name in kind.metrics) ? [window] : [],
  };
}
