import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Candles } from '../parts/candles.js';
import { Choice } from '../parts/choices.js';
import { History } from '../parts/history.js';
import { LabelRules } from '../parts/label-rules.js';
import { Address, Labels } from '../parts/links.js';
import { Positions } from '../parts/positions.js';
import { Distribution, Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Trades } from '../parts/trades.js';
import { choose } from '../route.js';

/** One token: its price, who trades it, and who earned by it. */
export function Token({ parts: [token], query }) {
  const kind = server.model.kinds.tokens;
  const positionWindows = server.model.kinds.positions.windows;
  const window = query.get('window') ?? '1d';
  const wallet = query.get('wallet') ?? '';
  const body = { token };
  const found = useAnswer('tokens.get', body);
  return html`
    <${Answered} of=${found}>${(profile) => html`
      <h1 tabindex="-1">${profile.metadata?.symbol ?? 'Token'} <small>${profile.metadata?.name ?? ''}</small></h1>
      <p><${Address} address=${token} /> <${Labels} kind="tokens" labels=${profile.labels} /></p>
      <${Fields} kind=${kind} profile=${profile} section="market" />`}<//>
    <form class="controls" onSubmit=${(event) => {
      event.preventDefault();
      choose({ wallet: new FormData(event.target).get('wallet').trim() });
    }}>
      <label>Marks of the wallet <input name="wallet" value=${wallet} size="44" placeholder="Address" /></label>
      <button>Mark</button>
    </form>
    <${Candles} token=${token} wallet=${wallet} query=${query} />
    <${History} kindName="tokens" id=${body} query=${query} file=${`history-${token}`} />
    <${Answered} of=${found}>${(profile) => html`
      <${LabelRules} kind=${kind} ids=${[token]} profile=${profile} />
      <${Choice} name="window" label="Window" options=${kind.windows} chosen=${window} />
      <${Distribution} kind=${kind} ids=${[token]} profile=${profile} group="wallet_roi_distribution" window=${window} />
      <${MetricsTable} kind=${kind} ids=${[token]} profile=${profile} file=${`metrics-${token}`} />`}<//>
    <${Request} operation="tokens.get" body=${body} />
    <${Positions} title="Top positions" file=${`positions-${token}`} filter=${{ token_address: token }} window=${positionWindows.includes(window) ? window : '1d'} sort="holding.realized_pnl" />
    <${Trades} of=${{ token }} file=${`trades-${token}`} />
    <${Answered} of=${found}>${(profile) => html`<section aria-label="Registry"><h2>Registry</h2><${Fields} kind=${kind} profile=${profile} section="metadata" /></section>`}<//>`;
}
