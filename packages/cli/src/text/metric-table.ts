import type { EntityKind } from '@swapfold/core/host';
import { findMetric, metricText } from './metric.ts';
import { tableLines } from './table.ts';
import { UnknownSums } from './unknown-sums.ts';

/** Metrics of one window by name; distributions, which are no numbers, among them. */
export type WindowMetrics = Readonly<Record<string, unknown>>;

/** What a table of metrics shows. */
export interface MetricTable {
  readonly kind: EntityKind;
  readonly names: readonly string[];
  readonly windows: readonly string[];
  readonly metrics: Readonly<Record<string, WindowMetrics | undefined>> | undefined;
  /** The symbol of the native token. Without one, or if no window has a value in it, what counts in it is left out. */
  readonly native: string | undefined;
}

/** A line a metric, a column a window, and below them why a sum is not shown. */
export function metricTable({ kind, names, windows, metrics, native }: MetricTable): string[] {
  const sums = new UnknownSums();
  const columns = [
    { title: '', align: 'left' },
    ...windows.map((title) => ({ title, align: 'right' }) as const),
  ] as const;
  const hasNative =
    native !== undefined && windows.some((window) => (numberOf(metrics?.[window]?.volume_native) ?? 0) > 0);
  const rows = names
    .filter((name) => hasNative || !name.endsWith('_native'))
    .map((name) => [
      name,
      ...windows.map((window) => metricCell({ kind, name, values: metrics?.[window] ?? {}, native, sums })),
    ]);
  return [...tableLines(columns, rows), ...sums.lines];
}

/** Metrics of other units that are made of values in USD. */
const ofUsd: ReadonlySet<string> = new Set(['max_drawdown']);

/** A metric of a window as it is read; a dash for what is made of values of which none is known. */
export function metricCell(o: {
  readonly kind: EntityKind;
  readonly name: string;
  readonly values: WindowMetrics;
  readonly native: string | undefined;
  readonly sums: UnknownSums;
}): string {
  const { kind, name, values, native = '', sums } = o;
  const metric = findMetric(kind, name);
  const show = (): string => metricText(kind, name, numberOf(values[name]), native);
  if (metric === undefined || !((numberOf(values.trade_count) ?? 0) > 0)) return show();
  if (metric.unit === 'USD' || ofUsd.has(name))
    return sums.text('USD', values.unvalued_trade_count === values.trade_count, show);
  return metric.unit === 'native' && metric.isSum ? sums.text(native, values.volume_native === 0, show) : show();
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
