// @ts-check
/** @import { Asked, FigureOf, MetricName, MoneyUnit, NumbersOf, Request, Whole, Window } from '../../types/page.ts' */
/** @import { WalletMetrics, WalletPoint } from '@swapfold/client' */
import { answerOf, useAnswer } from '../answers.js';
import { brief, duration, gain } from '../format.js';
import { rangeBefore, rangeOf } from '../instant.js';
import { html } from '../lib.js';
import { Figure } from './figures.js';
import { lacksUsd, NO_USD } from './number.js';

/** @type {NonNullable<Request<'wallets.history'>['metrics']>} */
const lines = [
  'pnl',
  'roi',
  'winrate',
  'volume',
  'trade_count',
  'position_count',
  'pnl_native',
  'roi_native',
  'volume_native',
];

/** @typedef {{ readonly now: Asked<'wallets.history'>, readonly before: Asked<'wallets.history'> }} WalletHistories */

/**
 * What a wallet did in a window, and in the one before: asked for once the head is there.
 * @param {string} wallet
 * @param {Window<'wallets'>} window
 * @param {number | undefined} instant
 * @param {{ readonly synced_at: string | null } | undefined} profile
 * @returns {WalletHistories}
 */
export function useWindows(wallet, window, instant, profile) {
  const options = { isFixed: true, version: profile?.synced_at };
  const now = useAnswer(
    'wallets.history',
    instant === undefined ? undefined : { wallet, ...rangeOf(window, instant), metrics: lines },
    options,
  );
  const before = useAnswer(
    'wallets.history',
    instant === undefined ? undefined : { wallet, ...rangeBefore(window, instant), metrics: lines },
    options,
  );
  return { now, before };
}

/**
 * Sums from the first value on.
 * @param {readonly (number | null | undefined)[]} values
 */
const running = (values) => {
  let sum = 0;
  return values.map((value) => {
    sum += value ?? 0;
    return sum;
  });
};

/**
 * The six figures of a wallet, of metrics of a window; `history` is what `useWindows` has found.
 * @param {{ metrics: Whole<WalletMetrics>, unit: MoneyUnit, history: WalletHistories }} props
 * @returns {readonly FigureOf<MetricName<'wallets'>>[]}
 */
export function figuresOf({ metrics, unit, history }) {
  const points = answerOf(history.now)?.points ?? [];
  /** @param {NumbersOf<WalletPoint>} name */
  const series = (name) => points.map((point) => point[name]);
  const answer = answerOf(history.before);
  // Without a trade until then there is no point.
  const earlier = answer && (answer.points.at(-1) ?? null);
  /** @param {NumbersOf<WalletPoint>} name */
  const was = (name) => (earlier ? earlier[name] : earlier);
  const isNative = unit === 'native';
  const pnl = isNative ? 'pnl_native' : 'pnl';
  const roi = isNative ? 'roi_native' : 'roi';
  const volume = isNative ? 'volume_native' : 'volume';
  const isLacking = lacksUsd('USD', metrics);
  /** @param {MetricName<'wallets'>} name */
  const usd = (name) => (isLacking && !isNative ? null : metrics[name]);
  const why = isLacking && !isNative ? NO_USD : undefined;
  const other = isNative
    ? isLacking
      ? 'no value in USD'
      : gain('USD', metrics.pnl)
    : gain('native', metrics.pnl_native);
  const unvalued = metrics.unvalued_trade_count;
  return [
    {
      title: 'Profit',
      name: pnl,
      unit: isNative ? 'native' : 'USD',
      isResult: true,
      value: usd(pnl),
      beside: html`<span class=${`number ${(metrics[isNative ? 'pnl' : 'pnl_native'] ?? 0) < 0 ? 'down' : 'up'}`}>${other}</span>`,
      before: isLacking && !isNative ? undefined : was(pnl),
      points: isLacking && !isNative ? [] : running(series(pnl)),
      why,
    },
    {
      title: 'Return',
      name: roi,
      unit: 'percent',
      isResult: true,
      value: metrics[roi],
      beside: costOf(metrics[pnl], metrics[roi], isNative),
      before: was(roi),
      points: series(roi),
      why: why ?? 'Nothing was sold whose cost is known.',
    },
    {
      title: 'Win rate',
      name: 'winrate',
      unit: 'percent',
      value: metrics.winrate,
      beside:
        metrics.winrate === null || metrics.winrate_low === null || metrics.winrate_high === null
          ? undefined
          : `95 %: ${metrics.winrate_low.toFixed(0)} to ${metrics.winrate_high.toFixed(0)} %`,
      before: was('winrate'),
      points: series('winrate'),
      why: why ?? 'No sell has won or lost.',
    },
    {
      title: 'Volume',
      name: volume,
      unit: isNative ? 'native' : 'USD',
      value: usd(volume),
      beside:
        unvalued > 0 && !isLacking && !isNative
          ? `${brief('count', unvalued)} without a value`
          : isNative
            ? isLacking
              ? 'no value in USD'
              : brief('USD', metrics.volume)
            : brief('native', metrics.volume_native),
      before: isLacking && !isNative ? undefined : was(volume),
      points: isLacking && !isNative ? [] : series(volume),
      tone: 'plain',
      why,
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
    {
      title: 'Tokens sold',
      name: 'position_count',
      unit: 'count',
      value: metrics.position_count,
      beside:
        metrics.token_hit_ratio === null
          ? 'none with a result'
          : `${Math.round(metrics.token_hit_ratio * metrics.position_count)} in profit${heldText(metrics.avg_holding_duration)}`,
      before: was('position_count'),
      points: series('position_count'),
      tone: 'plain',
    },
  ];
}

/**
 * How long what was sold had been held, in its largest unit: ", held 3 h".
 * @param {number | null} seconds
 */
const heldText = (seconds) =>
  seconds === null ? '' : `, held ${duration(seconds).split(' ').slice(0, 2).join('\u00a0')}`;

/**
 * What was sold had cost this much.
 * @param {number | null} pnl
 * @param {number | null} roi
 * @param {boolean} isNative
 */
const costOf = (pnl, roi, isNative) =>
  roi && pnl !== null ? `on ${brief(isNative ? 'native' : 'USD', (pnl / roi) * 100)} of cost` : undefined;

/** @param {{ wallet: string, metrics: Whole<WalletMetrics>, unit: MoneyUnit, window: Window<'wallets'>, history: WalletHistories }} props */
export function WalletFigures({ wallet, metrics, unit, window, history }) {
  return html`<div class="grid six">${figuresOf({ metrics, unit, history }).map(
    (figure) =>
      html`<${Figure} key=${figure.title} figure=${figure} window=${window} explain=${['explain', 'wallets', wallet]} />`,
  )}</div>`;
}
