import { useAnswer } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { Choice } from '../parts/choices.js';
import { History } from '../parts/history.js';
import { LabelRules } from '../parts/label-rules.js';
import { Address, Labels, TokenLink } from '../parts/links.js';
import { Value } from '../parts/number.js';
import { Positions } from '../parts/positions.js';
import { Distribution, Fields, MetricsTable } from '../parts/profile.js';
import { Answered, Request } from '../parts/request.js';
import { Table } from '../parts/table.js';
import { Trades } from '../parts/trades.js';

/** One wallet: who it is, what it earned, holds and did. */
export function Wallet({ parts: [wallet], query }) {
  const kind = server.model.kinds.wallets;
  const window = kind.windows.includes(query.get('window')) ? query.get('window') : '30d';
  const body = { wallet };
  const found = useAnswer('wallets.get', body);
  const states = { open: 'Open positions', closed: 'Closed positions' };
  return html`
    <${Answered} of=${found}>${(profile) => html`
      <h1 tabindex="-1">${profile.identity?.name ?? 'Wallet'}</h1>
      <p><${Address} address=${wallet} /> <${Labels} kind="wallets" labels=${profile.labels} /></p>
      <${Fields} kind=${kind} profile=${profile} section="metadata" />
      <${History} kindName="wallets" id=${body} query=${query} file=${`history-${wallet}`} />
      <${LabelRules} kind=${kind} ids=${[wallet]} profile=${profile} />
      <${Choice} name="window" label="Window" options=${kind.windows} chosen=${window} />
      <${Distribution} kind=${kind} ids=${[wallet]} profile=${profile} group="token_roi_distribution" window=${window} />
      <${MetricsTable} kind=${kind} ids=${[wallet]} profile=${profile} file=${`metrics-${wallet}`} />`}<//>
    <${Request} operation="wallets.get" body=${body} />
    ${Object.entries(states).map(
      ([state, title]) =>
        html`<${Positions} key=${state} title=${title} file=${`${state}-${wallet}`} window=${window} filter=${{ wallet_address: wallet, 'metadata.state': state }} sort=${state === 'open' ? 'holding.value' : 'holding.realized_pnl'} />`,
    )}
    <${Portfolio} wallet=${wallet} />
    <${Trades} of=${{ wallet }} file=${`trades-${wallet}`} />`;
}

const holdings = [
  ['token', 'text'],
  ['balance', 'amount'],
  ['price', 'USD per token'],
  ['value', 'USD'],
  ['cost_basis', 'USD'],
  ['unrealized_pnl', 'USD'],
];

function Portfolio({ wallet }) {
  const body = { wallet };
  const found = useAnswer('portfolios.get', body);
  const { properties } = server.model.schemas.PortfolioToken;
  const columns = holdings.map(([name, unit]) => ({
    name,
    title: name.replaceAll('_', ' '),
    isText: unit === 'text',
    meaning: properties[name].description,
    value: (token) => token[name],
    cell: (token) =>
      name === 'token'
        ? html`<${TokenLink} address=${token.token} symbol=${token.symbol} />`
        : html`<${Value} unit=${unit} value=${token[name]} meaning=${properties[name].description} />`,
  }));
  return html`<section aria-label="Portfolio">
    <h2>Portfolio</h2>
    <${Answered} of=${found}>${({ value, tokens }) => html`
      <p>Worth <${Value} unit="USD" value=${value} /> in tokens with a known price.</p>
      <${Table} caption="Tokens held" file=${`portfolio-${wallet}`} columns=${columns} rows=${tokens} empty="It holds nothing." />`}<//>
    <${Request} operation="portfolios.get" body=${body} />
  </section>`;
}
