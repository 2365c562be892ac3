import { useAnswer } from '../answers.js';
import { format, time } from '../format.js';
import { rangeOf } from '../instant.js';
import { html } from '../lib.js';
import { wordOf } from '../words.js';
import { Choice } from './choices.js';
import { Lines } from './lines.js';
import { Value } from './number.js';
import { Answered, Request } from './request.js';
import { Table } from './table.js';

const usd = (...names) => names.map((name) => ({ name, unit: 'USD' }));
const counts = (...names) => names.map((name) => ({ name, unit: 'count' }));
const native = (...names) => names.map((name) => ({ name, unit: 'native' }));

/** What can be drawn of each kind: lines with the same unit. */
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

const spans = [
  ['window', 'Window'],
  ['all', 'All time'],
];

/** A wallet or a token over the window that is shown, or over all time by days; `id` is the address as the operation takes it. */
export function History({ kindName, id, query, file, window, instant, unit = 'usd', note }) {
  const known = charts[unit === 'native' && kindName === 'wallets' ? 'wallets native' : kindName];
  const chosen = Object.hasOwn(known, query.get('history')) ? query.get('history') : Object.keys(known)[0];
  const [text, series, title = text] = known[chosen];
  const span = query.get('span') === 'all' ? 'all' : 'window';
  const range = span === 'all' ? { interval: 86_400 } : instant && rangeOf(window, instant);
  const body = range && { ...id, ...range, metrics: series.map(({ name }) => name) };
  return html`<section class="history" aria-label="History">
    <div class="row between">
      <h2 class="title">${title}</h2>
      <div class="row tight">
        <${Choice} name="history" label="What to draw" options=${Object.entries(known).map(([name, [text]]) => [name, text])} chosen=${chosen} />
        <${Choice} name="span" label="How far back" options=${spans} chosen=${span} />
      </div>
    </div>
    <${Points} key=${`${chosen} ${unit} ${span} ${window}`} operation=${`${kindName}.history`} body=${body} series=${series} file=${file} />
    ${note && html`<p class="dim note">${note}</p>`}
  </section>`;
}

/** One chart. Another choice is another one, so that lines are never drawn of the points of others. */
function Points({ operation, body, series, file }) {
  const found = useAnswer(operation, body);
  const columns = [
    {
      name: 'timestamp',
      title: 'Time',
      csv: 'timestamp',
      isText: true,
      value: (p) => p.timestamp,
      cell: (p) => time(p.timestamp),
    },
    ...series.map(({ name, unit }) => ({
      name,
      title: wordOf(name),
      csv: name,
      value: (point) => point[name],
      cell: (point) => html`<${Value} unit=${unit} value=${point[name]} name=${name} />`,
    })),
  ];
  if (body === undefined) return html`<div class="lines skeleton" aria-hidden="true"></div>`;
  return html`
    <${Answered} of=${found} waiting=${html`<div class="lines skeleton" aria-hidden="true"></div>`}>${({ points }) =>
      points.length === 0
        ? html`<p class="empty">There was no trade until then. Choose a longer window, or all time.</p>`
        : html`<${Lines} points=${points} series=${series} label=${labelOf(series, points)} />
          <details class="request"><summary>As a table</summary><${Table} caption="Points, the newest first" file=${file} columns=${columns} rows=${points.slice().reverse()} /></details>`}<//>
    <${Request} operation=${operation} body=${body} />`;
}

function labelOf(series, points) {
  const last = points.at(-1);
  const values = series.map(({ name, unit }) => `${name.replaceAll('_', ' ')} ${format(unit, last[name])}`);
  return `${points.length} points until ${time(last.timestamp)}: ${values.join(', ')}`;
}
