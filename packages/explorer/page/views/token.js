// @ts-check
/** @import { Answer, FieldEvent, Kind, MoneyUnit, State, WholeProfile, Window } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
/** @import { Tab } from '../parts/tabs.js' */
/** @import { TokenHistories } from '../parts/token-figures.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { when } from '../format.js';
import { useInstant } from '../instant.js';
import { html, useState } from '../lib.js';
import { Best } from '../parts/best.js';
import { Candles } from '../parts/candles.js';
import { Choice, windowOf } from '../parts/choices.js';
import { Distribution } from '../parts/distribution.js';
import { Waiting } from '../parts/figures.js';
import { Head, Watch } from '../parts/head.js';
import { History } from '../parts/history.js';
import { LabelRules } from '../parts/label-rules.js';
import { Launch } from '../parts/launch.js';
import { lacksUsd } from '../parts/number.js';
import { Positions } from '../parts/positions.js';
import { Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Tabs } from '../parts/tabs.js';
import { Changes, Sides, TokenFigures, useTokenWindows } from '../parts/token-figures.js';
import { Trades } from '../parts/trades.js';
import { Transfers } from '../parts/transfers.js';
import { choose, href } from '../route.js';

/**
 * One token: what it costs, who trades it, and who earned by it.
 * @param {ViewProps} props
 */
export function Token({ parts: [token = ''], query }) {
  const kind = server.model.kinds.tokens;
  const window = windowOf(kind, query, '1d');
  const body = { token };
  const found = useAnswer('tokens.get', body);
  const instant = useInstant('tokens', body, window, found.answer);
  const history = useTokenWindows(token, window, instant, found.answer);
  return html`
    <${Answered} of=${found} waiting=${html`<h1 tabindex="-1" class="unseen">Token</h1><${Waiting} />`}>${(
      /** @type {Answer<'tokens.get'>} */ profile,
    ) =>
      html`<${Found} kind=${kind} profile=${profile} token=${profile.token_address} window=${window} query=${query} instant=${instant} history=${history} />`}<//>
    ${found.error !== undefined && found.answer === undefined && html`<h1 tabindex="-1">No such token</h1><p><a href=${href(['tokens'])}>Tokens that are known</a></p>`}
    <${Request} operation="tokens.get" body=${body} />`;
}

/**
 * @typedef {object} Part
 * @property {Kind<'tokens'>} kind
 * @property {WholeProfile<'tokens'>} profile
 * @property {string} token
 * @property {Window<'tokens'>} window
 * @property {URLSearchParams} query
 * @property {number | undefined} instant
 */
/** @typedef {{ readonly window: Window<'positions'>, readonly unit: MoneyUnit, readonly isLacking: boolean }} Shown */

/** @param {Part & { history: TokenHistories }} props */
function Found({ kind, profile, token, window, query, instant, history }) {
  const { symbol, name, last_trade_at: lastTrade, created_at: created } = profile.metadata ?? {};
  const wallet = query.get('wallet') ?? '';
  const metrics = profile.metrics[window];
  // Positions have windows of days alone.
  const positionWindow = server.model.kinds.positions.windows.find((one) => one === window) ?? '1d';
  /** @type {Shown} */
  const shown = { window: positionWindow, unit: 'usd', isLacking: lacksUsd('USD', metrics) };
  return html`
    <${Head} kind="token" address=${token} name=${symbol} more=${name} labels=${profile.labels} lastTrade=${lastTrade} instant=${instant} beside=${created && `created ${when(created)}`} />
    <div class="row controls">
      <${Choice} name="window" label="Window" options=${kind.windows} chosen=${window} />
      <${Watch} kind="token" address=${token} name=${symbol} />
      <${Changes} history=${history} />
    </div>
    <${TokenFigures} token=${token} profile=${profile} window=${window} history=${history} />
    <div class="grid two">
      <div class="card">
        <${Candles} token=${token} wallet=${wallet} query=${query} />
        <${Marks} wallet=${wallet} />
      </div>
      <div class="card">
        <${Sides} metrics=${metrics} />
        <${Distribution} kind=${kind} ids=${[token]} profile=${profile} group="wallet_roi_distribution" window=${window} noun="wallets" />
      </div>
    </div>
    <${Best} key=${window} filter=${{ token_address: token }} subject="wallet" ...${shown} />
    <${Tabs} label="Parts of the token" query=${query} tabs=${tabsOf({ kind, profile, token, window, query, instant, shown })} />`;
}

/**
 * Whose trades are marked on the candles.
 * @param {{ wallet: string }} props
 */
function Marks({ wallet }) {
  /** @type {State<string | undefined>} */
  const [draft, setDraft] = useState();
  /** @param {Event} event */
  const mark = (event) => {
    event.preventDefault();
    setDraft(undefined);
    choose({ wallet: draft === undefined ? wallet : draft.trim() });
  };
  return html`<form class="row controls" onSubmit=${mark}>
    <label class="grow">Marks of the wallet <input name="wallet" value=${draft ?? wallet} placeholder="Address" onInput=${(/** @type {FieldEvent} */ event) => setDraft(event.target.value)} /></label>
    <button>Mark</button>
  </form>`;
}

/**
 * @param {Part & { shown: Shown }} props
 * @returns {readonly [Tab, ...Tab[]]}
 */
function tabsOf({ kind, profile, token, window, query, instant, shown }) {
  const labels = profile.labels?.length ?? 0;
  const sort = shown.isLacking ? 'holding.realized_pnl_native' : 'holding.realized_pnl';
  return [
    ['trades', 'Recent trades', () => html`<${Trades} of=${{ token }} file=${`trades-${token}`} skip=${['token']} />`],
    ['transfers', 'Transfers', () => html`<${Transfers} of=${{ token }} file=${`transfers-${token}`} />`],
    [
      'traders',
      'Top traders',
      () =>
        html`<${Positions} title="Top traders" file=${`positions-${token}`} filter=${{ token_address: token }} window=${shown.window} unit=${shown.isLacking ? 'native' : 'usd'} sort=${sort} skip=${['token']} isLaunch=${true} />`,
    ],
    ['launch', 'Launch', () => html`<${Launch} token=${token} />`],
    [
      'history',
      'Holders and volume',
      () =>
        html`<${History} kindName="tokens" id=${{ token }} query=${query} file=${`history-${token}`} window=${window} instant=${instant} />`,
    ],
    [
      'metrics',
      'All metrics',
      () => html`<${MetricsTable} kind=${kind} ids=${[token]} profile=${profile} file=${`metrics-${token}`} />`,
    ],
    ...(labels === 0
      ? []
      : [
          /** @type {Tab} */ ([
            'labels',
            `Labels ${labels}`,
            () => html`<${LabelRules} kind=${kind} ids=${[token]} profile=${profile} />`,
          ]),
        ]),
    [
      'registry',
      'Registry',
      () =>
        html`<${Fields} kind=${kind} profile=${profile} section="market" /><${Fields} kind=${kind} profile=${profile} section="metadata" />`,
    ],
  ];
}
