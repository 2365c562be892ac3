import { format } from '../format.js';
import { html } from '../lib.js';
import { href } from '../route.js';

/** A value with its unit; without a value a dash that says why. */
export function Value({ unit, value, meaning }) {
  if (value === null || value === undefined)
    return html`<span class="none" title=${`Not known. ${meaning ?? ''}`}><span aria-hidden="true">–</span><span class="unseen">not known</span></span>`;
  const text = format(unit, value);
  const exact = typeof value === 'number' ? String(value) : undefined;
  return html`<span class=${tone(unit, value)} title=${[exact, meaning].filter(Boolean).join('. ')}>${text}</span>`;
}

const tone = (unit, value) =>
  (unit === 'USD' || unit === 'native' || unit === 'percent') && typeof value === 'number' && value < 0
    ? 'number loss'
    : 'number';

/** A metric of a profile: its formula on hover, its terms and trades behind it. */
export function Metric({ kind, ids, name, window, value, metric }) {
  const { unit, sentence, formula } = metric;
  const why = value === null ? 'Not defined over the trades of this window. ' : `${value}. `;
  const title = `${why}${sentence} Formula: ${formula}. Click: its terms and trades.`;
  const text = value === null ? '–' : format(unit, value);
  return html`<a
    class=${value === null ? 'none' : tone(unit, value)}
    href=${href(['explain', kind, ...ids, name, window])}
    title=${title}
    aria-label=${`${name} ${window}: ${value === null ? 'not defined' : text}, explain`}
  >${text}</a>`;
}
