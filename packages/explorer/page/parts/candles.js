// @ts-check
/** @import { Answer, Column, Ref } from '../../types/page.ts' */
/** @import { Candle, Trade } from '@swapfold/client' */
import { useAnswer, usePages } from '../answers.js';
import { amount, axisPrice, price, time, usd, zone } from '../format.js';
import { bucketStart } from '../instant.js';
import { html, useEffect, useRef } from '../lib.js';
import { isDark, useSettings } from '../settings.js';
import { Choice } from './choices.js';
import { Answered, Failure, Request } from './request.js';
import { Table } from './table.js';

/** @type {readonly (readonly [seconds: string, text: string])[]} */
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

/** @type {readonly ('open' | 'high' | 'low' | 'close')[]} */
const prices = ['open', 'high', 'low', 'close'];

/** @type {() => readonly Column<Candle>[]} */
const columnsOf = () => [
  {
    name: 'timestamp',
    title: `Time, ${zone()}`,
    csv: 'timestamp',
    isText: true,
    value: (candle) => candle.timestamp,
    cell: (candle) => time(candle.timestamp),
  },
  ...prices.map(
    (name) =>
      /** @type {Column<Candle>} */ ({
        name,
        csv: name,
        value: (candle) => candle[name],
        cell: (candle) => price(candle[name]),
      }),
  ),
  { name: 'volume', value: (candle) => candle.volume, cell: (candle) => usd(candle.volume) },
  { name: 'count', value: (candle) => candle.count },
  { name: 'suspect_count', title: 'suspect prints', csv: 'suspect_count', value: (candle) => candle.suspect_count },
];

/**
 * Candles with their volume; with a wallet, where it bought and sold.
 * @param {{ token: string, wallet: string | undefined, query: URLSearchParams }} props
 */
export function Candles({ token, wallet, query }) {
  const interval = Number(query.get('interval') ?? 3600);
  const body = { token, interval, count: Number(query.get('count') ?? 500) };
  const candles = useAnswer('prices.candles', body);
  const marked = wallet ? { wallet, token, limit: 100 } : undefined;
  const marks = usePages('trades.list', marked);
  return html`<section aria-label="Candles">
    <div class="row between"><h2 class="title">Price and volume</h2><${Choice} name="interval" label="Interval of the candles" options=${intervals} chosen=${String(interval)} /></div>
    <${Answered} of=${candles}>${(/** @type {Answer<'prices.candles'>} */ answer) =>
      answer.length === 0
        ? html`<p class="empty">No trade has set a price in USD. Candles appear once a swap against a stable or priced token is stored.</p>`
        : html`<${Chart} key=${`${token} ${interval}`} candles=${answer} trades=${wallet && !marks.isLoading ? marks.rows : []} interval=${interval} />
          <details class="request"><summary>As a table</summary><${Table} caption="Candles, the newest first" file="candles" columns=${columnsOf()} rows=${answer.slice().reverse()} /></details>`}<//>
    ${wallet && html`<${Failure} error=${marks.error} again=${marks.again} />`}
    ${wallet && /** @type {number} */ (marks.count) > marks.rows.length && html`<p class="note">Marks of the newest ${marks.rows.length} of ${marks.count} trades. <button type="button" class="small" onClick=${marks.next}>More</button></p>`}
    <${Request} operation="prices.candles" body=${body} />
    ${marked && html`<${Request} operation="trades.list" body=${marked} />`}
  </section>`;
}

/** @param {{ candles: readonly Candle[], trades: readonly Trade[], interval: number }} props */
function Chart({ candles, trades, interval }) {
  const { zone } = useSettings();
  /** @type {Ref<HTMLElement>} */
  const element = useRef();
  /** @type {Ref<ReturnType<typeof draw> | undefined>} */
  const chart = useRef();
  /**
   * What the chart is to show once its library is there.
   * @type {Ref<Parameters<ReturnType<typeof draw>['put']>>}
   */
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
  }, [isDark(), zone]);
  useEffect(put, [candles, trades.map((trade) => `${trade.tx_hash} ${trade.wallet}`).join()]);
  const last = /** @type {Candle} */ (candles.at(-1));
  const label = `${candles.length} candles until ${time(last.timestamp)}, close ${price(last.close)}`;
  return html`<div class="chart" ref=${element} role="img" aria-label=${label}></div>`;
}

/**
 * @param {any} library
 * @param {HTMLElement} element
 */
function draw(library, element) {
  const { createChart, createSeriesMarkers, CandlestickSeries, HistogramSeries } = library;
  const style = getComputedStyle(element);
  /** @param {string} name */
  const color = (name) => style.getPropertyValue(name).trim();
  let step = 0.01;
  /** @param {number} value */
  const mark = (value) => axisPrice(value, step);
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      attributionLogo: false,
      background: { color: color('--card') },
      textColor: color('--dim'),
      fontFamily: 'system-ui, sans-serif',
    },
    grid: { vertLines: { visible: false }, horzLines: { color: color('--line') } },
    localization: { locale: 'en-US', timeFormatter: time, priceFormatter: mark },
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
  /** @type {readonly Candle[]} */
  let drawn = [];
  return {
    /**
     * @param {readonly Candle[]} candles
     * @param {readonly Trade[]} trades
     * @param {number} interval
     */
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
      step = Number(`1e${-Math.max(2, Math.min(digits, 18))}`);
      prices.applyOptions({ priceFormat: { type: 'custom', formatter: mark, minMove: step } });
      prices.setData(candles.map(barOf));
      volumes.setData(candles.map(volumeOf));
      markers.setMarkers(marksOf(trades, candles, interval, { up, down }));
    },
    remove: () => chart.remove(),
  };
}

/** @param {Candle} candle */
const barOf = ({ timestamp, open, high, low, close }) => ({ time: timestamp, open, high, low, close });
/** @param {Candle} candle */
const volumeOf = ({ timestamp, volume }) => ({ time: timestamp, value: volume });

/**
 * The candles to draw again, if only the newest have changed since: the chart then stays as the reader has moved it.
 * @param {readonly Candle[]} before
 * @param {readonly Candle[]} after
 */
function tailOf(before, after) {
  const first = /** @type {Candle} */ (after[0]);
  const offset = before.findIndex(({ timestamp }) => timestamp === first.timestamp);
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

/**
 * An arrow for what was bought in a candle and one for what was sold, and a circle over each candle with suspect prints.
 * @param {readonly Trade[]} trades
 * @param {readonly Candle[]} candles
 * @param {number} interval
 * @param {{ readonly up: string, readonly down: string }} colors
 */
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
  /** @type {Map<string, { readonly count: number, readonly traded: number }>} */
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

/**
 * Times of the axis in the zone of the settings: the day at its beginning, else the minute.
 * @param {number} seconds
 * @param {number} kind
 */
function tick(seconds, kind) {
  const [day = '', clock = ''] = time(seconds).split(', ');
  return kind <= 2 ? day : clock.slice(0, 5);
}
