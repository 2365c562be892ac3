// @ts-check
/** @import { Asked, FieldPath, FigureOf, MetricName, Whole, WholeProfile, Window } from '../../types/page.ts' */
/** @import { PriceStats, TokenMetrics, TokenPoint } from '@swapfold/client' */
import { answerOf, useAnswer } from '../answers.js';
import { brief, gain, price, units } from '../format.js';
import { rangeBefore, rangeOf } from '../instant.js';
import { html } from '../lib.js';
import { Figure } from './figures.js';
import { lacksUsd, toneOf } from './number.js';

/**
 * @typedef {object} TokenHistories
 * @property {Asked<'tokens.history'>} now
 * @property {Asked<'tokens.history'>} before
 * @property {Asked<'prices.stats'>} stats
 */

/**
 * A token over a window, the window before, and how its price has changed: asked for once the head is there.
 * @param {string} token
 * @param {Window<'tokens'>} window
 * @param {number | undefined} instant
 * @param {{ readonly synced_at: string | null } | undefined} profile
 * @returns {TokenHistories}
 */
export function useTokenWindows(token, window, instant, profile) {
  const options = { isFixed: true, version: profile?.synced_at };
  return {
    now: useAnswer(
      'tokens.history',
      instant === undefined ? undefined : { token, ...rangeOf(window, instant) },
      options,
    ),
    before: useAnswer(
      'tokens.history',
      instant === undefined ? undefined : { token, ...rangeBefore(window, instant) },
      options,
    ),
    stats: useAnswer('prices.stats', profile && { tokens: [token] }, options),
  };
}

const NO_PRICE = 'No swap has priced it in USD.';

/**
 * @param {object} props
 * @param {string} props.token
 * @param {WholeProfile<'tokens'>} props.profile
 * @param {Window<'tokens'>} props.window
 * @param {TokenHistories} props.history
 */
export function TokenFigures({ token, profile, window, history }) {
  const metrics = profile.metrics[window];
  const { market } = profile;
  const points = answerOf(history.now)?.points ?? [];
  /** @param {keyof TokenPoint} name */
  const series = (name) => points.map((point) => point[name]);
  const before = answerOf(history.before);
  const earlier = before && (before.points.at(-1) ?? null);
  /** @param {keyof TokenPoint} name */
  const was = (name) => (earlier ? earlier[name] : earlier);
  const isUnvalued = metrics.trade_count > 0 && metrics.unvalued_trade_count === metrics.trade_count;
  // The registry may give another figure than the balances that the history counts.
  const isCounted = points.at(-1)?.holders === market.holders;
  const change = changeOf(history.stats.answer?.[0], window);
  /** @type {readonly FigureOf<FieldPath<'tokens'> | MetricName<'tokens'>>[]} */
  const figures = [
    {
      title: 'Price',
      name: 'market.price',
      unit: 'USD per token',
      value: market.price,
      beside: typeof change === 'number' && html`<span class=${toneOf(change)}>${gain('percent', change)}</span>`,
      before: was('price'),
      points: series('price'),
      why: NO_PRICE,
    },
    {
      title: 'Market cap',
      name: 'market.market_cap',
      unit: 'USD',
      value: market.market_cap,
      beside: market.liquidity === null ? 'liquidity not known' : `${brief('USD', market.liquidity)} liquidity`,
      points: series('price'),
      why: market.price === null ? NO_PRICE : 'The registry names no supply.',
    },
    {
      title: 'Volume',
      name: 'volume',
      unit: 'USD',
      value: isUnvalued ? null : metrics.volume,
      beside: units.native && brief('native', metrics.volume_native),
      before: isUnvalued ? undefined : was('volume'),
      points: series('volume'),
      tone: 'plain',
      why: 'No trade of this window has a value in USD.',
    },
    {
      title: 'Holders',
      name: 'market.holders',
      unit: 'count',
      value: market.holders,
      beside: market.top_holdings === null ? '' : `ten hold ${brief('percent', market.top_holdings)}`,
      before: isCounted ? was('holders') : undefined,
      points: isCounted ? series('holders') : [],
    },
    {
      title: 'Traders',
      name: 'makers_count',
      unit: 'count',
      value: metrics.makers_count,
      beside: `${brief('count', metrics.buyers_count)} bought, ${brief('count', metrics.sellers_count)} sold`,
      before: was('makers_count'),
      points: series('makers_count'),
      tone: 'plain',
    },
    {
      title: 'Trades',
      name: 'trade_count',
      unit: 'count',
      value: metrics.trade_count,
      beside: `${brief('count', metrics.buy_count)} buys, ${brief('count', metrics.sell_count)} sells`,
      before: was('trade_count'),
      points: series('trade_count'),
      tone: 'plain',
    },
  ];
  return html`<div class="grid six">${figures.map((figure) => {
    const isMetric = !figure.name.includes('.');
    return html`<${Figure} key=${figure.title} figure=${figure} window=${window} explain=${isMetric && ['explain', 'tokens', token]} />`;
  })}</div>`;
}

