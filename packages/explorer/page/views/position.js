import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Candles } from '../parts/candles.js';
import { LabelRules } from '../parts/label-rules.js';
import { Labels, TokenLink, WalletLink } from '../parts/links.js';
import { Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Trades } from '../parts/trades.js';

/** What one wallet holds of one token and has made of it. */
export function Position({ parts: [wallet, token], query }) {
  const kind = server.model.kinds.positions;
  const body = { wallet, token, options: everything(kind) };
  const found = useAnswer('positions.get', body);
  const ids = [wallet, token];
  return html`
    <${Answered} of=${found}>${(profile) => html`
      <h1 tabindex="-1">Position in ${profile.metadata?.symbol ?? 'a token'}</h1>
      <p>
        <${WalletLink} address=${wallet} /> in <${TokenLink} address=${token} symbol=${profile.metadata?.symbol} />
        <${Labels} kind="positions" labels=${profile.labels} />
      </p>
      <${Fields} kind=${kind} profile=${profile} section="holding" />
      <${Fields} kind=${kind} profile=${profile} section="metadata" />
      <${LabelRules} kind=${kind} ids=${ids} profile=${profile} />`}<//>
    <${Candles} token=${token} wallet=${wallet} query=${query} />
    <${Trades} of=${{ wallet, token }} file=${`trades-${wallet}-${token}`} />
    <${Answered} of=${found}>${(profile) => html`<${MetricsTable} kind=${kind} ids=${ids} profile=${profile} file=${`metrics-${wallet}-${token}`} />`}<//>
    <${Request} operation="positions.get" body=${body} />`;
}

/** Metrics that are not stored are computed for whoever names their windows. */
const everything = (kind) => ({
  include_metadata: true,
  include_holding: true,
  include_labels: true,
  include_metrics: kind.windows,
});
