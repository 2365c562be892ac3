// @ts-check
/** @import { Answer, Ref, Request, State } from '../../types/page.ts' */
import { call } from '../api.js';
import { html, useEffect, useRef, useState } from '../lib.js';

/**
 * A line without axes: what a number did. `points` are its values, oldest first; those that are null are left out.
 * @param {{ points: readonly unknown[], tone?: string }} props
 */
export function Spark({ points, tone }) {
  const known = points.filter((value) => typeof value === 'number');
  if (known.length < 2) return html`<svg class="spark" viewBox="0 0 100 28" aria-hidden="true"></svg>`;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  /** @param {number} value */
  const y = (value) => (high === low ? 14 : 26 - ((value - low) / (high - low)) * 24);
  const line = known
    .map((value, i) => `${((i * 100) / (known.length - 1)).toFixed(1)},${y(value).toFixed(1)}`)
    .join(' ');
  return html`<svg class=${`spark ${tone ?? ''}`} viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true"><polyline points=${line} /></svg>`;
}

/** So many rows ask at once: what one reads comes before what decorates it. */
const TOGETHER = 2;
/** @type {(() => Promise<void>)[]} */
const waiting = [];
let running = 0;

function run() {
  while (running < TOGETHER && waiting.length > 0) {
    const job = /** @type {typeof waiting[number]} */ (waiting.shift());
    running++;
    job().finally(() => {
      running--;
      run();
    });
  }
}

/** @typedef {'wallets.history' | 'tokens.history'} Drawn */

/** @type {Map<string | undefined, Answer<Drawn>>} */
const answers = new Map();

/**
 * The line of a row of a list, asked for once the row is seen; `series` is what the history calls it.
 * @param {{ operation: Drawn, body: Request<Drawn> | undefined, series: string }} props
 */
export function RowSpark({ operation, body, series }) {
  const text = body && JSON.stringify(body);
  const [answer, setAnswer] = useState(answers.get(text));
  /** @type {Ref<HTMLElement>} */
  const element = useRef();
  useEffect(() => {
    if (text === undefined) return undefined;
    setAnswer(answers.get(text));
    if (answers.has(text)) return undefined;
    const controller = new AbortController();
    const job = async () => {
      if (controller.signal.aborted) return;
      const found = await call(operation, JSON.parse(text), controller.signal).catch(() => undefined);
      if (found === undefined) return;
      if (answers.size > 500) answers.clear();
      answers.set(text, found);
      setAnswer(found);
    };
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      waiting.push(job);
      run();
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      controller.abort();
    };
  }, [text]);
  const points = answer?.points.map((/** @type {any} */ point) => point[series]) ?? [];
  const tone = points.length > 1 ? (points.at(-1) < points[0] ? 'down' : 'up') : '';
  return html`<span class="row-spark" ref=${element}><${Spark} points=${points} tone=${tone} /></span>`;
}
