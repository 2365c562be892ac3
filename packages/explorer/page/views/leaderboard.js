import { usePages } from '../answers.js';
import { server } from '../api.js';
import { html, useEffect, useMemo, useState } from '../lib.js';
import { Choice, More } from '../parts/choices.js';
import { defaultColumns, optionsFor, pathOf, profileColumns } from '../parts/columns.js';
import { FilterBuilder } from '../parts/filter-builder.js';
import { Failure, Request } from '../parts/request.js';
import { Table } from '../parts/table.js';
import { choose, href } from '../route.js';

const titles = { wallets: 'Wallets', tokens: 'Tokens', positions: 'Positions' };
const defaultSorts = { wallets: 'pnl', tokens: 'makers_count', positions: 'pnl' };
/** Those who traded a while. Who made one lucky trade stands in nobody's way. */
const defaultFilters = { wallets: { 'metrics.7d.trade_count': { $gte: 10 } } };

/** The request of a leaderboard or a search, as its address says it. */
export function searchOf(kind, query, isSearch) {
  const window = kind.windows.includes(query.get('window')) ? query.get('window') : '7d';
  const columns = (query.get('columns') ?? defaultColumns[kind.kind].join()).split(',').filter(Boolean);
  const text = query.get('text')?.trim();
  const filter = filterIn(query) ?? (isSearch || query.has('filter') ? undefined : defaultFilters[kind.kind]);
  const sort = query.get('sort') ?? (text || isSearch ? undefined : defaultSorts[kind.kind]);
  const direction = query.get('direction') === 'asc' ? 'asc' : 'desc';
  const isMetric = sort === undefined || sort in kind.metrics || kind.sortable.has(sort);
  const body = {
    ...(text && kind.isSearchable ? { query: { text, autocomplete: true, fuzzy: query.get('fuzzy') === 'yes' } } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(sort === undefined || !isMetric ? {} : { sort: { field: pathOf(sort, kind, window), direction } }),
    options: optionsFor(kind, columns, window),
    limit: 25,
  };
  return { window, columns, filter, sort, direction, body };
}

function filterIn(query) {
  try {
    return JSON.parse(query.get('filter') ?? '') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Profiles of a kind: columns, windows and filters are of one's choice and stand in the address. */
export function Leaderboard({ kindName, query, isSearch = false }) {
  const kind = server.model.kinds[kindName];
  const address = query.toString();
  const search = useMemo(() => searchOf(kind, query, isSearch), [kindName, address]);
  const { window, columns, filter, sort, direction, body } = search;
  const operation = `${kindName}.search`;
  const pages = usePages(operation, body);
  const chooseSort = (name) =>
    choose({ sort: name, direction: name === sort && direction === 'desc' ? 'asc' : undefined });
  const view = isSearch ? 'search' : kindName;
  return html`
    <h1 tabindex="-1">${isSearch ? 'Search' : titles[kindName]}</h1>
    <nav class="tabs" aria-label="Kinds of profiles">${Object.keys(titles).map(
      (name) =>
        html`<a key=${name} aria-current=${name === kindName ? 'page' : undefined} href=${isSearch ? href(['search', name], { text: query.get('text') }) : href([name])}>${titles[name]}</a>`,
    )}</nav>
    ${isSearch && kind.isSearchable && html`<${SearchText} query=${query} />`}
    <div class="controls">
      <${Choice} name="window" label="Window of the metrics" options=${kind.windows} chosen=${window} />
      <${Columns} kind=${kind} columns=${columns} />
    </div>
    <details class="filters" open=${isSearch || query.has('filter')}>
      <summary>Filter${filter === undefined ? '' : `: ${JSON.stringify(filter)}`}</summary>
      <${FilterBuilder} key=${kindName} kind=${kind} filter=${filter} onChange=${(next) => choose({ filter: next === undefined ? 'null' : JSON.stringify(next) })} />
    </details>
    <${Failure} error=${pages.error} again=${pages.again} />
    <${Table} caption=${`${titles[kindName]} ${view} ${window}`} file=${`${kindName}-${window}`} columns=${profileColumns(kind, columns, window)} rows=${pages.rows} sort=${{ name: sort, direction, choose: chooseSort }} isLoading=${pages.isLoading} />
    <${More} pages=${pages} noun=${kindName} />
    <${Request} operation=${operation} body=${body} isOpen=${isSearch} />`;
}

/** Asks once the typing rests. */
function SearchText({ query }) {
  const given = query.get('text') ?? '';
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => choose({ text }), 150);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class="controls">
    <label>Text <input type="search" id="text" placeholder="Name, symbol or address" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <label class="check"><input type="checkbox" checked=${query.get('fuzzy') === 'yes'} onChange=${(event) => choose({ fuzzy: event.target.checked ? 'yes' : undefined })} /> with small typos</label>
  </div>`;
}

function Columns({ kind, columns }) {
  const names = [...Object.keys(kind.metrics), ...Object.keys(kind.fields)];
  const toggle = (name) =>
    choose({
      columns: (columns.includes(name) ? columns.filter((other) => other !== name) : [...columns, name]).join(),
    });
  return html`<details class="columns">
    <summary>Columns</summary>
    <fieldset><legend class="unseen">Columns</legend>${names.map(
      (name) =>
        html`<label key=${name} class="check"><input type="checkbox" checked=${columns.includes(name)} onChange=${() => toggle(name)} /> ${name}</label>`,
    )}</fieldset>
  </details>`;
}
