// @ts-check
/** @import { Answer, WholeProfile } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Candles } from '../parts/candles.js';
import { Flow } from '../parts/flow.js';
import { LabelRules } from '../parts/label-rules.js';
import { Face, Labels, Name, TokenLink, WalletLink } from '../parts/links.js';
import { Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Trades } from '../parts/trades.js';
import { Transfers } from '../parts/transfers.js';

/** Fields that the sums above them have already. */
const summed = ['bought_usd', 'sold_usd', 'realized_pnl', 'unmatched_proceeds'];

/** @param {string} name */
const isOfHistory = (name) => /realized_(pnl|roi)|_count$|^spent_/.test(name) && !name.startsWith('un');

/** @param {string} name */
const isHistory = (name) => isOfHistory(name) && !summed.includes(name);

/** @param {string} name */
const isNow = (name) => !isOfHistory(name) && !summed.includes(name);

/** @param {Pick<WholeProfile<'positions'>, 'holding'>} profile */
const flowOf = ({ holding }) => ({
  bought: holding.bought_usd,
  sold: holding.sold_usd,
  realised: holding.realized_pnl,
  unmatched: holding.unmatched_proceeds,
});

/**
 * What one wallet holds of one token and has made of it.
 * @param {ViewProps} props
 */
export function Position({ parts: [wallet = '', token = ''], query }) {
  const kind = server.model.kinds.positions;
  // Metrics that are not stored are computed for whoever names their windows.
  const options = {
    include_metadata: true,
    include_holding: true,
    include_labels: true,
    include_launch: true,
    include_metrics: kind.windows,
  };
  const body = { wallet, token, options };
  const found = useAnswer('positions.get', body);
  const ids = [wallet, token];
  return html`
    <${Answered} of=${found}>${(/** @type {Answer<'positions.get'>} */ profile) => html`
      <div class="row head"><${Face} address=${token} kind="token" /><div>
        <h1 tabindex="-1">Position in <${Name} name=${profile.metadata?.symbol} address=${token} /></h1>
        <p class="dim"><${WalletLink} address=${wallet} /> in <${TokenLink} address=${token} symbol=${profile.metadata?.symbol} /></p>
      </div><div class="chips"><${Labels} kind="positions" labels=${profile.labels} /></div></div>
      <div class="grid two">
        <section class="card" aria-label="Whole history">
          <h2 class="title">Whole history</h2>
          <${Flow} flow=${flowOf(/** @type {WholeProfile<'positions'>} */ (profile))} when="in the whole history" />
          <${Fields} kind=${kind} profile=${profile} section="holding" isShown=${isHistory} />
        </section>
        <section class="card" aria-label="Held now">
          <h2 class="title">Held now</h2>
          <${Fields} kind=${kind} profile=${profile} section="holding" isShown=${isNow} />
        </section>
      </div>
      <section class="card" aria-label="When">
        <h2 class="title">When</h2>
        <${Fields} kind=${kind} profile=${profile} section="metadata" />
      </section>
      <${LabelRules} kind=${kind} ids=${ids} profile=${profile} />`}<//>
    <div class="card"><${Candles} token=${token} wallet=${wallet} query=${query} /></div>
    <h2>Trades</h2>
    <${Trades} of=${{ wallet, token }} file=${`trades-${wallet}-${token}`} skip=${['wallet', 'token']} />
    <h2>Transfers</h2>
    <${Transfers} of=${{ wallet, token }} file=${`transfers-${wallet}-${token}`} />
    <h2>Metrics by window</h2>
    <${Answered} of=${found}>${(/** @type {Answer<'positions.get'>} */ profile) => html`<${MetricsTable} kind=${kind} ids=${ids} profile=${profile} file=${`metrics-${wallet}-${token}`} />`}<//>
    <${Request} operation="positions.get" body=${body} />`;
}
