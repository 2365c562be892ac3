import { server } from '../api.js';
import { html, useState } from '../lib.js';
import { choose } from '../route.js';

/** Buttons of which one is chosen; the choice stands in the address. */
export function Choice({ name, label, options, chosen, onChoose = (value) => choose({ [name]: value }) }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map((option) => {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    return html`<button key=${value} type="button" aria-pressed=${value === chosen ? 'true' : 'false'} onClick=${() => onChoose(value)}>${text}</button>`;
  })}</div>`;
}

/** USD or the native token, if the store has one. */
export function UnitChoice({ query }) {
  const { native } = server.model;
  if (native === '') return null;
  return html`<${Choice} name="unit" label="Currency of the results" options=${[
    ['usd', 'USD'],
    ['native', native],
  ]} chosen=${unitOf(query)} onChoose=${(unit) => choose({ unit: unit === 'usd' ? undefined : unit })} />`;
}

export const unitOf = (query) => (query.get('unit') === 'native' && server.model.native !== '' ? 'native' : 'usd');

/** The next page of a list. */
export function More({ pages, noun }) {
  const [isLoading, setLoading] = useState(false);
  const { rows, count, next } = pages;
  if (count === undefined) return null;
  const load = async () => {
    setLoading(true);
    await next().finally(() => setLoading(false));
  };
  return html`<p class="more">
    <span>${rows.length.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} ${noun}</span>
    ${next && html`<button type="button" disabled=${isLoading} onClick=${load}>More</button>`}
  </p>`;
}
