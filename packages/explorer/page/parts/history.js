import { useAnswer } from '../answers.js';
import { format, time } from '../format.js';
import { html } from '../lib.js';
import { Choice } from './choices.js';
import { Lines } from './lines.js';
import { Value } from './number.js';
import { Answered, Request } from './request.js';
import { Table } from './table.js';

const usd = (...names) => names.map((name) => ({ name, unit: 'USD' }));
const counts = (...names) => names.map((name) => ({ name, unit: 'count' }));

/** What can be drawn of each kind: lines with the same unit. */
const charts = {
  wallets: {
    equity: usd('equity', 'realized_pnl'),
    drawdown: usd('drawdown'),
    pnl: usd('pnl'),
    volume: usd('volume'),
    trades: counts('trade_count'),
  },
  tokens: {
    holders: counts('holders'),
    makers: counts('makers_count'),
    volume: usd('buy_volume', 'sell_volume'),
    trades: counts('trade_count'),
  },
};

const intervals = [
  ['3600', '1h'],
  ['14400', '4h'],
  ['86400', '1d'],
  ['604800', '1w'],
];

/** A wallet or a token over time; `id` is the address as the operation takes it. */
export function History({ kindName, id, query, file }) {
  const known = charts[kindName];
  const chosen = query.get('history') in known ? query.get('history') : Object.keys(known)[0];
  const series = known[chosen];
  const interval = intervals.some(([value]) => value === query.get('step')) ? query.get('step') : '86400';
  return html`<section aria-label="History">
    <h2>History</h2>
    <div class="controls">
      <${Choice} name="history" label="What to draw" options=${Object.keys(known)} chosen=${chosen} />
      <${Choice} name="step" label="Interval of the history" options=${intervals} chosen=${interval} />
    </div>
    <${Points} key=${`${chosen} ${interval}`} operation=${`${kindName}.history`} body=${{ ...id, interval: Number(interval), metrics: series.map(({ name }) => name) }} series=${series} file=${file} />
  </section>`;
}

/** One chart. Another choice is another one, so that lines are never drawn of the points of others. */
function Points({ operation, body, series, file }) {
  const found = useAnswer(operation, body);
  const columns = [
    { name: 'time', isText: true, value: (p) => p.timestamp, cell: (p) => time(p.timestamp) },
    ...series.map(({ name, unit }) => ({
      name,
      title: name.replaceAll('_', ' '),
      value: (point) => point[name],
      cell: (point) => html`<${Value} unit=${unit} value=${point[name]} />`,
    })),
  ];
  return html`
    <${Answered} of=${found}>${({ points }) =>
      points.length === 0
        ? html`<p class="quiet">There was no trade until then.</p>`
        : html`<${Lines} points=${points} series=${series} label=${labelOf(series, points)} />
          <details><summary>The points as a table</summary><${Table} caption="History" file=${file} columns=${columns} rows=${points.slice().reverse()} /></details>`}<//>
    <${Request} operation=${operation} body=${body} />`;
}

function labelOf(series, points) {
  const last = points.at(-1);
  const values = series.map(({ name, unit }) => `${name.replaceAll('_', ' ')} ${format(unit, last[name])}`);
  return `${points.length} points until ${time(last.timestamp)}: ${values.join(', ')}`;
}
