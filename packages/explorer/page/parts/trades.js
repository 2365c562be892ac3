// @ts-check
/** @import { Column, NumbersOf } from '../../types/page.ts' */
/** @import { ExplainedTrade, Operations, Trade } from '@swapfold/client' */
import { usePages } from '../answers.js';
import { server } from '../api.js';
import { zone } from '../format.js';
import { html } from '../lib.js';
import { wordOf } from '../words.js';
import { More } from './choices.js';
import { TokenLink, Transaction, WalletLink } from './links.js';
import { None, Value } from './number.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

/** @typedef {Column<ExplainedTrade> & { readonly name: keyof Trade | 'part' }} TradeColumn */

/**
 * A column of trades: a field as the reference describes it.
 * @param {keyof Trade} name
 * @param {Partial<TradeColumn>} [extra]
 * @returns {TradeColumn}
 */
function field(name, extra = {}) {
  const { unit, description } = server.model.tradeFields[name];
  return {
    name,
    title: wordOf(name),
    csv: name,
    meaning: `${name}: ${description}`,
    isText: unit === 'text' || unit === 'time',
    value: (trade) => trade[name],
    cell: (trade) => html`<${Value} unit=${unit} value=${trade[name]} meaning=${description} name=${name} />`,
    ...extra,
  };
}

const NO_VALUE = 'Nothing says what this trade was worth in USD.';
const NO_RESULT = 'Only a sell of what was bought in the data has a result, if both have a value in USD.';

/**
 * A value in USD; without one a dash, and what it is in the native token beside it.
 * @param {Trade} trade
 * @param {NumbersOf<Trade>} name
 * @param {NumbersOf<Trade>} native
 * @param {string} why
 */
function inUsd(trade, name, native, why) {
  const value = trade[name];
  if (value !== null) return html`<${Value} unit="USD" value=${value} name=${name} />`;
  const beside =
    trade[native] === null ? undefined : html`<${Value} unit="native" value=${trade[native]} name=${native} />`;
  return html`<${None} why=${why} beside=${beside} />`;
}

/**
 * The columns of a list of trades; `part` is what each adds to a metric, in its unit.
 * @param {{ readonly hasPart?: boolean, readonly unit?: string | undefined }} [options]
 * @returns {readonly TradeColumn[]}
 */
export function tradeColumns({ hasPart = false, unit = 'USD' } = {}) {
  return [
    field('block_time', { title: `Time, ${zone()}` }),
    field('direction', {
      title: 'Side',
      cell: ({ direction }) => html`<span class=${direction === 'buy' ? 'up' : 'down'}>${direction}</span>`,
    }),
    field('token', {
      title: 'Token',
      cell: (trade) => html`<${TokenLink} address=${trade.token} symbol=${trade.token_symbol} />`,
    }),
    field('wallet', { title: 'Wallet', cell: (trade) => html`<${WalletLink} address=${trade.wallet} />` }),
    field('token_amount', { title: 'Amount' }),
    field('token_price', { title: 'Price' }),
    field('usd_amount', { title: 'Value', cell: (trade) => inUsd(trade, 'usd_amount', 'native_amount', NO_VALUE) }),
    field('realized_pnl_usd', {
      title: 'Profit',
      cell: (trade) => inUsd(trade, 'realized_pnl_usd', 'realized_pnl_native', NO_RESULT),
    }),
    field('realized_roi', { title: 'Return' }),
    ...(hasPart
      ? [
          /** @type {TradeColumn} */ ({
            name: 'part',
            title: 'Adds',
            csv: 'adds',
            value: (trade) => trade.part,
            cell: (trade) =>
              html`<${Value} unit=${unit} value=${trade.part} meaning="The metric is no sum, or the trade is not in it." />`,
          }),
        ]
      : []),
    field('position_state', { title: 'Position' }),
    field('tx_hash', { title: 'Transaction', cell: ({ tx_hash: hash }) => html`<${Transaction} hash=${hash} />` }),
  ];
}

/**
 * Trades of a wallet, a token or both, the newest first; `skip` is what all of them share.
 * @param {object} props
 * @param {Operations['trades.list']['request']} props.of
 * @param {string} props.file
 * @param {readonly TradeColumn['name'][]} [props.skip]
 */
export function Trades({ of, file, skip = [] }) {
  const body = { ...of, limit: 25 };
  const pages = usePages('trades.list', body);
  const columns = tradeColumns().filter(({ name }) => !skip.includes(name));
  return html`<section aria-label="Trades">
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption="Trades, the newest first" file=${file} columns=${columns} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'No trades yet. They appear here as they are stored.' : ''} />
    <${More} pages=${pages} noun="trades" />
    <${Request} operation="trades.list" body=${body} />
  </section>`;
}
