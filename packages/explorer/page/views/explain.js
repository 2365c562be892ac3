// @ts-check
/** @import { Column, KindName, PagedName, Request as Body } from '../../types/page.ts' */
/** @import { MetricTerm } from '@swapfold/client' */
/** @import { ViewProps } from '../app.js' */
import { usePages } from '../answers.js';
import { server } from '../api.js';
import { format, time, zone } from '../format.js';
import { html } from '../lib.js';
import { Choice, More } from '../parts/choices.js';
import { TokenLink, WalletLink } from '../parts/links.js';
import { NO_USD } from '../parts/number.js';
import { Failure, Request } from '../parts/request.js';
import { Table } from '../parts/table.js';
import { tradeColumns } from '../parts/trades.js';
import { go, href } from '../route.js';
import { wordOf } from '../words.js';

/** @typedef {`${KindName}.explain`} ExplainName */

/**
 * What a metric is made of: its formula, the terms with their values, and the trades.
 * @param {ViewProps} props
 */
export function Explain({ parts }) {
  const [kindName, ...rest] = /** @type {[string, ...string[]]} */ (parts);
  const { kinds } = server.model;
  const kind = Object.hasOwn(kinds, kindName) ? kinds[/** @type {KindName} */ (kindName)] : undefined;
  if (kind === undefined)
    return html`<h1 tabindex="-1">Nothing to explain</h1><p class="failure">There are no profiles of “${kindName}”.</p>`;
  const [metric, window] = /** @type {[string, string | undefined]} */ (/** @type {unknown} */ (rest.slice(-2)));
  const ids = rest.slice(0, -2);
  const names = { wallets: ['wallet'], tokens: ['token'], positions: ['wallet', 'token'] }[kind.kind];
  if (ids.length !== names.length || window === undefined)
    return html`<h1 tabindex="-1">Nothing to explain</h1><p class="failure">The address of an explanation has ${names.join(', ')}, a metric and a window: click a figure of a profile.</p>`;
  /** @type {any} */
  const body = { ...Object.fromEntries(names.map((name, i) => [name, ids[i]])), metric, window, limit: 25 };
  const operation = /** @type {ExplainName} */ (`${kindName}.explain`);
  const pages = usePages(operation, body, ({ trades }) => trades);
  const { answer } = pages;
  const { unit, sentence, formula } = kind.metrics[metric] ?? {};
  const isUnknown =
    unit === 'USD' &&
    pages.rows.length > 0 &&
    pages.rows.length === answer?.count &&
    pages.rows.every((trade) => trade.usd_amount == null);
  return html`
    <h1 tabindex="-1">${wordOf(metric)} <small><code>${metric}</code> ${window}</small></h1>
    <p>of ${names.map((name, i) => (name === 'wallet' ? html`<${WalletLink} address=${ids[i]} /> ` : html`<${TokenLink} address=${ids[i]} /> `))}</p>
    <${Choice} label="Window" options=${kind.windows} chosen=${window} onChoose=${(/** @type {string} */ next) => go(href(['explain', kindName, ...ids, metric, next]))} />
    <p>${sentence}</p>
    <${Failure} error=${pages.error} again=${pages.again} />
    ${
      answer &&
      html`
      <p class="result"><b>${answer.value === null ? 'Not defined' : isUnknown ? 'Not known' : format(unit, answer.value)}</b> = <code>${answer.formula ?? formula}</code>
        <span class="quiet"> as of ${time(answer.as_of)} ${zone()}</span></p>
      ${answer.value === null && html`<p class="quiet">The terms below leave the formula without a value.</p>`}
      ${isUnknown && html`<p class="quiet">${NO_USD}</p>`}
      <${Table} caption="Terms" file=${`terms-${metric}-${window}`} columns=${termColumns} rows=${answer.terms} empty="The metric names no terms." />
      <h2>Trades that enter</h2>
      <${Table} caption="Trades that enter" file=${`trades-${metric}-${window}`} columns=${tradeColumns({ hasPart: true, unit })} rows=${pages.rows} isLoading=${pages.isLoading} empty="No trade of the window counts." />
      <${More} pages=${pages} noun="trades" />`
    }
    <${Request} operation=${operation} body=${body} />`;
}

/** @type {readonly Column<MetricTerm>[]} */
const termColumns = [
  {
    name: 'name',
    title: 'term',
    csv: 'name',
    isText: true,
    value: (term) => term.name,
    cell: (term) => html`<code>${term.name}</code>`,
  },
  {
    name: 'value',
    value: (term) => term.value,
    cell: ({ unit, value }) =>
      Array.isArray(value)
        ? html`<span class="series">${value.map((one) => format(unit, one)).join(', ')}</span>`
        : html`<span title=${String(value)}>${format(unit, value)}</span>`,
  },
  { name: 'meaning', isText: true, value: (term) => term.meaning },
  {
    name: 'from',
    isText: true,
    value: (term) => term.from,
    cell: (term) => (term.from === null ? '' : time(term.from)),
  },
  { name: 'to', isText: true, value: (term) => term.to, cell: (term) => (term.to === null ? '' : time(term.to)) },
];
