// @ts-check
/** @import { Answer } from '../../types/page.ts' */
/** @import { ViewProps } from '../app.js' */
import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Candles } from '../parts/candles.js';
import { LabelRules } from '../parts/label-rules.js';
import { Face, Labels, Name, TokenLink, WalletLink } from '../parts/links.js';
import { Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Trades } from '../parts/trades.js';
import { Transfers } from '../parts/transfers.js';

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
      <div class="card">
      <${Fields} kind=${kind} profile=${profile} section="holding" />
      <${Fields} kind=${kind} profile=${profile} section="metadata" />
      </div>
      <${LabelRules} kind=${kind} ids=${ids} profile=${profile} />`}<//>
    <div class="card"><${Candles} token=${token} wallet=${wallet} query=${query} /></div>
    <h2>Trades</h2>
    <${Trades} of=${{ wallet, token }} file=${`trades-${wallet}-${token}`} skip=${['wallet', 'token']} />
    <h2>Transfers</h2>
    <${Transfers} of=${{ wallet, token }} file=${`transfers-${wallet}-${token}`} />
    <h2>All metrics</h2>
    <${Answered} of=${found}>${(/** @type {Answer<'positions.get'>} */ profile) => html`<${MetricsTable} kind=${kind} ids=${ids} profile=${profile} file=${`metrics-${wallet}-${token}`} />`}<//>
    <${Request} operation="positions.get" body=${body} />`;
}
