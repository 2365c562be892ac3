// @ts-check
/** @import { KindName } from '../../types/page.ts' */

import { cut, short } from '../format.js';
import { html, useState } from '../lib.js';
import { href } from '../route.js';

/**
 * What nobody can see is no name: spaces, marks without a letter, characters that turn the text around.
 * @param {string} text
 */
const isBlank = (text) => /^[\s\p{C}\p{M}\p{Z}]*$/u.test(text);

/** @typedef {string | null | undefined} GivenName */

/**
 * What somebody wrote into a token or a registry: text, cut where it is long; an address without it.
 * @type {(name: GivenName, address: string, most?: number) => string}
 */
export const nameOf = (name, address, most = 24) => (name && !isBlank(name) ? cut(name.trim(), most) : short(address));

/**
 * A name apart from the text around it: one that is written from right to left turns nothing else around.
 * @param {{ name?: GivenName, address: string, most?: number }} props
 */
export const Name = ({ name, address, most }) => html`<bdi>${nameOf(name, address, most)}</bdi>`;

/** @param {string} address */
function hueOf(address) {
  let hue = 0;
  for (const letter of address) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hue;
}

/**
 * A face of an address: the same colours everywhere, so that one knows it again.
 * @param {{ address: string, kind?: 'wallet' | 'token', isSmall?: boolean }} props
 */
export const Face = ({ address, kind = 'wallet', isSmall = false }) =>
  html`<span class=${`face ${kind}${isSmall ? ' small' : ''}`} style=${{ filter: `hue-rotate(${hueOf(address)}deg)` }} aria-hidden="true"></span>`;

/** @param {{ address: string, name?: GivenName }} props */
export const WalletLink = ({ address, name }) =>
  html`<a class="entity" href=${href(['wallet', address])} title=${address}><${Name} name=${name} address=${address} /></a>`;

/** @param {{ address: string, symbol?: GivenName }} props */
export const TokenLink = ({ address, symbol }) =>
  html`<a class="entity" href=${href(['token', address])} title=${address}><${Name} name=${symbol} address=${address} /></a>`;

/** @param {{ wallet: string, token: string, text: unknown }} props */
export const PositionLink = ({ wallet, token, text }) =>
  html`<a class="entity" href=${href(['position', wallet, token])}>${text}</a>`;

const praise = new Set(['smart', 'conviction', 'diamond', 'kol', 'trending', 'hot']);

/** @param {{ kind: KindName, labels?: readonly string[] | undefined }} props */
export function Labels({ kind, labels = [] }) {
  return labels.map(
    (label) =>
      html`<a key=${label} class=${praise.has(label) ? 'chip label good' : 'chip label'} href=${href([kind], { filter: JSON.stringify({ labels: label }) })} title=${`All ${kind} with the label ${label}`}>${label}</a>`,
  );
}

/**
 * The address, short; it is copied whole.
 * @param {{ address: string }} props
 */
export function Address({ address }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<span class="address"><code title=${address}>${short(address)}</code> <button type="button" class="bare" aria-label="Copy the address" onClick=${copy}>${isCopied ? 'copied' : 'copy'}</button></span>`;
}

/** Where a transaction is looked up, if whoever serves the page has named a site: `{hash}` stands for the hash. */
const site = () => document.querySelector('meta[name=transactions]')?.getAttribute('content') ?? undefined;

/** @param {{ hash: string }} props */
export function Transaction({ hash }) {
  const text = html`<code title=${hash}>${hash.slice(0, 8)}…</code>`;
  const address = site()?.replaceAll('{hash}', encodeURIComponent(hash));
  return address === undefined
    ? text
    : html`<a class="entity" href=${address} target="_blank" rel="noreferrer">${text}</a>`;
}
