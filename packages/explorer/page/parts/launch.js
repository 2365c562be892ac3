// @ts-check
/** @import { Answer, Column, RowOf } from '../../types/page.ts' */
import { usePages } from '../answers.js';
import { html } from '../lib.js';
import { More } from './choices.js';
import { WalletLink } from './links.js';
import { None, Value } from './number.js';
import { Failure, Request } from './request.js';
import { Table } from './table.js';

/** @typedef {RowOf<'tokens.buyers'>} Buyer */
/** @typedef {NonNullable<Answer<'tokens.buyers'>['insiders']>[number]} Insider */

/**
 * A column of a number.
 * @template Row
 * @param {string} name
 * @param {string} title
 * @param {string} unit
 * @param {(row: Row) => unknown} value
 * @param {string} [meaning]
 * @returns {Column<Row>}
 */
const numeric = (name, title, unit, value, meaning = '') => ({
  name,
  title,
  csv: name,
  meaning,
  value,
  cell: (row) => html`<${Value} name=${name} unit=${unit} value=${value(row)} />`,
});

/** What a wallet is, with why on hover. @param {Pick<Buyer, 'evidence'>} row */
const roles = ({ evidence }) =>
  evidence.map(({ role, rule, transactions }) => {
    const where = transactions.map(
      ({ tx_hash: hash, block_slot: slot, tx_index: index }) =>
        `${hash}${slot === null ? '' : `, block ${slot}`}${index === null ? '' : `, index ${index}`}`,
    );
    return html`<span class="chip" title=${[`By ${rule.replaceAll('_', ' ')}`, ...where].join('\n')}>${role}</span> `;
  });

/** @returns {readonly Column<any>[]} */
const standing = () => [
  numeric('held', 'Held', 'amount', ({ held }) => held),
  numeric('sold', 'Sold', 'amount', ({ sold }) => sold),
  numeric('made_pnl', 'Made', 'USD', ({ made }) => made, 'Realised, and of what is held at the price now.'),
  {
    name: 'roles',
    title: 'At the launch',
    csv: 'roles',
    isText: true,
    value: (row) => row.roles.join(' '),
    cell: roles,
  },
];

/** @type {Column<any>} */
const wallet = {
  name: 'wallet',
  title: 'Wallet',
  csv: 'wallet',
  isText: true,
  value: (row) => row.wallet,
  cell: (row) => html`<${WalletLink} address=${row.wallet} />`,
};

/** @type {readonly Column<Buyer>[]} */
const buyerColumns = [
  {
    name: 'rank',
    title: '#',
    csv: 'rank',
    value: ({ rank }) => rank,
    cell: ({ rank }) => rank ?? html`<${None} why="There may have been buyers before." />`,
  },
  wallet,
  numeric(
    'seconds_after',
    'After',
    'seconds',
    ({ seconds_after: after }) => after,
    'From the launch to the first buy.',
  ),
  numeric('token_amount', 'Bought first', 'amount', ({ token_amount: amount }) => amount),
  numeric('supply_share', 'Of the supply', 'percent', ({ supply_share: share }) => share),
  ...standing(),
];

/** @type {readonly Column<Insider>[]} */
const insiderColumns = [
  wallet,
  numeric(
    'token_amount',
    'Got',
    'amount',
    ({ evidence }) => evidence.find(({ role }) => role === 'insider')?.token_amount,
  ),
  ...standing(),
];

/** What is known of the launch, in one sentence. @param {Answer<'tokens.buyers'>} answer */
function headOf({ launch, bundles, insiders }) {
  if (launch === null) return 'No launch is known: there may have been buyers before these.';
  const count = (/** @type {readonly unknown[] | null} */ list, /** @type {string} */ noun) =>
    list === null ? `${noun}s are not known` : `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
  return html`Launched <${Value} unit="time" value=${launch.block_time} />: ${count(bundles, 'bundle')}, ${count(insiders, 'insider')}.`;
}

/**
 * The first buyers of a token, and what they were at its launch.
 * @param {{ token: string }} props
 */
export function Launch({ token }) {
  const body = { token, limit: 25 };
  const pages = usePages('tokens.buyers', body);
  const { answer } = pages;
  const insiders = answer?.insiders ?? [];
  return html`<section aria-label="Launch">
    <${Failure} error=${pages.error} again=${pages.again} />
    ${answer !== undefined && html`<p>${headOf(answer)}</p>`}
    <${Table} caption="First buyers" file=${`buyers-${token}`} columns=${buyerColumns} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'Nobody has bought it.' : ''} />
    <${More} pages=${pages} noun="buyers" />
    ${insiders.length > 0 && html`<h2>Insiders</h2><${Table} caption="Insiders" file=${`insiders-${token}`} columns=${insiderColumns} rows=${insiders} />`}
    <${Request} operation="tokens.buyers" body=${body} />
  </section>`;
}
