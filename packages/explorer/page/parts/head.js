// @ts-check
/** @import { Watched } from '../watch.js' */
/** @import { GivenName } from './links.js' */
import { date, time, when, zone } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';
import { toggleWatched, useWatched } from '../watch.js';
import { Address, Face, Labels, Name } from './links.js';

/**
 * Who or what a view is about: face, name, address, labels, and how old the data is.
 * @param {object} props
 * @param {Watched['kind']} props.kind
 * @param {string} props.address
 * @param {GivenName} props.name
 * @param {GivenName} [props.more]
 * @param {readonly string[] | undefined} props.labels
 * @param {string | null | undefined} props.lastTrade
 * @param {number | undefined} props.instant
 * @param {unknown} [props.beside] What one looks for first: what a wallet is worth, how old a token is.
 */
export function Head({ kind, address, name, more, labels, lastTrade, instant, beside }) {
  return html`<div class="row head">
    <${Face} address=${address} kind=${kind} />
    <div>
      <h1 tabindex="-1"><${Name} name=${name} address=${address} most=${80} />${more && html` <small><bdi>${more}</bdi></small>`}</h1>
      <${Address} address=${address} />
    </div>
    <div class="chips"><${Labels} kind=${`${kind}s`} labels=${labels} /></div>
    <p class="dim age">${beside && html`<b class="beside">${beside}</b> · `}${lastTrade && html`<span title=${time(lastTrade)}>last trade ${when(lastTrade)}</span>`}${instant && html` <span title="The end of the windows: the newest swap that the profile knows of">· data as of ${date(instant)}${zone() === 'UTC' ? ' UTC' : ''}</span>`}</p>
  </div>`;
}

/**
 * Watches it in this browser, or no more.
 * @param {Watched} props
 */
export function Watch({ kind, address, name }) {
  const isWatched = useWatched().some((one) => one.kind === kind && one.address === address);
  return html`<button type="button" class="chip" aria-pressed=${isWatched ? 'true' : 'false'} onClick=${() => toggleWatched({ kind, address, name })}>${isWatched ? 'Watched' : 'Watch'}</button>`;
}

/** @param {{ address: string }} props */
export const CompareLink = ({ address }) => html`<a class="chip" href=${href(['compare', address])}>Compare</a>`;
