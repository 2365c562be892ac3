// @ts-check
/** @import { Answer, Asked, Kind, MoneyUnit, WholeProfile, Window } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
/** @import { Tab } from '../parts/tabs.js' */
/** @import { WalletHistories } from '../parts/wallet-figures.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { brief } from '../format.js';
import { useInstant, windowWords } from '../instant.js';
import { html } from '../lib.js';
import { Best } from '../parts/best.js';
import { Calendar, daysOf } from '../parts/calendar.js';
import { Choice, UnitChoice, unitOf, windowOf } from '../parts/choices.js';
import { Copy } from '../parts/copy.js';
import { Distribution } from '../parts/distribution.js';
import { Waiting } from '../parts/figures.js';
import { Flow } from '../parts/flow.js';
import { CompareLink, Head, Watch } from '../parts/head.js';
import { History } from '../parts/history.js';
import { LabelRules } from '../parts/label-rules.js';
import { lacksUsd } from '../parts/number.js';
import { Portfolio } from '../parts/portfolio.js';
import { Positions } from '../parts/positions.js';
import { Fields, MetricsTable } from '../parts/profile.js';
import { Record, RecordFields } from '../parts/record.js';
import { Answered, Request } from '../parts/request.js';
import { Tabs } from '../parts/tabs.js';
import { Trades } from '../parts/trades.js';
import { Transfers } from '../parts/transfers.js';
import { useWindows, WalletFigures } from '../parts/wallet-figures.js';
import { href } from '../route.js';

/**
 * One wallet: who it is, what it made in a window, day by day and by its tokens, and then all that it did.
 * @param {ViewProps} props
 */
export function Wallet({ parts: [wallet = ''], query }) {
  const kind = server.model.kinds.wallets;
  const window = windowOf(kind, query, '30d');
  const body = { wallet };
  const found = useAnswer('wallets.get', body);
  // Beside the rest, which does not wait for it: it takes the wallet's positions and trades.
  const record = useAnswer('wallets.get', { wallet, options: { include_lifetime: true, include_holding: true } });
  const instant = useInstant('wallets', body, window, found.answer);
  const history = useWindows(wallet, window, instant, found.answer);
  return html`
    <${Answered} of=${found} waiting=${html`<h1 tabindex="-1" class="unseen">Wallet</h1><${Waiting} />`}>${(
      /** @type {Answer<'wallets.get'>} */ profile,
    ) =>
      html`<${Found} kind=${kind} profile=${profile} record=${record} wallet=${profile.wallet_address} window=${window} query=${query} instant=${instant} history=${history} />`}<//>
    ${found.error !== undefined && found.answer === undefined && html`<h1 tabindex="-1">No such wallet</h1><p><a href=${href(['wallets'])}>Wallets that are known</a></p>`}
    <${Request} operation="wallets.get" body=${body} />`;
}

/**
 * @typedef {object} Part
 * @property {Kind<'wallets'>} kind
 * @property {WholeProfile<'wallets'>} profile
 * @property {Asked<'wallets.get'>} record
 * @property {string} wallet
 * @property {URLSearchParams} query
 */
/** @typedef {{ readonly window: Window<'wallets'>, readonly unit: MoneyUnit, readonly isLacking: boolean }} Shown */

/** @param {WholeProfile<'wallets'>['metrics'][Window<'wallets'>]} metrics */
const flowOf = (metrics) => ({
  bought: metrics.buy_volume,
  sold: metrics.sell_volume,
  realised: metrics.pnl,
  unmatched: metrics.unmatched_proceeds,
});

