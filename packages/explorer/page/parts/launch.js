// @ts-check
/** @import { Answer, Column, Request as Body, RowOf } from '../../types/page.ts' */
import { useAnswer, usePages } from '../answers.js';
import { zone } from '../format.js';
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

/** @typedef {NonNullable<Answer<'tokens.get'>['launch']>} Summary */
/** @typedef {Buyer['roles'][number]} Role */

/**
 * What a wallet may be at a launch: what several of it are called, and what makes it one.
 * @type {Readonly<Record<Role, readonly [name: string, meaning: string]>>}
 */
const meanings = {
  dev: ['Creator (dev)', 'Created the token.'],
  sniper: ['Snipers', 'Bought within seconds of the launch, or in its block or the next.'],
  bundler: [
    'Bundlers',
    'Bought together with others: in one transaction, or one behind the other in the launch block.',
  ],
  insider: ['Insiders', 'Got tokens of the creator or a bundler without a buy, and have sold some.'],
};

/** What a wallet is, with why on hover. @param {Pick<Buyer, 'evidence'>} row */
const roles = ({ evidence }) =>
  evidence.map(({ role, rule, transactions }) => {
    const where = transactions.map(
      ({ tx_hash: hash, block_slot: slot, tx_index: index }) =>
        `${hash}${slot === null ? '' : `, block ${slot}`}${index === null ? '' : `, index ${index}`}`,
    );
    return html`<span class="chip" title=${[`${meanings[role][1]} Rule: ${rule.replaceAll('_', ' ')}`, ...where].join('\n')}>${role}</span> `;
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
    ...wallet,
    cell: ({ rank, wallet: address }) =>
      html`<span class="rank">${rank ?? html`<${None} why="There may have been buyers before." />`}</span><${WalletLink} address=${address} />`,
  },
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

/** @typedef {{ readonly role: Role, readonly count: number | null | undefined, readonly bought: number | null, readonly held: number | null, readonly pnl: number | null }} Standing */

/** @param {Summary} launch @returns {readonly Standing[]} */
const standingsOf = (launch) =>
  /** @type {readonly Role[]} */ (Object.keys(meanings)).map((role) => ({
    role,
    count: role === 'dev' ? undefined : launch[`${role}_count`],
    bought: launch[`${role}_bought_share`],
    held: launch[`${role}_held_share`],
    pnl: launch[`${role}_pnl`],
  }));

/** @type {readonly Column<Standing>[]} */
const standingColumns = [
  {
    name: 'role',
    title: 'Who',
    csv: 'role',
    isText: true,
    value: ({ role }) => role,
    cell: ({ role }) => html`<span title=${meanings[role][1]}>${meanings[role][0]}</span>`,
  },
  {
    name: 'count',
    title: 'Wallets',
    csv: 'count',
    value: ({ count }) => count,
    cell: ({ count }) => (count === undefined ? '' : html`<${Value} unit="count" value=${count} />`),
  },
  numeric(
    'bought_share',
    'Bought first',
    'percent',
    ({ bought }) => bought,
    'Of the supply, with the first buy of each.',
  ),
  numeric('held_share', 'Hold now', 'percent', ({ held }) => held, 'Of the supply.'),
  numeric('pnl', 'Made', 'USD', ({ pnl }) => pnl, 'Realised, and of what they hold at the price now.'),
];

/** Why a swap is the launch. @type {Readonly<Record<NonNullable<Summary['source']>, string>>} */
const sources = {
  created_at: 'The first stored swap since the token was created.',
  first_swap: 'The first stored swap, which came before the registry says that the token was created.',
  activity: 'The first stored swap, behind which many bought within an hour.',
};

/** What is known of the launch, in one sentence. @param {Answer<'tokens.buyers'>} answer */
function headOf({ launch, bundles, insiders }) {
  if (launch === null) return 'No launch is known: there may have been buyers before these.';
  const many =
    bundles === null
      ? 'Which wallets bought together is not known'
      : bundles.length === 0
        ? 'No wallets bought together'
        : bundles.length === 1
          ? 'One group of wallets bought together'
          : `${bundles.length} groups of wallets bought together`;
  return html`<span title=${sources[launch.source]}>Launched <${Value} unit="time" value=${launch.block_time} /> ${zone()}.</span> ${many}${insiders === null ? ', and who got tokens without a buy is not known' : ''}.`;
}

/**
 * The first minutes of a token: who bought, what they were and hold now, and who was told.
 * @param {{ token: string }} props
 */
export function Launch({ token }) {
  const body = { token, limit: 25 };
  const pages = usePages('tokens.buyers', body);
  const { answer } = pages;
  /** @type {Body<'tokens.get'>} */
  const summaryBody = { token, options: { include_launch: true } };
  const summary = useAnswer('tokens.get', summaryBody).answer?.launch;
  const insiders = answer?.insiders ?? [];
  return html`<section aria-label="Launch">
    <${Failure} error=${pages.error} again=${pages.again} />
    ${answer !== undefined && html`<p>${headOf(answer)}</p>`}
    ${summary?.source && html`<${Table} caption="Who was there" file=${`launch-${token}`} columns=${standingColumns} rows=${standingsOf(summary)} /><h2>First buyers</h2>`}
    <${Table} caption="First buyers" file=${`buyers-${token}`} columns=${buyerColumns} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'Nobody has bought it.' : ''} />
    <${More} pages=${pages} noun="buyers" />
    ${insiders.length > 0 && html`<h2>Insiders</h2><${Table} caption="Insiders" file=${`insiders-${token}`} columns=${insiderColumns} rows=${insiders} />`}
    <${Request} operation="tokens.get" body=${summaryBody} />
    <${Request} operation="tokens.buyers" body=${body} />
  </section>`;
}
