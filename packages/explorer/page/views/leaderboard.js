// @ts-check
/** @import { Counts } from '../parts/number.js' */
/** @import { AskedPages, ColumnName, DescribedMetric, FieldEvent, Kind, KindName, MoneyUnit, PagedName, Profile, Request as Body, Window } from '../../types/page.ts' */
import { server } from '../api.js';
import { brief } from '../format.js';
import { windowWords } from '../instant.js';
import { html, useEffect, useMemo, useRef, useState } from '../lib.js';
import { FilterChips, Presets } from '../parts/chips.js';
import { Choice, More, UnitChoice, unitOf, windowOf } from '../parts/choices.js';
import { defaultColumns, inUnit, optionsFor, pathOf, profileColumns, withoutUnit } from '../parts/columns.js';
import { useFound } from '../parts/found.js';
import { lacksUsd } from '../parts/number.js';
import { Popover } from '../parts/popover.js';
import { Failure, Request } from '../parts/request.js';
import { sparkColumn, useChanges, useSparkInstant, withChanges } from '../parts/row-columns.js';
import { Table } from '../parts/table.js';
import { firstPreset } from '../presets.js';
import { choose, href } from '../route.js';
import { innerWordOf, wordOf } from '../words.js';

/** @type {{ readonly [Name in KindName]: string }} */
const titles = { wallets: 'Wallets', tokens: 'Tokens', positions: 'Positions' };
/** @type {{ readonly [Name in KindName]: string }} */
const headings = { wallets: 'Who makes money', tokens: 'What is traded', positions: 'What paid' };

/**
 * @template {KindName} [Name=KindName]
 * @typedef {object} Search What the address of a leaderboard says.
 * @property {Window<Name>} window
 * @property {MoneyUnit} unit
 * @property {readonly ColumnName<Name>[]} columns
 * @property {object | undefined} filter
 * @property {string | undefined} sort
 * @property {'asc' | 'desc'} direction
 * @property {string | undefined} text
 * @property {Body<`${Name}.search`>} body
 */

/**
 * The request of a leaderboard or a search, as its address says it.
 * @template {KindName} Name
 * @param {Kind<Name>} kind
 * @param {URLSearchParams} query
 * @param {boolean} isSearch
 * @returns {Search<Name>}
 */
