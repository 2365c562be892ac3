// @ts-check
/** @import { FigureOf } from '../../types/page.ts' */
import { brief, gain } from '../format.js';
import { windowWords } from '../instant.js';
import { html } from '../lib.js';
import { href } from '../route.js';
import { None, toneOf } from './number.js';
import { Spark } from './spark.js';

/**
 * One large number: what it is, a word beside it, what it was in the window before, and its line.
 *
 * - `figure`: `why` says why there is no value; `explain` has the parts of the address that explains it.
 * @param {{ figure: FigureOf<string>, window: string, explain?: readonly string[] | false }} props
 */
export function Figure({ figure, window, explain }) {
  const { title, name, unit, value, isResult, beside, before, points = [], why } = figure;
  const isNone = value === null || value === undefined;
  const text = isNone ? undefined : isResult ? gain(unit, value) : brief(unit, value);
  const tone = isResult && !isNone ? toneOf(value) : '';
  return html`<div class="card figure" role="group" aria-label=${title}>
    <h2 class="title" title=${name}>${title}</h2>
    <p class=${`big ${tone}`}>${
      isNone
        ? html`<${None} why=${why ?? 'Not defined over the trades of this window.'} />`
        : explain
          ? html`<a class=${tone} href=${href([...explain, name, window])} title=${`${value}. Click: its terms and trades. (${name})`}>${text}</a>`
          : html`<span title=${String(value)}>${text}</span>`
    }</p>
    <p class="dim">${isNone && why ? html`<span class="why">${why}</span> ` : ''}${beside}</p>
    <${Before} before=${before} unit=${unit} isResult=${isResult} window=${window} />
    <${Spark} points=${points} tone=${figure.tone ?? (trend(points) < 0 ? 'down' : 'up')} />
  </div>`;
}

/** @param {readonly (number | null | undefined)[]} points */
const trend = (points) => {
  const known = points.filter((value) => typeof value === 'number');
  return (known.at(-1) ?? 0) - (known[0] ?? 0);
};

/**
 * `undefined` while it is not known yet, `null` if there was nothing.
 * @param {{ before: number | null | undefined, unit: string, isResult: boolean | undefined, window: string }} props
 */
function Before({ before, unit, isResult, window }) {
  if (before === undefined) return html`<p class="dim before" aria-hidden="true"> </p>`;
  const text = before === null ? 'nothing' : isResult ? gain(unit, before) : brief(unit, before);
  return html`<p class="dim before" title=${`In the ${windowWords(window)} before these`}>before: <span class="number">${text}</span></p>`;
}

/** The figures of a view before they are there. */
export const Waiting = () =>
  html`<div class="grid six" aria-hidden="true">${[0, 1, 2, 3, 4, 5].map((i) => html`<div key=${i} class="card figure skeleton"></div>`)}</div>`;
