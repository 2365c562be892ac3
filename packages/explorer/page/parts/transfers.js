// @ts-check
/** @import { Column } from '../../types/page.ts' */
/** @import { Operations, Transfer } from '@swapfold/client' */
import { usePages } from '../answers.js';
import { zone } from '../format.js';
import { html } from '../lib.js';
import { More } from './choices.js';
import { TokenLink, Transaction, WalletLink } from './links.js';
import { None, Value } from './number.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

/** @typedef {Operations['transfers.list']['request']} Of */

/** @type {(address: string | null, why: string) => unknown} */
const party = (address, why) =>
  address === null ? html`<${None} why=${why} />` : html`<${WalletLink} address=${address} />`;

/**
 * A column of transfers: a field, as text unless `extra` says otherwise.
 * @param {keyof Transfer} name
 * @param {string} title
 * @param {Partial<Column<Transfer>>} [extra]
 * @returns {Column<Transfer>}
 */
const field = (name, title, extra = {}) => ({
  name,
  title,
  csv: name,
  isText: true,
  value: (transfer) => transfer[name],
  ...extra,
});

/**
 * The columns of a list of transfers; of those of a wallet, whether each came to it or left it.
 * @param {Of} of
 * @returns {readonly Column<Transfer>[]}
 */
function columnsOf({ wallet, token }) {
  const isIn = (/** @type {Transfer} */ { to }) => to?.toLowerCase() === wallet?.toLowerCase();
  return [
    field('block_time', `Time, ${zone()}`, {
      cell: ({ block_time: time }) => html`<${Value} unit="time" value=${time} />`,
    }),
    ...(wallet === undefined
      ? []
      : [
          field('transfer_index', 'Way', {
            csv: 'way',
            meaning: 'What came to the wallet, and what left it, without a swap.',
            value: (transfer) => (isIn(transfer) ? 'in' : 'out'),
          }),
        ]),
    ...(token === undefined
      ? [
          field('token', 'Token', {
            cell: ({ token: address, token_symbol: symbol }) =>
              html`<${TokenLink} address=${address} symbol=${symbol} />`,
          }),
        ]
      : []),
    field('token_amount', 'Amount', {
      isText: false,
      cell: ({ token_amount: amount }) => html`<${Value} unit="amount" value=${amount} />`,
    }),
    field('from', 'From', { cell: ({ from }) => party(from, 'The tokens were minted.') }),
    field('to', 'To', { cell: ({ to }) => party(to, 'The tokens were burnt.') }),
    field('cost_usd', 'Cost', {
      isText: false,
      meaning: 'What the tokens cost who received them. Without it they arrive at a cost that is not known.',
      cell: ({ cost_usd: cost }) => html`<${Value} unit="USD" value=${cost} />`,
    }),
    field('kind', 'Kind'),
    field('tx_hash', 'Transaction', { cell: ({ tx_hash: hash }) => html`<${Transaction} hash=${hash} />` }),
  ];
}

/**
 * Transfers of a wallet, a token or both, the newest first.
 * @param {{ of: Of, file: string }} props
 */
export function Transfers({ of, file }) {
  const body = { ...of, limit: 25 };
  const pages = usePages('transfers.list', body);
  return html`<section aria-label="Transfers">
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption="Transfers, the newest first" file=${file} columns=${columnsOf(of)} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'The store has no transfers here. They tell what came and left without a swap.' : ''} />
    <${More} pages=${pages} noun="transfers" />
    <${Request} operation="transfers.list" body=${body} />
  </section>`;
}
