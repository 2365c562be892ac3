import { publishedRuns, type Report, type Row } from './row.ts';

/** The lines of the chart: how the rows of each begin, what they are called, and their colour. */
const lines = [
  { operation: 'import Parquet and refresh', name: 'import and refresh', colour: '#1f4e79' },
  { operation: 'full refresh', name: 'full refresh', colour: '#2e86ab' },
  { operation: '1,000 new swaps until', name: '1,000 new swaps, searchable', colour: '#a23b72' },
  { operation: 'profile search', name: 'search, 20 profiles', colour: '#f18f01' },
  { operation: 'candles of the hottest token, 1 h', name: 'candles, 1 h x 30 d', colour: '#c73e1d' },
  { operation: 'get-trades of a wallet', name: 'trades of a wallet', colour: '#3b7d3b' },
  { operation: 'get-price, 1 token', name: 'price of a token', colour: '#6b5b95' },
] as const;

const engines = ['DuckDB', 'SQLite'] as const;
const panel = { width: 490, height: 420, left: 62, top: 48, right: 215, bottom: 44, between: 24 } as const;
const inner = {
  width: panel.width - panel.left - panel.right,
  height: panel.height - panel.top - panel.bottom,
} as const;

interface Point {
  readonly swaps: number;
  readonly row: Row;
}

type Scale = (value: number) => number;

/**
 * What each operation costs at each size, as an SVG. Both axes are logarithmic: what grows with the store climbs,
 * what does not lies flat.
 */
export function drawChart(reports: readonly Report[]): string {
  const points = (engine: string, operation: string): Point[] =>
    publishedRuns(reports, engine)
      .flatMap(({ run: { swaps, rows } }) =>
        rows.filter((row) => row.operation.startsWith(operation)).map((row) => ({ swaps, row })),
      )
      .sort((a, b) => a.swaps - b.swaps);
  const all = engines.flatMap((engine) => lines.flatMap(({ operation }) => points(engine, operation)));
  if (all.length === 0) throw new Error('The reports hold no row of the chart.');
  const x = logScale(
    all.map(({ swaps }) => swaps),
    0,
    inner.width,
  );
  const y = logScale(
    all.map(({ row }) => row.ours),
    inner.height,
    0,
  );
  const width = panel.width * 2 + panel.between;
  const panels = engines.map((engine, i) => {
    const series = lines.map((line) => ({ ...line, points: points(engine, line.operation) }));
    const shift = i * (panel.width + panel.between) + panel.left;
    return `<g transform="translate(${shift} ${panel.top})">${drawPanel(engine, series, x, y)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${panel.height}" font-family="system-ui, sans-serif" font-size="11">
<title>Milliseconds of each operation by size of the store</title>
<style>@media (prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg); } }</style>
<rect width="${width}" height="${panel.height}" fill="#fff"/>
${panels.join('\n')}
</svg>
`;
}

interface Axis {
  readonly at: Scale;
  readonly ticks: readonly number[];
}

/** Powers of ten around the values, from `start` to `end` in pixels. */
function logScale(values: readonly number[], start: number, end: number): Axis {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  return {
    at: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
  };
}

interface Series {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly Point[];
}

function drawPanel(engine: string, series: readonly Series[], x: Axis, y: Axis): string {
  // The legend has the dearest first, as the lines lie.
  const lastOf = ({ points }: Series): number => points.at(-1)!.row.ours;
  const shown = series.filter(({ points }) => points.length > 0).sort((a, b) => lastOf(b) - lastOf(a));
  return [
    text(0, -26, engine, 'font-size="15" font-weight="600"'),
    text(0, -10, 'milliseconds, median', 'fill="#666"'),
    ...x.ticks.flatMap((tick) => [
      gridLine(x.at(tick), 0, x.at(tick), inner.height),
      text(x.at(tick), inner.height + 16, swapsText(tick), 'text-anchor="middle" fill="#444"'),
    ]),
    text(inner.width / 2, inner.height + 34, 'swaps in the store', 'text-anchor="middle" fill="#666"'),
    ...y.ticks.flatMap((tick) => [
      gridLine(0, y.at(tick), inner.width, y.at(tick)),
      text(-8, y.at(tick) + 4, timeText(tick), 'text-anchor="end" fill="#444"'),
    ]),
    ...shown.map((line, i) => drawLine(line, i * LEGEND, x, y)),
  ].join('\n');
}

/** Pixels from one line of the legend to the next. */
const LEGEND = 18;

function drawLine({ name, colour, points }: Series, legendAt: number, x: Axis, y: Axis): string {
  const places = points.map(({ swaps, row }) => [round(x.at(swaps)), round(y.at(row.ours))] as const);
  return [
    `<polyline points="${places.map((place) => place.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`),
    text(inner.width + 11, legendAt + 4, `${name}, ${timeText(points.at(-1)!.row.ours)}`, `fill="${colour}"`),
  ].join('');
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="#e3e3e3"/>`;
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content}</text>`;
}

function swapsText(swaps: number): string {
  return swaps >= 1e6 ? `${swaps / 1e6} M` : swaps >= 1000 ? `${swaps / 1000} k` : String(swaps);
}

function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(3))} s`;
  return `${Number(milliseconds.toPrecision(milliseconds >= 1 ? 3 : 2))} ms`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
