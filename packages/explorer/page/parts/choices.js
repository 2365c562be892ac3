import { html } from '../lib.js';
import { choose } from '../route.js';

/** Buttons of which one is chosen; the choice stands in the address. */
export function Choice({ name, label, options, chosen, onChoose = (value) => choose({ [name]: value }) }) {
  return html`<div class="choice" role="group" aria-label=${label}>${options.map((option) => {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    return html`<button key=${value} type="button" aria-pressed=${value === chosen ? 'true' : 'false'} onClick=${() => onChoose(value)}>${text}</button>`;
  })}</div>`;
}

/** The next page of a list. */
export function More({ pages, noun }) {
  const { rows, count, next } = pages;
  if (count === undefined) return null;
  return html`<p class="more">
    <span>${rows.length.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} ${noun}</span>
    ${next && html`<button type="button" onClick=${next}>More</button>`}
  </p>`;
}
