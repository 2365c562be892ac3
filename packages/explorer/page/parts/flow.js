// @ts-check
import { brief, gain } from '../format.js';
import { html } from '../lib.js';
import { None, toneOf } from './number.js';

/**
 * @typedef {object} FlowOf
 * @property {number | null} bought
 * @property {number | null} sold
 * @property {number | null} realised
 * @property {number | null} unmatched What of `sold` has no known cost.
 */

/**
 * What was bought and sold in USD, and how the sales add up: the cost of what was sold, the profit, and what was sold without a known cost.
 * @param {{ flow: FlowOf, when: string }} props
 */
export function Flow({ flow: { bought, sold, realised, unmatched }, when }) {
  const cost = sold === null || realised === null || unmatched === null ? null : sold - unmatched - realised;
  /** @type {readonly (readonly [sign: string, title: string, value: number | null, meaning: string, isResult?: boolean])[]} */
  const parts = [
    ['', 'Bought', bought, 'What all buys of known value paid.'],
    ['', 'Sold', sold, 'What all sells of known value brought: the three that follow, added up.'],
    ['=', 'Cost of what was sold', cost, 'What the tokens that were sold had cost, where that is known.'],
    ['+', 'Realised', realised, 'Proceeds of what was sold, less its cost.', true],
    ['+', 'Sold without known cost', unmatched, 'Tokens that came in without a buy in the data: no profit has them.'],
  ];
  return html`<dl class="flow" aria-label=${`Bought and sold, ${when}`}>${parts.map(
    ([sign, title, value, meaning, isResult]) =>
      html`<div key=${title} title=${meaning}><dt>${sign && html`<i aria-hidden="true">${sign}</i> `}${title}</dt><dd class=${isResult ? toneOf(value) : ''}>${value === null ? html`<${None} why="Not known in USD." />` : isResult ? gain('USD', value) : brief('USD', Math.abs(value) < 1e-9 ? 0 : value)}</dd></div>`,
  )}</dl>`;
}
