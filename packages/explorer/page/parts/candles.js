import { useAnswer, usePages } from '../answers.js';
import { amount, price, time, usd } from '../format.js';
import { bucketStart } from '../instant.js';
import { html, useEffect, useRef } from '../lib.js';
import { isDark, useSettings } from '../settings.js';
import { Choice } from './choices.js';
import { Answered, Failure, Request } from './request.js';
import { Table } from './table.js';

export const intervals = [
  ['60', '1m'],
  ['300', '5m'],
  ['900', '15m'],
  ['3600', '1h'],
  ['14400', '4h'],
  ['86400', '1d'],
];

/** Loaded with the first chart. */
const library = () => import('../vendor/lightweight-charts.js');

const columns = [
  {
    name: 'timestamp',
    title: 'Time',
    csv: 'timestamp',
    isText: true,
    value: (candle) => candle.timestamp,
    cell: (candle) => time(candle.timestamp),
  },
  ...['open', 'high', 'low', 'close'].map((name) => ({
    name,
    csv: name,
    value: (candle) => candle[name],
    cell: (candle) => price(candle[name]),
  })),
  { name: 'volume', value: (candle) => candle.volume, cell: (candle) => usd(candle.volume) },
  { name: 'count', value: (candle) => candle.count },
  { name: 'suspect_count', title: 'suspect prints', csv: 'suspect_count', value: (candle) => candle.suspect_count },
];

/** Candles with their volume; with a wallet, where it bought and sold. */
export function Candles({ token, wallet, query }) {
  const interval = Number(query.get('interval') ?? 3600);
  const body = { token, interval, count: Number(query.get('count') ?? 500) };
  const candles = useAnswer('prices.candles', body);
  const marked = wallet ? { wallet, token, limit: 100 } : undefined;
  const marks = usePages('trades.list', marked);
  return html`<section aria-label="Candles">
    <div class="row between"><h2 class="title">Price and volume</h2><${Choice} name="interval" label="Interval of the candles" options=${intervals} chosen=${String(interval)} /></div>
    <${Answered} of=${candles}>${(answer) =>
      answer.length === 0
        ? html`<p class="empty">No trade has set a price in USD. Candles appear once a swap against a stable or priced token is stored.</p>`
        : html`<${Chart} key=${`${token} ${interval}`} candles=${answer} trades=${wallet && !marks.isLoading ? marks.rows : []} interval=${interval} />
          <details class="request"><summary>As a table</summary><${Table} caption="Candles, the newest first" file="candles" columns=${columns} rows=${answer.slice().reverse()} /></details>`}<//>
    ${wallet && html`<${Failure} error=${marks.error} again=${marks.again} />`}
    ${wallet && marks.count > marks.rows.length && html`<p class="note">Marks of the newest ${marks.rows.length} of ${marks.count} trades. <button type="button" class="small" onClick=${marks.next}>More</button></p>`}
    <${Request} operation="prices.candles" body=${body} />
    ${marked && html`<${Request} operation="trades.list" body=${marked} />`}
  </section>`;
}

function Chart({ candles, trades, interval }) {
  const { theme, zone } = useSettings();
  const element = useRef();
  const chart = useRef();
  /** What the chart is to show once its library is there. */
  const newest = useRef();
  newest.current = [candles, trades, interval];
  const put = () => chart.current?.put(...newest.current);
  useEffect(() => {
    let isGone = false;
    library().then((made) => {
      if (isGone) return;
      chart.current = draw(made, element.current);
      put();
    });
    return () => {
      isGone = true;
      chart.current?.remove();
      chart.current = undefined;
    };
  }, [theme, zone]);
  useEffect(put, [candles, trades.map((trade) => `${trade.tx_hash} ${trade.wallet}`).join()]);
  const last = candles.at(-1);
  const label = `${candles.length} candles until ${time(last.timestamp)}, close ${price(last.close)}`;
  return html`<div class="chart" ref=${element} role="img" aria-label=${label}></div>`;
}