/**
 * Not every window of tokens has a change of the price.
 * @param {PriceStats | undefined} stats
 * @param {string} window
 */
const changeOf = (stats, window) =>
  stats?.[/** @type {`usd_price_change_${ChangeWindow}`} */ (`usd_price_change_${window}`)];

/** @typedef {keyof PriceStats extends infer Key ? Key extends `usd_price_change_${infer Window}` ? Window : never : never} ChangeWindow */

/** @type {readonly ChangeWindow[]} */
const windows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'];

/**
 * How the price has changed over each window.
 * @param {{ history: TokenHistories }} props
 */
export function Changes({ history }) {
  const stats = history.stats.answer?.[0];
  if (stats === undefined) return null;
  return html`<dl class="changes" aria-label="Change of the price">${windows.map((window) => {
    const change = changeOf(stats, window);
    return html`<div key=${window}><dt>${window}</dt><dd class=${toneOf(change)}>${typeof change === 'number' ? gain('percent', change) : html`<span title="There was no price then.">–</span>`}</dd></div>`;
  })}${stats.suspect && html`<div><dt>suspect</dt><dd class="down" title=${`The last print, ${price(stats.usd_price)}, is far off those before it.`}>last print</dd></div>`}</dl>`;
}

/** @type {readonly (readonly [title: string, buy: MetricName<'tokens'>, sell: MetricName<'tokens'>, unit: string, bought: string, sold: string])[]} */
const sides = [
  ['Wallets', 'buyers_count', 'sellers_count', 'count', 'bought', 'sold'],
  ['Trades', 'buy_count', 'sell_count', 'count', 'buys', 'sells'],
  ['USD', 'buy_volume', 'sell_volume', 'USD', 'bought', 'sold'],
];

/**
 * Buyers against sellers, by heads, trades and money.
 * @param {{ metrics: Whole<TokenMetrics> }} props
 */
export function Sides({ metrics }) {
  return html`<section class="sides" aria-label="Buyers against sellers">
    <h2 class="title">Buyers against sellers</h2>
    ${sides.map(([title, buy, sell, unit, bought, sold]) => {
      const [a, b] = lacksUsd(unit, metrics) ? [null, null] : [metrics[buy], metrics[sell]];
      return html`<div key=${title} class="side">
        <div class="row between"><span class="up">${brief(unit, a)} ${bought}</span><span class="down">${brief(unit, b)} ${sold}</span></div>
        <div class="bar" aria-hidden="true">${(a ?? 0) + (b ?? 0) > 0 && html`<i class="up deep" style=${{ flexGrow: a }}></i><i class="down deep" style=${{ flexGrow: b }}></i>`}</div>
      </div>`;
    })}
  </section>`;
}
