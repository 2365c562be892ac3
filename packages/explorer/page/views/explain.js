// @ts-check
/** @import { Column, KindName, PagedName, Request as Body } from '../../types/page.ts' */
/** @import { MetricTerm, RecordPart } from '@swapfold/client' */
/** @import { ViewProps } from '../app.js' */
import { usePages } from '../answers.js';
import { server } from '../api.js';
import { format, time, zone } from '../format.js';
import { html } from '../lib.js';
import { Choice, More } from '../parts/choices.js';
import { TokenLink, WalletLink } from '../parts/links.js';
import { NO_USD, Value } from '../parts/number.js';
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
  // A field of the record is of the whole history.
  const isRecord = window === 'all';
  /** @type {any} */
  const body = {
    ...Object.fromEntries(names.map((name, i) => [name, ids[i]])),
    metric,
    ...(isRecord ? {} : { window }),
    limit: 25,
  };
  const operation = /** @type {ExplainName} */ (`${kindName}.explain`);
  const pages = usePages(operation, body, ({ trades }) => trades);
  const { answer } = pages;
  const described = kind.metrics[metric];
  const { unit, description } = described ?? kind.fields[metric] ?? {};
  const { sentence = description, formula } = described ?? {};
  const isUnknown =
    unit === 'USD' &&
    pages.rows.length > 0 &&
    pages.rows.length === answer?.count &&
    pages.rows.every((trade) => trade.usd_amount == null);
  return html`
    <h1 tabindex="-1">${wordOf(metric)} <small><code>${metric}</code> ${isRecord ? 'whole history' : window}</small></h1>
    <p>of ${names.map((name, i) => (name === 'wallet' ? html`<${WalletLink} address=${ids[i]} /> ` : html`<${TokenLink} address=${ids[i]} /> `))}</p>
    ${!isRecord && html`<${Choice} label="Window" options=${kind.windows} chosen=${window} onChoose=${(/** @type {string} */ next) => go(href(['explain', kindName, ...ids, metric, next]))} />`}
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
      ${answer.parts && html`<h2>Token by token</h2><${Table} caption="Token by token" file=${`tokens-${metric}`} columns=${partColumns(answer.unit)} rows=${answer.parts} />`}
      <h2>Trades that enter</h2>
      <${Table} caption="Trades that enter" file=${`trades-${metric}-${window}`} columns=${tradeColumns({ hasPart: true, unit })} rows=${pages.rows} isLoading=${pages.isLoading} empty=${isRecord ? 'No trade counts.' : 'No trade of the window counts.'} />
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

/** @type {readonly (readonly [name: 'part' | 'realized_pnl' | 'cost_basis' | 'away_cost' | 'price', title: string, unit: string])[]} */
const partNumbers = [
  ['part', 'Adds', 'amount'],
  ['realized_pnl', 'Realised', 'USD'],
  ['cost_basis', 'Cost of what is held', 'USD'],
  ['away_cost', 'Cost of what left', 'USD'],
  ['price', 'Price', 'USD per token'],
];

/** What each token adds to a field of a record, which counts in a unit. @type {(unit: string) => readonly Column<RecordPart>[]} */
const partColumns = (unit) => [
  {
    name: 'token',
    title: 'Token',
    csv: 'token',
    isText: true,
    value: ({ token }) => token,
    cell: ({ token }) => html`<${TokenLink} address=${token} />`,
  },
  ...partNumbers.map(([name, title, own]) => ({
    name,
    title,
    csv: name,
    value: (/** @type {RecordPart} */ part) => part[name],
    cell: (/** @type {RecordPart} */ part) =>
      html`<${Value} name=${name === 'part' ? 'pnl' : name} unit=${name === 'part' ? unit : own} value=${part[name]} />`,
  })),
];
