// @ts-check
/** @import { FieldEvent, Ref, State } from '../types/page.ts' */
import { forgetKey, key, loadModel, server } from './api.js';
import { when } from './format.js';
import { html, render, useEffect, useErrorBoundary, useRef, useState } from './lib.js';
import { lastHeard, useStatus } from './live.js';
import { Alerts } from './parts/alerts.js';
import { Find } from './parts/find.js';
import { KeyDialog } from './parts/key-dialog.js';
import { Popover } from './parts/popover.js';
import { Failure } from './parts/request.js';
import { parseRoute, useRoute } from './route.js';
import { applyTheme, set, useSettings } from './settings.js';
import { Leaderboard } from './views/leaderboard.js';
import { Search } from './views/search.js';
import { useWatched } from './watch.js';

/** @typedef {ReturnType<typeof parseRoute>} Route */
/** @typedef {Pick<Route, 'parts' | 'query'>} ViewProps What every view gets: the rest of its address. */
/** @typedef {(props: ViewProps) => unknown} ViewOf */

/** The leaderboard opens at once; what other views need comes with the first of them, or when nothing else is to do. */
const later = {
  wallet: 'Wallet',
  token: 'Token',
  position: 'Position',
  compare: 'Compare',
  watchlist: 'Watchlist',
  live: 'Live',
  explain: 'Explain',
  docs: 'Docs',
};
/** @type {Record<string, ViewOf>} */
const loaded = { search: Search };

async function load() {
  /** @type {Readonly<Record<string, ViewOf>>} */
  const views = await import('./views/others.js');
  for (const [view, name] of Object.entries(later)) loaded[view] = /** @type {ViewOf} */ (views[name]);
}

const boards = ['wallets', 'tokens', 'positions'];

/** @param {{ route: Route }} props */
function View({ route }) {
  const { view, parts, query } = route;
  if (view === '' || boards.includes(view)) {
    const kindName = view === '' ? 'wallets' : view;
    return html`<${Leaderboard} key=${kindName} kindName=${kindName} query=${query} />`;
  }
  if (!(view in later) && !(view in loaded))
    return html`<h1 tabindex="-1">There is no such view</h1><p><a href="#/">Overview</a></p>`;
  return html`<${Loaded} key=${[view, ...parts].join('/')} view=${view} parts=${parts} query=${query} />`;
}

/**
 * A view once its modules are there.
 * @param {{ view: string } & ViewProps} props
 */
function Loaded({ view, parts, query }) {
  /** @type {State<Error | null | undefined>} */
  const [error, draw] = useState();
  const Found = loaded[view];
  // Not before what was drawn last: the modules may have come since, asked for by the view before.
  const again = () => load().then(() => draw(null), draw);
  useEffect(() => {
    if (Found === undefined) again();
  }, []);
  if (Found === undefined && error) return html`<${Failure} error=${error} again=${() => location.reload()} />`;
  if (Found === undefined) return html`<p class="quiet">Loading …</p>`;
  return html`<${Found} parts=${parts} query=${query} />`;
}

function App() {
  const route = useRoute();
  useSettings();
  const [needsKey, setNeedsKey] = useState(server.model.hasKeys && key() === null);
  server.askKey = () => setNeedsKey(true);
  /** @type {Ref<HTMLElement>} */
  const main = useRef();
  const place = [route.view, ...route.parts].join('/');
  useEffect(() => {
    document.title = place === '' ? 'Swapfold' : `${place.replaceAll('/', ' ')} · Swapfold`;
    scrollTo(0, 0);
  }, [place]);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (needsKey) return html`<${KeyDialog} onGiven=${() => setNeedsKey(false)} />`;
  return html`
    <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => {
      event.preventDefault();
      main.current.focus();
    }}>To the content</a>
    <${Header} route=${route} />
    <main id="main" ref=${main} tabindex="-1"><${Guard} key=${place}><${View} route=${route} /><//></main>
    <${Alerts} />
    <${Footer} />`;
}

/**
 * A view that cannot be drawn says so, and leaves the others as they are.
 * @param {{ children?: unknown }} props
 */
function Guard({ children }) {
  const [error, reset] = useErrorBoundary();
  const { href: address } = location;
  useEffect(() => {
    if (error === undefined) return undefined;
    addEventListener('hashchange', reset);
    return () => removeEventListener('hashchange', reset);
  }, [error]);
  if (error === undefined) return children;
  return html`<h1 tabindex="-1">This view cannot be shown</h1>
    <div class="failure" role="alert"><p>${error.message}</p><p>The address may have a mistake: <code>${address}</code></p></div>`;
}

