import { usePages } from '../answers.js';
import { server } from '../api.js';
import { html } from '../lib.js';
import { More } from './choices.js';
import { TokenLink, WalletLink } from './links.js';
import { Value } from './number.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

/** A column of trades: a field as the reference describes it. */
function field(name, extra = {}) {
  const { unit, description } = server.model.tradeFields[name];
  return {
    name,
    title: name.replaceAll('_', ' '),
    meaning: description,
    isText: unit === 'text' || unit === 'time',
    value: (trade) => trade[name],
    cell: (trade) => html`<${Value} unit=${unit} value=${trade[name]} meaning=${description} />`,
    ...extra,
  };
}

/** The columns of a list of trades; `part` is what each adds to a metric. */
export function tradeColumns({ hasPart = false, unit = 'USD' } = {}) {
  return [
    field('block_time', { title: 'time' }),
    field('direction', { cell: ({ direction }) => html`<span class=${direction}>${direction}</span>` }),
    field('token', { cell: (trade) => html`<${TokenLink} address=${trade.token} symbol=${trade.token_symbol} />` }),
    field('wallet', { cell: (trade) => html`<${WalletLink} address=${trade.wallet} />` }),
    field('token_amount'),
    field('token_price'),
    field('usd_amount'),
    field('realized_pnl_usd', { title: 'realized pnl' }),
    field('realized_roi'),
    ...(hasPart
      ? [
          {
            name: 'part',
            title: 'adds',
            value: (trade) => trade.part,
            cell: (trade) =>
              html`<${Value} unit=${unit} value=${trade.part} meaning="The metric is no sum, or the trade is not in it." />`,
          },
        ]
      : []),
    field('position_state', { title: 'position' }),
    field('tx_hash', {
      title: 'transaction',
      cell: ({ tx_hash: hash }) => html`<code title=${hash}>${hash.slice(0, 8)}…</code>`,
    }),
  ];
}

/** Trades of a wallet, a token or both, the newest first. */
export function Trades({ of, file }) {
  const body = { ...of, limit: 25 };
  const pages = usePages('trades.list', body);
  return html`<section aria-label="Trades">
    <h2>Trades</h2>
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption="Trades, the newest first" file=${file} columns=${tradeColumns()} rows=${pages.rows} isLoading=${pages.isLoading} empty="No trades." />
    <${More} pages=${pages} noun="trades" />
    <${Request} operation="trades.list" body=${body} />
  </section>`;
}