function draw(library, element) {
  const { createChart, createSeriesMarkers, CandlestickSeries, HistogramSeries } = library;
  const style = getComputedStyle(element);
  const color = (name) => style.getPropertyValue(name).trim();
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { color: color('--card') },
      textColor: color('--dim'),
      fontFamily: 'system-ui, sans-serif',
    },
    grid: { vertLines: { visible: false }, horzLines: { color: color('--line') } },
    localization: { locale: 'en-US', timeFormatter: time, priceFormatter: price },
    timeScale: { timeVisible: true, secondsVisible: false, tickMarkFormatter: tick, borderColor: color('--line') },
    rightPriceScale: { borderColor: color('--line') },
  });
  const [up, down] = [color('--up'), color('--down')];
  const prices = chart.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderVisible: false,
  });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    color: isDark() ? '#4a5a6a' : '#c3ccd6',
    priceFormat: { type: 'custom', formatter: usd, minMove: 0.01 },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const markers = createSeriesMarkers(prices, []);
  let drawn = [];
  return {
    put(candles, trades, interval) {
      markers.setMarkers(marksOf(trades, candles, interval, { up, down }));
      const changed = tailOf(drawn, candles);
      drawn = candles;
      if (changed !== undefined) {
        for (const candle of changed) {
          prices.update(barOf(candle));
          volumes.update(volumeOf(candle));
        }
        return;
      }
      // The library takes a power of ten alone.
      const digits = Math.ceil(4 - Math.log10(Math.min(...candles.map(({ low }) => low))));
      prices.applyOptions({
        priceFormat: { type: 'custom', formatter: price, minMove: Number(`1e${-Math.max(2, Math.min(digits, 18))}`) },
      });
      prices.setData(candles.map(barOf));
      volumes.setData(candles.map(volumeOf));
      markers.setMarkers(marksOf(trades, candles, interval, { up, down }));
    },
    remove: () => chart.remove(),
  };
}

const barOf = ({ timestamp, open, high, low, close }) => ({ time: timestamp, open, high, low, close });
const volumeOf = ({ timestamp, volume }) => ({ time: timestamp, value: volume });

/** The candles to draw again, if only the newest have changed since: the chart then stays as the reader has moved it. */
function tailOf(before, after) {
  const offset = before.findIndex(({ timestamp }) => timestamp === after[0].timestamp);
  // The library takes no bar away.
  if (offset < 0 || offset + after.length < before.length) return undefined;
  const same = after.findIndex((candle, i) => {
    const old = before[offset + i];
    return old === undefined || JSON.stringify(old) !== JSON.stringify(candle);
  });
  const from = same < 0 ? after.length : same;
  // The library changes the last bar alone.
  return offset + from >= before.length - 1 ? after.slice(from) : undefined;
}

/** An arrow for what was bought in a candle and one for what was sold, and a circle over each candle with suspect prints. */
function marksOf(trades, candles, interval, { up, down }) {
  const times = new Set(candles.map(({ timestamp }) => timestamp));
  const suspects = candles
    .filter((candle) => candle.suspect_count > 0)
    .map(({ timestamp, suspect_count: count }) => ({
      time: timestamp,
      position: 'aboveBar',
      shape: 'circle',
      color: down,
      text: `${count} suspect`,
    }));
  const sums = new Map();
  for (const { block_time: at, direction, token_amount: traded } of trades) {
    const key = `${bucketStart(at, interval)} ${direction}`;
    const sum = sums.get(key) ?? { count: 0, traded: 0 };
    sums.set(key, { count: sum.count + 1, traded: sum.traded + traded });
  }
  const arrows = [...sums]
    .map(([key, { count, traded }]) => {
      const [at, direction] = key.split(' ');
      const isBuy = direction === 'buy';
      return {
        time: Number(at),
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: isBuy ? 'arrowUp' : 'arrowDown',
        color: isBuy ? up : down,
        text: count === 1 ? amount(traded) : `${amount(traded)} in ${count}`,
      };
    })
    .filter((mark) => times.has(mark.time));
  return [...arrows, ...suspects].sort((a, b) => a.time - b.time);
}

/** Times of the axis in the zone of the settings: the day at its beginning, else the minute. */
function tick(seconds, kind) {
  const text = time(seconds);
  return kind <= 2 ? text.slice(0, 10) : text.slice(11, 16);
}
