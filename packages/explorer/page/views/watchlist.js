// @ts-check
/** @import { AskedPages, Column, Profile, Window } from '../../types/page.ts' */
/** @import { Watched as One } from '../watch.js' */
import { usePages } from '../answers.js';
import { server } from '../api.js';
import { when } from '../format.js';
import { html } from '../lib.js';
import { Happened, useAlerts } from '../parts/alerts.js';
import { Choice } from '../parts/choices.js';
import { defaultColumns, idsOf, optionsFor, profileColumns } from '../parts/columns.js';
import { nameOf } from '../parts/links.js';
import { Failure, Request } from '../parts/request.js';
import { sparkColumn, useChanges, useSparkInstant, withChanges } from '../parts/row-columns.js';
import { Table } from '../parts/table.js';
import { href } from '../route.js';
import { set, useSettings } from '../settings.js';
import { toggleWatched, useWatched } from '../watch.js';

/** A search finds so many. */
const MOST = 100;

/** What one watches: how it does, and what it did since the page was opened. */
export function Watchlist() {
  const watched = useWatched();
  const alerts = useAlerts();
  const settings = useSettings();
  const [wallets = [], tokens = []] = ['wallet', 'token'].map((kind) => watched.filter((one) => one.kind === kind));
  return html`
    <div class="row between top">
      <div><h1 tabindex="-1">Watchlist</h1><p class="dim">Kept in this browser alone.</p></div>
      <${Choice} label="Alerts of trades" options=${[
        ['on', 'Alerts on'],
        ['off', 'Off'],
      ]} chosen=${settings.alerts} onChoose=${(/** @type {string} */ value) => set('alerts', value)} />
    </div>
    ${watched.length === 0 && html`<div class="card empty"><p><b>You watch nothing yet.</b> Open a <a href="#/">wallet</a> or a <a href="#/tokens">token</a> and choose “Watch”: its trades are shown as they happen, wherever you are on this page.</p></div>`}
    ${wallets.length > 0 && html`<${Watched} kindName="wallets" idName="wallet_address" list=${wallets} window="7d" />`}
    ${tokens.length > 0 && html`<${Watched} kindName="tokens" idName="token_address" list=${tokens} window="1d" />`}
    ${
      watched.length > 0 &&
      html`<section class="card" aria-label="Alerts since you opened the page"><h2 class="title">Since you opened the page</h2>${
        alerts.length === 0
          ? html`<p class="dim">Nothing yet. Trades appear here as the server stores them.</p>`
          : html`<ul class="happened">${alerts.map(({ id, trade }) => html`<li key=${id}><${Happened} trade=${trade} watched=${watched} /> <span class="dim">${when(trade.block_time)}</span></li>`)}</ul>`
      }</section>`
    }`;
}

/**
 * @template {'wallets' | 'tokens'} Name
 * @param {{ kindName: Name, idName: 'wallet_address' | 'token_address', list: readonly One[], window: Window<Name> }} props
 */
function Watched({ kindName, idName, list, window }) {
  const kind = server.model.kinds[kindName];
  const columns = defaultColumns[kindName];
  const addresses = list.slice(0, MOST).map(({ address }) => address);
  /** @type {any} */
  const body = {
    filter: { [idName]: { $in: addresses } },
    options: optionsFor(kind, columns, window),
    limit: MOST,
  };
  const pages = /** @type {AskedPages<`${Name}.search`, Profile<Name>>} */ (usePages(`${kindName}.search`, body));
  const single = kindName.slice(0, -1);
  const instant = useSparkInstant(kindName, window, pages.rows[0]);
  const found = new Set(pages.rows.flatMap(idsOf[kindName]));
  const missing =
    pages.answer === undefined || pages.isLoading
      ? []
      : list.slice(0, MOST).filter(({ address }) => !found.has(address));
  const known = withChanges(profileColumns(kind, columns, window), useChanges(kindName, pages.rows));
  /** @type {Column<Profile<Name>>} */
  const remove = {
    name: 'remove',
    title: 'Watched',
    cell: (row) => html`<${Remove} kind=${single} address=${idsOf[kindName](row)[0]} />`,
  };
  return html`<section aria-label=${`Watched ${kindName}`}>
    <h2>${kindName === 'wallets' ? 'Wallets' : 'Tokens'} <small class="dim">${window}</small></h2>
    <${Failure} error=${pages.error} again=${pages.again} />
    <div class="card list"><${Table} caption=${`How the watched ${kindName} do`} file=${`watched-${kindName}`} columns=${[...known, ...sparkColumn(kindName, window, instant), remove]} rows=${pages.rows} isLoading=${pages.isLoading} empty=${pages.error === undefined ? 'None of them is in this store.' : ''} /></div>
    ${list.length > MOST && html`<p class="dim">The first ${MOST} of ${list.length} are shown.</p>`}
    ${missing.map((one) => html`<p key=${one.address} class="dim"><bdi>${nameOf(one.name, one.address)}</bdi> is not in this store. <${Remove} kind=${single} address=${one.address} /></p>`)}
    ${kindName === 'wallets' && list.length > 1 && html`<p><a class="chip" href=${href(['compare', ...addresses.slice(0, 2)])}>Compare the first two</a></p>`}
    <${Request} operation=${`${kindName}.search`} body=${body} />
  </section>`;
}

/** @param {Pick<One, 'kind' | 'address'>} props */
const Remove = ({ kind, address }) =>
  html`<button type="button" class="small" aria-label=${`Watch ${address} no more`} onClick=${() => toggleWatched({ kind, address })}>Remove</button>`;
