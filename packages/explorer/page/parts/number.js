// @ts-check
/** @import { DescribedMetric, KindName, Metrics } from '../../types/page.ts' */
import { brief, format, gain, when } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';

/**
 * A result has a sign and a colour; a size has neither.
 * @param {string} name
 */
const isResult = (name) =>
  /pnl|roi|expectancy|largest_(win|loss)|_win$|_loss$/.test(name) &&
  !/volatility|stability|ratio|distribution/.test(name);

/** @param {unknown} value */
export const toneOf = (value) => (typeof value !== 'number' || value === 0 ? '' : value > 0 ? 'up' : 'down');

/**
 * A value with its unit; without a value a dash that says why.
 * @param {{ unit: string, value: unknown, meaning?: string, name?: string, isBrief?: boolean }} props
 */
export function Value({ unit, value, meaning, name = '', isBrief = false }) {
  if (value === null || value === undefined) return html`<${None} why=${`Not known. ${meaning ?? ''}`} />`;
  const text = isResult(name)
    ? gain(unit, value)
    : isBrief
      ? unit === 'time'
        ? when(/** @type {number | string} */ (value))
        : brief(unit, value)
      : format(unit, value);
  const exact = unit === 'time' ? format(unit, value) : typeof value === 'number' ? String(value) : undefined;
  const tone = isResult(name) ? `number ${toneOf(value)}` : 'number';
  return html`<span class=${tone} title=${[exact, meaning].filter(Boolean).join('. ')}>${unit === 'text' ? html`<bdi>${text}</bdi>` : text}</span>`;
}

/**
 * A dash for what there is not; `beside` is what there is instead.
 * @param {{ why: string, beside?: unknown }} props
 */
export const None = ({ why, beside }) =>
  html`<span class="none" title=${why}><span aria-hidden="true">–</span><span class="unseen">${why}</span>${beside && html` <small>${beside}</small>`}</span>`;

/** @typedef {Pick<Metrics, 'trade_count' | 'unvalued_trade_count'>} Counts */

export const NO_USD = 'No trade of this window has a value in USD.';

/**
 * What is made of values in USD has none over trades without a value: sums of them are 0 by name alone.
 * @type {(unit: string, metrics: Counts | undefined, name?: string) => boolean}
 */
export const lacksUsd = (unit, metrics, name) =>
  (unit === 'USD' || name === 'max_drawdown') &&
  metrics !== undefined &&
  metrics.trade_count > 0 &&
  metrics.unvalued_trade_count === metrics.trade_count;

/**
 * A metric of a profile: its formula on hover, its terms and trades behind it. `metrics` are those of its window.
 * @param {object} props
 * @param {KindName} props.kind
 * @param {readonly string[]} props.ids
 * @param {string} props.name
 * @param {string} props.window
 * @param {unknown} props.value
 * @param {DescribedMetric} props.metric
 * @param {Counts | undefined} [props.metrics]
 */
export function Metric({ kind, ids, name, window, value, metric, metrics }) {
  const { unit, sentence, formula } = metric;
  const isLacking = lacksUsd(unit, metrics, name);
  const isNone = value === null || value === undefined || isLacking;
  const reason = isLacking ? NO_USD : 'Not defined over the trades of this window.';
  const why = isNone ? reason : `${value}.`;
  const text = isNone ? '–' : isResult(name) ? gain(unit, value) : brief(unit, value);
  const other = isLacking ? /** @type {any} */ (metrics)[`${name}_native`] : undefined;
  return html`<a
    class=${isNone ? 'none' : `number ${isResult(name) ? toneOf(value) : ''}`}
    href=${href(['explain', kind, ...ids, name, window])}
    title=${`${why} ${sentence} Formula: ${formula}. Click: its terms and trades. (${name})`}
    aria-label=${`${name} ${window}: ${isNone ? `not defined. ${reason}` : text}, explain`}
  >${text}${other !== undefined && html` <small>${gain('native', other)}</small>`}</a>`;
}
