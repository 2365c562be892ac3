// @ts-check
/** @import { WalletPoint } from '@swapfold/client' */
/** @import { MoneyUnit, Request, Whole } from '../../types/page.ts' */
import { useAnswer } from '../answers.js';
import { date, gain } from '../format.js';
import { lastDays } from '../instant.js';
import { html } from '../lib.js';
import { Failure } from './request.js';

const DAYS = 35;

/**
 * The request of the last days.
 * @type {(wallet: string, instant: number | undefined) => Request<'wallets.history'> | undefined}
 */
export const daysOf = (wallet, instant) =>
  instant === undefined
    ? undefined
    : { wallet, ...lastDays(DAYS, instant), metrics: ['pnl', 'pnl_native', 'trade_count'] };

/**
 * The profit of each of the last days, as a strip of five weeks: the deeper the colour, the larger the result.
 * @param {{ wallet: string, instant: number | undefined, version: string | null, unit: MoneyUnit, isLacking: boolean }} props
 */
export function Calendar({ wallet, instant, version, unit, isLacking }) {
  const body = daysOf(wallet, instant);
  const found = useAnswer('wallets.history', body, { isFixed: true, version });
  const name = unit === 'native' || isLacking ? 'pnl_native' : 'pnl';
  const shownUnit = name === 'pnl' ? 'USD' : 'native';
  const points = /** @type {readonly Whole<WalletPoint>[]} */ (found.answer?.points ?? []);
  const most = Math.max(...points.map((point) => Math.abs(point[name])), Number.MIN_VALUE);
  const days = [...Array.from({ length: DAYS - points.length }, () => undefined), ...points];
  const best = points.length > 0 && points.reduce((a, b) => (b[name] > a[name] ? b : a));
  return html`<div class="by-day">
    <h2 class="title" title=${name}>Profit by day</h2>
    <${Failure} error=${found.error} again=${found.again} />
    <ol class="calendar" aria-label=${`Profit of each of the last ${DAYS} days, oldest first`}>${days.map(
      (point, i) => {
        if (point === undefined) return html`<li key=${i} class="empty"><span class="unseen">nothing yet</span></li>`;
        const value = point[name];
        const share = value === 0 ? 0 : Math.round(15 + 75 * Math.sqrt(Math.abs(value) / most));
        const text = `${date(point.timestamp)}: ${gain(shownUnit, value)} in ${point.trade_count} trades`;
        return html`<li key=${i} class=${value < 0 ? 'down' : 'up'} style=${{ '--share': `${share}%` }} title=${`24 hours until ${text}`}><span class="unseen">${text}</span></li>`;
      },
    )}</ol>
    ${best && best[name] > 0 && html`<p class="dim">Best day ${gain(shownUnit, best[name])}, until ${date(best.timestamp)}</p>`}
  </div>`;
}
