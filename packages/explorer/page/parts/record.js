// @ts-check
/** @import { WholeProfile } from '../../types/page.ts' */
import { brief, gain, when } from '../format.js';
import { html } from '../lib.js';
import { toneOf } from './number.js';

/**
 * What the results of a wallet rest on, in a sentence.
 * @param {{ profile: Pick<WholeProfile<'wallets'>, 'lifetime' | 'holding'> }} props
 */
export function Record({ profile: { lifetime, holding } }) {
  if (lifetime === undefined || holding === undefined || !(Number(lifetime.trade_count) > 0)) return null;
  const { first_trade_at: first, token_count: tokens, days_active: days, realized_pnl: realized } = lifetime;
  const { unmatched_share: unmatched, best_token_share: best } = lifetime;
  const { open_count: open, sunk_count: sunk, unrealized_pnl: unrealized, floor_pnl: floor } = holding;
  /** @param {number} count @param {string} noun */
  const some = (count, noun) => `${brief('count', count)} ${noun}${count === 1 ? '' : 's'}`;
  /** @param {number | null} value */
  const result = (value) => html`<b class=${toneOf(value)}>${gain('USD', value)}</b>`;
  return html`<p class="record">${first === null ? 'In all' : `Since ${when(first)}`}: ${result(realized)} realised with ${some(tokens, 'token')} on ${some(days ?? 0, 'day')}.
    ${open > 0 ? html` It holds ${some(open, 'position')} at ${result(unrealized)}${sunk > 0 ? `, ${brief('count', sunk)} of them sunk` : ''}.` : ' It holds nothing open.'}
    ${unmatched === null ? '' : ` ${brief('percent', unmatched)} of its sales had no known cost.`}${best === null ? '' : ` The best token made ${brief('percent', best)} of its gains.`}
    ${' '}If no gain on paper comes true: ${result(floor)}.</p>`;
}
