import { short } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';

/** A name is what somebody wrote into a token or a registry: it is shown as text, cut where it is long. */
const named = (name, address) => {
  const text = name?.trim();
  return text ? (text.length > 24 ? `${text.slice(0, 23)}…` : text) : short(address);
};

export const WalletLink = ({ address, name }) =>
  html`<a class="entity" href=${href(['wallet', address])} title=${address}>${named(name, address)}</a>`;

export const TokenLink = ({ address, symbol }) =>
  html`<a class="entity" href=${href(['token', address])} title=${address}>${named(symbol, address)}</a>`;

export const PositionLink = ({ wallet, token, text }) =>
  html`<a class="entity" href=${href(['position', wallet, token])}>${text}</a>`;

export function Labels({ kind, labels = [] }) {
  return labels.map(
    (label) =>
      html`<a key=${label} class="label" href=${href([kind], { filter: JSON.stringify({ labels: label }) })} title=${`All ${kind} with the label ${label}`}>${label}</a>`,
  );
}

export function Address({ address }) {
  return html`<code class="address">${address}</code> <button type="button" class="small" onClick=${() => navigator.clipboard.writeText(address)}>Copy</button>`;
}