/** @param {Part & { window: Window<'wallets'>, instant: number | undefined, history: WalletHistories }} props */
function Found({ kind, profile, record, wallet, window, query, instant, history }) {
  const metrics = profile.metrics[window];
  const isLacking = lacksUsd('USD', metrics);
  const name = profile.identity?.name ?? profile.metadata?.name;
  const unit = unitOf(query);
  const shown = { window, unit, isLacking };
  const worth = useAnswer('portfolios.get', { wallet }).answer;
  const unvalued = metrics.unvalued_trade_count;
  const note = unvalued > 0 && `${brief('count', unvalued)} trades of the window have no value in USD and stay out.`;
  return html`
    <${Head} kind="wallet" address=${wallet} name=${name} labels=${profile.labels} lastTrade=${profile.metadata?.last_trade_at} instant=${instant} beside=${worth && `worth ${brief('USD', worth.value)} now`} />
    <div class="row controls">
      <${Choice} name="window" label="Window" options=${kind.windows} chosen=${window} />
      <${UnitChoice} query=${query} />
      <${CompareLink} address=${wallet} />
      <${Watch} kind="wallet" address=${wallet} name=${name} />
    </div>
    <${WalletFigures} wallet=${wallet} metrics=${metrics} unit=${unit} window=${window} history=${history} />
    <${Answered} of=${record}>${(/** @type {Answer<'wallets.get'>} */ of) => html`<${Record} wallet=${wallet} profile=${of} />`}<//>
    ${!isLacking && html`<div class="card flow-card"><h2 class="title">Bought and sold, last ${windowWords(window)}</h2><${Flow} flow=${flowOf(metrics)} when=${`in the last ${windowWords(window)}`} /></div>`}
    <div class="grid two">
      <div class="card">
        <${History} kindName="wallets" id=${{ wallet }} query=${query} file=${`history-${wallet}`} window=${window} instant=${instant} unit=${isLacking ? 'native' : unit} note=${note} />
      </div>
      <div class="card">
        <${Calendar} wallet=${wallet} instant=${instant} version=${profile.synced_at} unit=${unit} isLacking=${isLacking} />
        <${Distribution} kind=${kind} ids=${[wallet]} profile=${profile} group="token_roi_distribution" window=${window} noun="tokens" />
        <${Request} operation="wallets.history" body=${daysOf(wallet, instant)} />
      </div>
    </div>
    <${Best} key=${window} filter=${{ wallet_address: wallet }} subject="token" ...${shown} />
    <${Tabs} label="Parts of the wallet" query=${query} tabs=${tabsOf({ kind, profile, record, wallet, query, shown, instant })} />`;
}

/**
 * @param {Part & { shown: Shown, instant: number | undefined }} props
 * @returns {readonly [Tab, ...Tab[]]}
 */
function tabsOf({ kind, profile, record, wallet, query, shown, instant }) {
  const labels = profile.labels?.length ?? 0;
  return [
    ['positions', 'Positions', () => html`<${States} wallet=${wallet} query=${query} shown=${shown} />`],
    ['trades', 'Trades', () => html`<${Trades} of=${{ wallet }} file=${`trades-${wallet}`} skip=${['wallet']} />`],
    ['transfers', 'Transfers', () => html`<${Transfers} of=${{ wallet }} file=${`transfers-${wallet}`} />`],
    ['portfolio', 'Portfolio', () => html`<${Portfolio} wallet=${wallet} />`],
    [
      'record',
      'Record',
      () =>
        html`<${Answered} of=${record}>${(/** @type {Answer<'wallets.get'>} */ of) => html`<${RecordFields} kind=${kind} profile=${of} />`}<//>`,
    ],
    ['copy', 'Copy', () => html`<${Copy} wallet=${wallet} query=${query} instant=${instant} />`],
    [
      'metrics',
      'All metrics',
      () => html`<${MetricsTable} kind=${kind} ids=${[wallet]} profile=${profile} file=${`metrics-${wallet}`} />`,
    ],
    ...(labels === 0
      ? []
      : [
          /** @type {Tab} */ ([
            'labels',
            `Labels ${labels}`,
            () => html`<${LabelRules} kind=${kind} ids=${[wallet]} profile=${profile} />`,
          ]),
        ]),
    ['registry', 'Registry', () => html`<${Fields} kind=${kind} profile=${profile} section="metadata" />`],
  ];
}

/** @type {readonly (readonly [name: string, text: string])[]} */
const states = [
  ['all', 'All'],
  ['open', 'Open'],
  ['closed', 'Closed'],
];

/** @param {{ wallet: string, query: URLSearchParams, shown: Shown }} props */
function States({ wallet, query, shown: { window, unit, isLacking } }) {
  const [state] = states.find(([name]) => name === query.get('state')) ?? ['all'];
  const filter = { wallet_address: wallet, ...(state === 'all' ? {} : { 'metadata.state': state }) };
  const isNative = unit === 'native' || isLacking;
  const sort =
    state === 'open' && !isNative ? 'holding.value' : isNative ? 'holding.realized_pnl_native' : 'holding.realized_pnl';
  return html`
    <${Choice} name="state" label="State of the positions" options=${states} chosen=${state} />
    <${Positions} key=${state} title="Positions" file=${`positions-${state}-${wallet}`} window=${window} unit=${isNative ? 'native' : unit} filter=${filter} sort=${sort} skip=${['wallet']} />`;
}
