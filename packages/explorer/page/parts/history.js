// @ts-check
/** @import { Column, MoneyUnit, NumbersOf, Request as Body, Window } from '../../types/page.ts' */
/** @import { TokenPoint, WalletPoint } from '@swapfold/client' */
import { useAnswer } from '../answers.js';
import { format, time, zone } from '../format.js';
import { rangeOf } from '../instant.js';
import { html } from '../lib.js';
import { wordOf } from '../words.js';
import { Choice } from './choices.js';
import { Lines } from './lines.js';
import { Value } from './number.js';
import { Answered, Request } from './request.js';
import { Table } from './table.js';

/** @typedef {{ wallets: WalletPoint, tokens: TokenPoint }} PointOf */
/** @typedef {keyof PointOf} Drawn */
/** @typedef {{ readonly timestamp: number } & { readonly [Name in SeriesName<Drawn>]?: number | null | undefined }} Point */
/**
 * Numbers of the points that a chart draws.
 * @template {Drawn} Kind
 * @typedef {{ [Of in Kind]: Exclude<NumbersOf<PointOf[Of]>, 'timestamp'> }[Kind]} SeriesName
 */
/**
 * @template {SeriesName<Drawn>} [Name=SeriesName<Drawn>]
 * @typedef {{ readonly name: Name, readonly unit: string }} Series
 */
/**
 * @template {SeriesName<Drawn>} [Name=SeriesName<Drawn>]
 * @typedef {readonly [text: string, series: readonly Series<Name>[], title?: string]} Chart
 */

/** @type {<Name extends SeriesName<Drawn>>(...names: readonly Name[]) => { name: Name, unit: string }[]} */
const usd = (...names) => names.map((name) => ({ name, unit: 'USD' }));
/** @type {<Name extends SeriesName<Drawn>>(...names: readonly Name[]) => { name: Name, unit: string }[]} */
const counts = (...names) => names.map((name) => ({ name, unit: 'count' }));
/** @type {<Name extends SeriesName<Drawn>>(...names: readonly Name[]) => { name: Name, unit: string }[]} */
const native = (...names) => names.map((name) => ({ name, unit: 'native' }));

/**
 * What can be drawn of each kind: lines with the same unit.
 * @type {{
 *   readonly wallets: Readonly<Record<string, Chart<SeriesName<'wallets'>>>>,
 *   readonly 'wallets native': Readonly<Record<string, Chart<SeriesName<'wallets'>>>>,
 *   readonly tokens: Readonly<Record<string, Chart<SeriesName<'tokens'>>>>,
 * }}
 */
const charts = {
  wallets: {
    equity: ['Equity', usd('equity', 'realized_pnl'), 'Equity and realised profit'],
    drawdown: ['Drawdown', usd('drawdown')],
    pnl: ['Profit', usd('pnl')],
    volume: ['Volume', usd('volume')],
    trades: ['Trades', counts('trade_count')],
  },
  'wallets native': {
    pnl: ['Profit', native('pnl_native')],
    volume: ['Volume', native('volume_native')],
    trades: ['Trades', counts('trade_count')],
  },
  tokens: {
    holders: ['Holders', counts('holders')],
    makers: ['Traders', counts('makers_count')],
    volume: ['Volume', usd('buy_volume', 'sell_volume')],
    trades: ['Trades', counts('trade_count')],
  },
};

/** @type {readonly (readonly [string, string])[]} */
const spans = [
  ['window', 'Window'],
  ['all', 'All time'],
];

/**
 * A wallet or a token over the window that is shown, or over all time by days; `id` is the address as the operation takes it.
 * @param {({ kindName: 'wallets', id: { wallet: string } } | { kindName: 'tokens', id: { token: string } }) & {
 *   query: URLSearchParams, file: string, window: Window<'wallets' | 'tokens'>, instant: number | undefined, unit?: MoneyUnit, note?: unknown,
 * }} props
 */
export function History({ kindName, id, query, file, window, instant, unit = 'usd', note }) {
  /** @type {readonly [name: string, chart: Chart][]} */
  const known = Object.entries(charts[unit === 'native' && kindName === 'wallets' ? 'wallets native' : kindName]);
  const wanted = query.get('history');
  const [chosen, chart] = /** @type {[string, Chart]} */ (known.find(([name]) => name === wanted) ?? known[0]);
  const [text, series, title = text] = chart;
  const span = query.get('span') === 'all' ? 'all' : 'window';
  const range = span === 'all' ? { interval: 86_400 } : instant && rangeOf(window, instant);
  const body = range && { ...id, ...range, metrics: series.map(({ name }) => name) };
  return html`<section class="history" aria-label="History">
    <div class="row between">
      <h2 class="title">${title}</h2>
      <div class="row tight">
        <${Choice} name="history" label="What to draw" options=${known.map(([name, [text]]) => [name, text])} chosen=${chosen} />
        <${Choice} name="span" label="How far back" options=${spans} chosen=${span} />
      </div>
    </div>
    <${Points} key=${`${chosen} ${unit} ${span} ${window}`} operation=${`${kindName}.history`} body=${body} series=${series} file=${file} />
    ${note && html`<p class="dim note">${note}</p>`}
  </section>`;
}

/**
 * One chart. Another choice is another one, so that lines are never drawn of the points of others.
 * @template {'wallets.history' | 'tokens.history'} Name
 * @param {{ operation: Name, body: Body<Name> | undefined, series: readonly Series[], file: string }} props
 */
function Points({ operation, body, series, file }) {
  const found = useAnswer(operation, body);
  /** @type {readonly Column<Point>[]} */
  const columns = [
    {
      name: 'timestamp',
      title: `Time, ${zone()}`,
      csv: 'timestamp',
      isText: true,
      value: (p) => p.timestamp,
      cell: (p) => time(p.timestamp),
    },
    ...series.map(({ name, unit }) => ({
      name,
      title: wordOf(name),
      csv: name,
      value: (/** @type {Point} */ point) => point[name],
      cell: (/** @type {Point} */ point) => html`<${Value} unit=${unit} value=${point[name]} name=${name} />`,
    })),
  ];
  if (body === undefined) return html`<div class="lines skeleton" aria-hidden="true"></div>`;
  return html`
    <${Answered} of=${found} waiting=${html`<div class="lines skeleton" aria-hidden="true"></div>`}>${(
      /** @type {{ points: readonly Point[] }} */ { points },
    ) =>
      points.length === 0
        ? html`<p class="empty">There was no trade until then. Choose a longer window, or all time.</p>`
        : html`<${Lines} points=${points} series=${series} label=${labelOf(series, points)} />
          <details class="request"><summary>As a table</summary><${Table} caption="Points, the newest first" file=${file} columns=${columns} rows=${points.slice().reverse()} /></details>`}<//>
    <${Request} operation=${operation} body=${body} />`;
}

/**
 * @param {readonly Series[]} series
 * @param {readonly Point[]} points
 */
function labelOf(series, points) {
  const last = /** @type {Point} */ (points.at(-1));
  const values = series.map(({ name, unit }) => `${name.replaceAll('_', ' ')} ${format(unit, last[name])}`);
  return `${points.length} points until ${time(last.timestamp)}: ${values.join(', ')}`;
}
