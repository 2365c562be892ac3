import type { Candle } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { formatUsd } from './numbers.ts';
import type { Palette } from './palette.ts';

export interface ChartOptions {
  /** Lines of the price area. */
  readonly height: number;
  readonly palette: Palette;
}

/** What half a character shows: nothing, the wick, or the body. */
type Half = 0 | 1 | 2;

/** Characters by their upper and lower half. */
const glyphs: readonly (readonly string[])[] = [
  [' ', '╷', '╻'],
  ['╵', '│', '╽'],
  ['╹', '╿', '┃'],
];

const heights = ' ▁▂▃▄▅▆▇█';
const LINES_BETWEEN_PRICES = 4;

/** Candles drawn with characters, one column each, over their volumes and their times. Rising ones are green, the others red. */
export function candleChart(candles: readonly Candle[], { height, palette }: ChartOptions): string[] {
  const low = Math.min(...candles.map((candle) => candle.low));
  const high = Math.max(...candles.map((candle) => candle.high));
  const most = 2 * height - 1;
  const levelOf = (price: number): number =>
    high === low ? height : Math.round(((price - low) / (high - low)) * most);
  const priceOf = (line: number): number => high - ((high - low) * line) / Math.max(height - 1, 1);
  const painted = ({ open, close }: Candle, text: string): string =>
    text === ' ' ? text : close >= open ? palette.green(text) : palette.red(text);

  const lines = Array.from({ length: height }, (_, line) => {
    const upper = most - 2 * line;
    const cells = candles.map((candle) =>
      painted(candle, glyphs[halfOf(candle, upper, levelOf)]![halfOf(candle, upper - 1, levelOf)]!),
    );
    return { label: line % LINES_BETWEEN_PRICES === 0 ? formatUsd(priceOf(line)) : '', text: cells.join('') };
  });
  const mostVolume = Math.max(...candles.map((candle) => candle.volume));
  const volumes = candles.map((candle) => {
    const eighths = mostVolume === 0 ? 0 : Math.ceil((candle.volume / mostVolume) * 8);
    return painted(candle, heights[eighths]!);
  });
  lines.push({ label: `${formatUsd(mostVolume)} vol`, text: volumes.join('') });

  const width = Math.max(...lines.map(({ label }) => label.length));
  return [
    ...lines.map(({ label, text }) => `${palette.dim(`${label.padStart(width)} ┤`)}${text}`),
    palette.dim(`${' '.repeat(width)}  ${timeAxis(candles)}`),
  ];
}

function halfOf(candle: Candle, level: number, levelOf: (price: number) => number): Half {
  const [open, close] = [levelOf(candle.open), levelOf(candle.close)];
  if (level >= Math.min(open, close) && level <= Math.max(open, close)) return 2;
  return level >= levelOf(candle.low) && level <= levelOf(candle.high) ? 1 : 0;
}

/** The first and the last time, at the ends of the columns. */
function timeAxis(candles: readonly Candle[]): string {
  const [first, last] = [candles[0]!, candles.at(-1)!].map(({ timestamp }) => formatTime(timestamp).slice(5, 16));
  return `${first!.replace('T', ' ')}${last!.replace('T', ' ').padStart(Math.max(candles.length - first!.length, 13))}`;
}