/**
 * "/" goes to the search.
 * @param {KeyboardEvent} event
 */
function onKey(event) {
  const isTyping = /^(input|textarea|select)$/i.test(/** @type {Element} */ (event.target).tagName);
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.getElementById('find')?.focus();
}

/** @param {{ route: Route }} props */
function Header({ route }) {
  const { view } = route;
  const watched = useWatched().length;
  const links = [
    ['#/', 'Wallets', view === '' || ['wallets', 'wallet', 'compare'].includes(view)],
    ['#/tokens', 'Tokens', ['tokens', 'token'].includes(view)],
    ['#/positions', 'Positions', ['positions', 'position'].includes(view)],
    ['#/live', 'Live', view === 'live'],
    ['#/watchlist', watched === 0 ? 'Watchlist' : `Watchlist ${watched}`, view === 'watchlist'],
    ['#/docs', 'Docs', view === 'docs'],
  ];
  return html`<header>
    <a class="brand" href="#/">Swapfold <small>${server.model.chain}</small></a>
    <nav aria-label="Views">${links.map(
      ([address, text, isCurrent]) =>
        html`<a key=${address} href=${address} aria-current=${isCurrent ? 'page' : undefined}>${text}</a>`,
    )}</nav>
    <${Find} />
    <${Status} />
    <${Settings} />
  </header>`;
}

/** @type {Readonly<Record<string, readonly [text: string, meaning: string]>>} */
const statuses = {
  live: ['live', 'The view follows the store.'],
  waiting: ['reconnecting', 'The server does not answer; the page tries again.'],
};

/** Whether the view follows the store, and when it last heard of it. */
function Status() {
  const status = useStatus();
  const [text, meaning] = statuses[status] ?? [];
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || draw((/** @type {number} */ n) => n + 1), 5000);
    return () => clearInterval(timer);
  }, []);
  const heard = lastHeard();
  return html`<span class=${`live ${status}`} title=${meaning}><span class="status" role="status">${text}</span>${status === 'live' && heard !== undefined && html`<span class="heard"> · ${when(heard / 1000)}</span>`}</span>`;
}

/** @type {readonly (readonly [name: 'zone' | 'theme' | 'reload', label: string, options: readonly (readonly [value: string, text: string])[]])[]} */
const choices = [
  [
    'zone',
    'Times',
    [
      ['UTC', 'UTC'],
      ['local', 'Local time'],
    ],
  ],
  [
    'theme',
    'Colours',
    [
      ['system', 'As the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  ],
  [
    'reload',
    'Reload',
    [
      ['live', 'As it changes'],
      ['0', 'Off'],
      ['5', 'Every 5 s'],
      ['30', 'Every 30 s'],
    ],
  ],
];

function Settings() {
  const settings = useSettings();
  return html`<${Popover} name="settings" title="Settings">
    <div>
      ${choices.map(
        ([name, label, options]) =>
          html`<label key=${name}>${label} <select value=${settings[name]} onChange=${(/** @type {FieldEvent} */ event) => set(name, event.target.value)}>${options.map(
            ([value, text]) =>
              html`<option key=${value} value=${value} selected=${settings[name] === value}>${text}</option>`,
          )}</select></label>`,
      )}
      ${
        server.model.hasKeys &&
        html`<button type="button" onClick=${() => {
          forgetKey();
          server.askKey();
        }}>Forget the key</button>`
      }
    </div>
  <//>`;
}

function Footer() {
  return html`<footer>
    <p><a href="#/search">Search by conditions</a> · <a href="#/compare">Compare wallets</a></p>
    <p>Swapfold, Apache-2.0. Charts: TradingView Lightweight Charts™, copyright © 2026 TradingView, Inc., <a href="https://www.tradingview.com/" rel="noreferrer">tradingview.com</a>. <a href="explorer/licences.txt">Licences</a></p>
  </footer>`;
}

applyTheme();
const { view: first } = parseRoute(location.hash);
if (first in later) load();
const root = /** @type {HTMLElement} */ (document.getElementById('app'));
loadModel().then(
  () => {
    root.textContent = '';
    render(html`<${App} />`, root);
    setTimeout(load, 2000);
  },
  (error) => {
    root.textContent = `The server does not answer: ${error.message} Reload the page to try again.`;
  },
);
