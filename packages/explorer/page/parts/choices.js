// @ts-check
/** @import { AskedPages, Kind, KindName, MoneyUnit, OperationName, Window } from '../../types/page.ts' */

import { server } from '../api.js';
import { count as whole } from '../format.js';
import { html, useState } from '../lib.js';
import { choose } from '../route.js';

/** @typedef {string | readonly [value: string, text: string]} Option */

/**
 * Buttons of which one is chosen; the choice stands in the address.
 * @param {{ name: string, label: string, options: readonly Option[], chosen: string | undefined, onChoose?: (value: string) => void }} props
 */
export function Choice({ name, label, options, chosen, onChoose = (value) => choose({ [name]: value }) }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map((option) => {
    const [value, text] = typeof option === 'string' ? [option, option] : option;
    return html`<button key=${value} type="button" aria-pressed=${value === chosen ? 'true' : 'false'} onClick=${() => onChoose(value)}>${text}</button>`;
  })}</div>`;
}

/**
 * USD or the native token, if the store has one.
 * @param {{ query: URLSearchParams }} props
 */
export function UnitChoice({ query }) {
  const { native } = server.model;
  if (native === '') return null;
  return html`<${Choice} name="unit" label="Currency of the results" options=${[
    ['usd', 'USD'],
    ['native', native],
  ]} chosen=${unitOf(query)} onChoose=${(/** @type {MoneyUnit} */ unit) => choose({ unit: unit === 'usd' ? undefined : unit })} />`;
}

/** @type {(query: URLSearchParams) => MoneyUnit} */
export const unitOf = (query) => (query.get('unit') === 'native' && server.model.native !== '' ? 'native' : 'usd');

/**
 * The window that the address names, if the kind of profiles has it.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {URLSearchParams} query
 * @param {Window<Name>} usual
 */
export const windowOf = ({ windows }, query, usual) => windows.find((one) => one === query.get('window')) ?? usual;

/**
 * The next page of a list.
 * @param {{ pages: AskedPages<OperationName, unknown>, noun: string }} props
 */
export function More({ pages, noun }) {
  const [isLoading, setLoading] = useState(false);
  const { rows, count, next } = pages;
  if (count === undefined) return null;
  const load = async () => {
    if (!next) return;
    setLoading(true);
    await next().finally(() => setLoading(false));
  };
  return html`<p class="more">
    <span>${whole(rows.length)} of ${whole(count)} ${noun}</span>
    ${next && html`<button type="button" disabled=${isLoading} onClick=${load}>More</button>`}
  </p>`;
}
