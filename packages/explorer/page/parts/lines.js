import { format, time } from '../format.js';
import { html, useEffect, useRef } from '../lib.js';
import { useSettings } from '../settings.js';

/** Loaded with the first chart. */
const library = () => import('../vendor/uplot.js');

const colors = ['--accent', '--loss', '--quiet'];

/** Lines over time: `series` are `{ name, unit }`, each a field of the points. */
export function Lines({ points, series, label }) {
  const { theme, zone } = useSettings();
  const element = useRef();
  const chart = useRef();
  const columns = [points.map(({ timestamp }) => timestamp), ...series.map(({ name }) => points.map((p) => p[name]))];
  useEffect(() => {
    let isGone = false;
    let observer;
    library().then(({ default: Plot }) => {
      if (isGone) return;
      chart.current = new Plot(optionsOf(element.current, series), columns, element.current);
      observer = new ResizeObserver(() => chart.current.setSize(sizeOf(element.current)));
      observer.observe(element.current);
    });
    return () => {
      isGone = true;
      observer?.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [theme, zone, series]);
  useEffect(() => chart.current?.setData(columns), [points]);
  return html`<div class="lines" ref=${element} role="img" aria-label=${label}></div>`;
}

/** What the legend takes stays free. */
const sizeOf = ({ clientWidth }) => ({ width: clientWidth, height: 220 });

function optionsOf(element, series) {
  const style = getComputedStyle(element);
  const color = (name) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--ink'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line') },
  };
  const { unit } = series[0];
  return {
    ...sizeOf(element),
    scales: { x: { time: true } },
    axes: [
      { ...axis, space: 90, values: (_plot, at, _axis, _space, step) => at.map((seconds) => tick(seconds, step)) },
      { ...axis, size: 96, values: (_plot, at) => at.map((value) => format(unit, value)) },
    ],
    series: [
      { label: 'time', value: (_plot, value) => (value === null ? '' : time(value)) },
      ...series.map(({ name, unit }, i) => ({
        label: name.replaceAll('_', ' '),
        stroke: color(colors[i]),
        width: 2,
        value: (_plot, value) => (value === null ? '' : format(unit, value)),
      })),
    ],
  };
}

/** Days, and hours within a day. */
const tick = (seconds, step) => (step >= 86_400 ? time(seconds).slice(0, 10) : time(seconds).slice(5, 16));
