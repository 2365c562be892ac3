// @ts-check
import { html } from '../lib.js';
import { Trades } from '../parts/trades.js';

/** Every trade as it is stored. */
export function Live() {
  return html`<div class="row between top"><div><h1 tabindex="-1">Live</h1><p class="dim">Every trade as it is stored, the newest first.</p></div></div>
    <div class="card list"><${Trades} of=${{}} file="trades" /></div>`;
}
