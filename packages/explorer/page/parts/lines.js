// @ts-check
/** @import { Ref } from '../../types/page.ts' */
import { brief, date, format, time } from '../format.js';
import { html, useEffect, useRef } from '../lib.js';
import { isDark, settings, useSettings } from '../settings.js';
import { wordOf } from '../words.js';

/** @typedef {{ setSize(size: object): void, setData(columns: unknown): void, destroy(): void }} Plot */

/** Loaded with the first chart. */
const library = () => import('../vendor/uplot.js');

/** @type {readonly [string, ...string[]]} */
const colors = ['--accent', '--up', '--dim'];

/** @typedef {{ readonly name: string, readonly unit: string, readonly title?: string | undefined }} Series */
/** @typedef {{ readonly timestamp: number, readonly [name: string]: number | null | undefined }} Point */

/**
 * Lines over time: each of `series` is a field of the points. The first one has its area tinted.
 * @param {{ points: readonly Point[], series: readonly Series[], label: string }} props
 */
export function Lines({ points, series, label }) {
  const { zone } = useSettings();
  /** @type {Ref<HTMLElement>} */
  const element = useRef();
  /** @type {Ref<Plot | undefined>} */
  const chart = useRef();
  const columns = [points.map(({ timestamp }) => timestamp), ...series.map(({ name }) => points.map((p) => p[name]))];
  useEffect(() => {
    let isGone = false;
    /** @type {ResizeObserver | undefined} */
    let observer;
    library().then((/** @type {any} */ { default: Plot }) => {
      if (isGone) return;
      chart.current = new Plot(optionsOf(Plot, element.current, series), columns, element.current);
      observer = new ResizeObserver(() => chart.current?.setSize(sizeOf(element.current)));
      observer.observe(element.current);
    });
    return () => {
      isGone = true;
      observer?.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [isDark(), zone, series]);
  useEffect(() => chart.current?.setData(columns), [points]);
  return html`<div class="lines" ref=${element} role="img" aria-label=${label}></div>`;
}

/**
 * What the legend takes stays free.
 * @param {HTMLElement} element
 */
const sizeOf = ({ clientWidth }) => ({ width: clientWidth, height: clientWidth > 600 ? 290 : 220 });

/**
 * @param {any} Plot
 * @param {HTMLElement} element
 * @param {readonly Series[]} series
 */
function optionsOf(Plot, element, series) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const color = (name) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--dim'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const { unit } = /** @type {Series} */ (series[0]);
  return {
    ...sizeOf(element),
    scales: { x: { time: true } },
    ...(settings.zone === 'UTC'
      ? { tzDate: (/** @type {number} */ at) => Plot.tzDate(new Date(at * 1000), 'Etc/UTC') }
      : {}),
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 90,
        /** @type {(plot: unknown, at: readonly number[], axis: unknown, space: unknown, step: number) => readonly string[]} */
        values: (_plot, at, _axis, _space, step) => at.map((seconds) => tick(seconds, step)),
      },
      {
        ...axis,
        size: 76,
        /** @type {(plot: unknown, at: readonly number[]) => readonly string[]} */
        values: (_plot, at) => at.map((value) => brief(unit, value)),
      },
    ],
    series: [
      {
        label: 'Time',
        value: (/** @type {unknown} */ _plot, /** @type {number | null} */ value) =>
          value === null ? '' : time(value),
      },
      ...series.map(({ name, unit, title }, i) => ({
        label: title ?? wordOf(name),
        stroke: color(/** @type {string} */ (colors[i])),
        width: 2,
        points: { show: false },
        ...(i === 0 ? { fill: `${color(colors[0])}1c` } : { dash: [6, 4] }),
        value: (/** @type {unknown} */ _plot, /** @type {number | null} */ value) =>
          value === null ? '' : format(unit, value),
      })),
    ],
  };
}

/**
 * Days, and hours within a day: "3 Dec", "3 Dec 14:00".
 * @param {number} seconds
 * @param {number} step
 */
const tick = (seconds, step) => {
  const [day = '', , minute] = date(seconds).split(/ (?=\d{4},)|, /);
  return step >= 86_400 ? day : `${day} ${minute}`;
};
