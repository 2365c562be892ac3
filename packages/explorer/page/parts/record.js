// @ts-check
/** @import { Kind, WholeProfile } from '../../types/page.ts' */
import { brief, gain, when } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';
import { wordOf } from '../words.js';
import { None, toneOf } from './number.js';
import { Fields } from './profile.js';

/** @typedef {Pick<WholeProfile<'wallets'>, 'lifetime' | 'holding'>} Of */

/** @param {number | null} count @param {string} noun */
const some = (count, noun) => `${brief('count', count)} ${noun}${count === 1 ? '' : 's'}`;

/** @param {number} value */
const percent = (value) => brief('percent', value);

/**
 * What the results of a wallet rest on, in a sentence.
 * @param {Of['lifetime']} lifetime
 */
function sentenceOf({ since, trade_count, token_count, days_active, ...shares }) {
  const { unmatched_share: unmatched, away_share: away, suspect_share: suspect, best_token_share: best } = shares;
  const { thin_share: thin } = shares;
  const weak = [
    unmatched !== null && `${percent(unmatched)} of its sales had no known cost`,
    best !== null && `${percent(best)} of its gains came from one token`,
    thin && `${percent(thin)} of them from tokens that few others bought`,
    away && `${percent(away)} of what it bought left without a sale`,
    suspect && `${percent(suspect)} of its volume was traded at suspect prices`,
  ].filter(Boolean);
  const from = since === null ? '' : ` since ${when(since)}`;
  const what = `Rests on ${some(trade_count, 'trade')} of ${some(token_count, 'token')} on ${some(days_active, 'day')}${from}`;
  const last = weak.pop();
  return `${what}${last === undefined ? '' : `: ${weak.length > 0 ? `${weak.join(', ')} and ` : ''}${last}`}.`;
}

/**
 * What the results of a wallet rest on, and what its whole history comes to.
 * @param {{ wallet: string, profile: Of }} props
 */
export function Record({ wallet, profile: { lifetime, holding } }) {
  if (lifetime === undefined || holding === undefined || lifetime.trade_count === 0) return null;
  if (lifetime.trade_count === null)
    return html`<p class="rests">What it traded before ${when(lifetime.since ?? '')} is forgotten, and its record with it.</p>`;
  const { open_count: open, sunk_count: sunk, token_win_count: won, token_loss_count: lost } = holding;
  /** @type {readonly (readonly [name: string, value: number | null, beside?: string | false])[]} */
  const results =
    // Without a value in USD sums are 0 by name alone.
    lifetime.volume === 0
      ? [['lifetime.realized_pnl_native', lifetime.realized_pnl_native]]
      : [
          ['holding.floor_pnl', holding.floor_pnl],
          [
            'lifetime.realized_pnl',
            lifetime.realized_pnl,
            lifetime.realized_roi !== null && gain('percent', lifetime.realized_roi),
          ],
          [
            'holding.unrealized_pnl',
            holding.unrealized_pnl,
            `${some(open, 'position')} open${sunk > 0 ? `, ${brief('count', sunk)} sunk` : ''}`,
          ],
        ];
  return html`<section class="card flow-card record" aria-label="Record">
    <h2 class="title">Record, whole history</h2>
    <p class="rests">${sentenceOf(lifetime)}</p>
    <dl class="flow">
      ${results.map(
        ([name, value, beside]) =>
          html`<div key=${name}><dt>${wordOf(name)}</dt><dd>${
            value === null
              ? html`<${None} why="Not known in USD." />`
              : html`<a class=${`number ${toneOf(value)}`} href=${href(['explain', 'wallets', wallet, name, 'all'])} title=${`${value}. Click: its terms and trades. (${name})`}>${gain(name.endsWith('_native') ? 'native' : 'USD', value)}</a>`
          }${beside && html` <small>${beside}</small>`}</dd></div>`,
      )}
      ${holding.token_winrate !== null && html`<div><dt>${wordOf('holding.token_winrate')}</dt><dd>${percent(holding.token_winrate)} <small>${brief('count', won)} of ${brief('count', won + lost)}</small></dd></div>`}
    </dl>
  </section>`;
}

/**
 * All that the record of a wallet has.
 * @param {{ kind: Kind, profile: WholeProfile<'wallets'> }} props
 */
export const RecordFields = ({ kind, profile }) =>
  html`<div class="grid two">${[
    ['lifetime', 'Whole history'],
    ['holding', 'Held now'],
  ].map(
    ([section, title]) =>
      html`<section key=${section} class="card" aria-label=${title}><h2 class="title">${title}</h2><${Fields} kind=${kind} profile=${profile} section=${section} /></section>`,
  )}</div>`;