export function searchOf(kind, query, isSearch) {
  const first = firstPreset(kind);
  const unit = unitOf(query);
  const usual = /** @type {Window<Name>} */ ((isSearch ? undefined : first?.window) ?? '7d');
  const window = windowOf(kind, query, usual);
  const named = (query.get('columns') ?? defaultColumns[kind.kind].join()).split(',').filter(Boolean);
  // Names that the server does not have are no column.
  const columns = /** @type {ColumnName<Name>[]} */ ([...new Set(named.map((name) => inUnit(name, unit)))]);
  const text = query.get('text')?.trim();
  const filter = filterIn(query) ?? (isSearch || query.has('filter') ? undefined : (first?.filter ?? undefined));
  const asked = query.get('sort') ?? (text || isSearch ? undefined : /** @type {string | undefined} */ (first?.sort));
  const sort = asked && inUnit(asked, unit);
  const direction = query.get('direction') === 'asc' ? 'asc' : 'desc';
  const isMetric = sort === undefined || sort in kind.metrics || kind.sortable.has(sort);
  /** @type {any} */
  const body = {
    ...(text && kind.isSearchable ? { query: { text, autocomplete: true, fuzzy: query.get('fuzzy') === 'yes' } } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(sort === undefined || !isMetric
      ? {}
      : { sort: { field: pathOf(/** @type {ColumnName<Name>} */ (sort), kind, window), direction } }),
    options: optionsFor(kind, columns, window),
    limit: 25,
  };
  return { window, unit, columns, filter, sort, direction, text, body };
}

/** @param {URLSearchParams} query */
function filterIn(query) {
  try {
    return JSON.parse(query.get('filter') ?? '') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Profiles of a kind: columns, windows and filters are of one's choice and stand in the address.
 * @template {KindName} Name
 * @param {{ kindName: Name, query: URLSearchParams, isSearch?: boolean }} props
 */
export function Leaderboard({ kindName, query, isSearch = false }) {
  const kind = server.model.kinds[kindName];
  const address = query.toString();
  const search = useMemo(() => searchOf(kind, query, isSearch), [kindName, address]);
  const { window, unit, columns, sort: wanted, direction, text } = search;
  /** @type {`${Name}.search`} */
  const operation = `${kindName}.search`;
  const { pages, body, filter, sort, note } = useFound(kind, search, isSearch || query.has('filter'));
  const sparkWindow = /** @type {Window<Name>} */ (
    kindName === 'tokens' && !['7d', '1d'].includes(window) ? '1d' : window
  );
  const instant = useSparkInstant(kindName, sparkWindow, pages.rows[0]);
  /** @param {string} name */
  const chooseSort = (name) =>
    choose({ sort: withoutUnit(name, unit), direction: name === wanted && direction === 'desc' ? 'asc' : undefined });
  const view = isSearch ? 'search' : kindName;
  const listed = profileColumns(kind, columns, window, { count: pages.count });
  const known = withChanges(listed, useChanges(kindName, pages.rows));
  // The labels come last, where there is room.
  const shown = [...known.slice(0, -1), ...sparkColumn(kindName, sparkWindow, instant), ...known.slice(-1)];
  const isLacking =
    unit === 'usd' &&
    pages.rows.length > 0 &&
    pages.rows.every(({ metrics }) =>
      lacksUsd('USD', /** @type {Readonly<Record<string, Counts>> | undefined} */ (metrics)?.[window]),
    );
  return html`
    <div class="row between top">
      <div>
        <h1 tabindex="-1">${isSearch ? 'Search' : headings[kindName]}</h1>
        <p class="dim">${summaryOf({ pages, kindName, sort, window, direction })}</p>
      </div>
      <div class="row tight">
        <${Choice} name="window" label="Window of the metrics" options=${kind.windows} chosen=${window} />
        ${kindName !== 'tokens' && html`<${UnitChoice} query=${query} />`}
      </div>
    </div>
    ${isSearch && html`<${Kinds} kindName=${kindName} text=${query.get('text')} />`}
    ${isSearch && kind.isSearchable && html`<${SearchText} query=${query} />`}
    ${!isSearch && html`<${Presets} kind=${kind} current=${{ filter, sort, window, direction, text }} unit=${unit} />`}
    <${FilterChips} kind=${kind} filter=${filter} window=${window} isOpen=${isSearch}><${Columns} kind=${kind} columns=${columns} unit=${unit} /><//>
    <${Failure} error=${pages.error} again=${pages.again} />
    ${note !== undefined && html`<p class="hint" role="status">${note}</p>`}
    ${isLacking && html`<p class="hint">No trade of these wallets has a value in USD: the native token has no price in this store. <button type="button" onClick=${() => choose({ unit: 'native' })}>Show ${server.model.native}</button></p>`}
    <div class="card list">
      <${Table} caption=${`${titles[kindName]} ${view} ${window}`} file=${`${kindName}-${window}`} columns=${shown} rows=${pages.rows} sort=${{ name: sort, direction, choose: chooseSort }} isLoading=${pages.isLoading} empty=${html`<${Empty} kindName=${kindName} isFiltered=${filter !== undefined || Boolean(text)} isFailed=${pages.error !== undefined} canForgive=${Boolean(text) && isSearch && query.get('fuzzy') !== 'yes'} />`} />
    </div>
    <${More} pages=${pages} noun=${kindName} />
    <${Request} operation=${operation} body=${body} isOpen=${isSearch} />`;
}

/**
 * @param {{ pages: Pick<AskedPages<PagedName, unknown>, 'count' | 'error'>, kindName: KindName } & Pick<Search, 'sort' | 'window' | 'direction'>} shown
 */
function summaryOf({ pages: { count, error }, kindName, sort, window, direction }) {
  if (count === undefined) return error === undefined ? 'Loading the list …' : 'The list could not be loaded.';
  const { metrics } = server.model.kinds[kindName];
  const order = sort && orderOf(metrics[sort], sort, direction);
  const isOfWindow = sort === undefined || sort in metrics;
  const noun = count === 1 ? kindName.slice(0, -1) : kindName;
  return [
    `${brief('count', count)} ${noun}`,
    order,
    `${isOfWindow ? '' : 'figures of '}the last ${windowWords(window)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/**
 * "most trades first", "largest profit first".
 * @param {DescribedMetric | undefined} metric
 * @param {string} sort
 * @param {Search['direction']} direction
 */
function orderOf(metric, sort, direction) {
  const [most, least] = metric?.unit === 'count' ? ['most', 'fewest'] : ['largest', 'smallest'];
  return `${direction === 'desc' ? most : least} ${innerWordOf(sort)} first`;
}

/**
 * What to do where nothing is.
 * @param {{ kindName: KindName, isFiltered: boolean, isFailed: boolean, canForgive: boolean }} props
 */
function Empty({ kindName, isFiltered, isFailed, canForgive }) {
  if (isFailed) return null;
  if (canForgive)
    return html`<p><b>Nothing is called so.</b> <label class="check inline"><input type="checkbox" onChange=${() => choose({ fuzzy: 'yes' })} /> with small typos</label></p>
      <p class="dim">A name may be that of a profile of another kind: choose it above.</p>`;
  if (isFiltered)
    return html`<p><b>No ${kindName} match.</b> Remove a condition above, or look at <a href=${href([kindName], { filter: 'null' })}>all ${kindName}</a>.</p>
      <p class="dim">In a new store nothing matches: import swaps with <code>swapfold import swaps FILE</code>, then <code>swapfold refresh</code>.</p>`;
  return html`<p><b>This store has no ${kindName} yet.</b> Import swaps with <code>swapfold import swaps FILE</code>, or follow a chain with <code>swapfold serve --follow SOURCE</code>. They appear here after the next refresh.</p>`;
}

/** @param {{ kindName: KindName, text: string | null }} props */
const Kinds = ({ kindName, text }) =>
  html`<nav class="tabs" aria-label="Kinds of profiles">${Object.entries(titles).map(
    ([name, title]) =>
      html`<a key=${name} class="tab" aria-current=${name === kindName ? 'page' : undefined} href=${href(['search', name], { text })}>${title}</a>`,
  )}</nav>`;

/**
 * Asks once the typing rests.
 * @param {{ query: URLSearchParams }} props
 */
function SearchText({ query }) {
  const given = query.get('text') ?? '';
  const [text, setText] = useState(given);
  /** What this field has put into the address: anything else comes from elsewhere. */
  const sent = useRef(given);
  useEffect(() => {
    if (given !== sent.current) setText(given);
    sent.current = given;
  }, [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      choose({ text });
    }, 150);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class="row controls">
    <label>Text <input type="search" id="text" placeholder="Name, symbol or address" value=${text} onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)} /></label>
    <label class="check"><input type="checkbox" checked=${query.get('fuzzy') === 'yes'} onChange=${(/** @type {FieldEvent} */ event) => choose({ fuzzy: event.target.checked ? 'yes' : undefined })} /> with small typos</label>
  </div>`;
}

/** What is computed for a few profiles, and for no board. */
const ofLaunches = ['metadata.roles', 'sniper_entry_count'];

/** @param {{ kind: Kind, columns: readonly string[], unit: MoneyUnit }} props */
function Columns({ kind, columns, unit }) {
  // What the currency has put another column in the place of is no choice.
  const names = [...Object.keys(kind.metrics), ...Object.keys(kind.fields)].filter(
    (name) => inUnit(name, unit) === name && !ofLaunches.includes(name),
  );
  /** @param {string} name */
  const toggle = (name) => {
    const next = columns.includes(name) ? columns.filter((other) => other !== name) : [...columns, name];
    // The address has them in USD: the currency is a choice of its own.
    choose({ columns: [...new Set(next.map((one) => withoutUnit(one, unit)))].join() });
  };
  /** @param {string} name */
  const isLast = (name) => columns.length === 1 && columns.includes(name);
  return html`<${Popover} name="columns" title="Columns">
    <fieldset><legend class="unseen">Columns</legend>${names.map(
      (name) =>
        html`<label key=${name} class="check" title=${name}><input type="checkbox" checked=${columns.includes(name)} disabled=${isLast(name)} onChange=${() => toggle(name)} /> ${wordOf(name)}</label>`,
    )}</fieldset>
  <//>`;
}
